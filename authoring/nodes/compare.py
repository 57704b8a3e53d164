"""The node that holds what may be queued against the library."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime

from authoring.choose import best
from authoring.context import AuthoringContext
from authoring.nodes.good_order import in_good_order
from authoring.novelty import Novelty
from authoring.state import BriefState


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
        context.run.artefacts.put_record(f"novelty-{kept.candidate}", found.to_json())
    context.tell(brief_id, kept.index, "compare", "compared", found.words, found.figures)
    return {}


def novelty_of(content_hash: str, context: AuthoringContext) -> Novelty | None:
    """What the comparison of these bytes came to earlier in this run."""
    raw = context.run.artefacts.record(f"novelty-{content_hash}")
    return Novelty.from_json(raw) if raw else None
