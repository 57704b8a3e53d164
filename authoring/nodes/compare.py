"""The node that holds what may be queued against the library."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime

from authoring.choose import best
from authoring.context import AuthoringContext
from authoring.nodes.good_order import in_good_order
from authoring.novelty import Novelty
from authoring.state import BriefState
from authoring.transfer import measure_transfer
from bootcamp_kit.errors import MachineError, UsageError
from bootcamp_kit.folder import TaskFolder
from sandbox.escaping import escaped


@in_good_order
async def compare(state: BriefState, runtime: Runtime[AuthoringContext]) -> dict[str, str]:
    """Measure how near the best candidate is to the tasks that are there. It is shown, and decides nothing."""
    context = runtime.context
    kept = best(state["turns"])
    if kept is None or not kept.queueable or context.library is None:
        return {}
    brief_id = context.run.artefacts.brief(state["brief"]).id
    found = novelty_of(kept.candidate, context)
    if found is None:
        folder = context.run.artefacts.folder(kept.candidate)
        catalogue = await context.catalogue()
        found = await asyncio.to_thread(catalogue.nearest, folder, context.settings.near_duplicate)
        found = await _with_transfers(found, folder, kept.floor, context)
        context.run.artefacts.put_record(f"novelty-{kept.candidate}", found.to_json())
    context.tell(brief_id, kept.index, "compare", "compared", found.words, found.figures)
    return {}


async def _with_transfers(found: Novelty, folder: TaskFolder, floor: float, context: AuthoringContext) -> Novelty:
    """The nearest tasks' solvers tried on the candidate; a sandbox that fails is said, and decides nothing either."""
    if context.boxes is None or not context.settings.transfer_tasks:
        return found
    catalogue = await context.catalogue()
    tried = []
    for item in found.nearest[: context.settings.transfer_tasks]:
        known = await asyncio.to_thread(catalogue.folder, item.task_id)
        try:
            if known is not None:
                tried.append(await measure_transfer(folder, known, context))
        except (MachineError, UsageError) as error:  # a sandbox that fails, or has not what the task there asks for
            return found.with_transfers(tuple(tried), floor, f"solvers were not tried: {escaped(str(error), 200)}")
    return found.with_transfers(tuple(tried), floor)


def novelty_of(content_hash: str, context: AuthoringContext) -> Novelty | None:
    """What the comparison of these bytes came to earlier in this run."""
    raw = context.run.artefacts.record(f"novelty-{content_hash}")
    return Novelty.from_json(raw) if raw else None
