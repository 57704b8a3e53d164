"""The node that closes a brief: its best candidate is queued if that passed the gate; else it says why not."""

from __future__ import annotations

import asyncio

from langgraph.runtime import Runtime

from authoring.artefacts import turn_slot
from authoring.choose import best, outcome_without_pass
from authoring.context import AuthoringContext
from authoring.nodes.good_order import in_good_order
from authoring.outcomes import BriefOutcome, OutcomeKind
from authoring.state import BriefState, OutcomeUpdate, Turn, TurnResult
from bootcamp_kit.brief import Brief
from bootcamp_kit.candidate import Submission


@in_good_order
async def finish(state: BriefState, runtime: Runtime[AuthoringContext]) -> OutcomeUpdate:
    """Keep the best candidate. Submitting twice is harmless: the queue knows a candidate by its content."""
    context = runtime.context
    brief = context.run.artefacts.brief(state["brief"])
    kept = best(state["turns"])
    if kept is not None and kept.result is TurnResult.PASSED:
        outcome = await _submit(brief, kept, len(state["turns"]), context)
    else:
        outcome = outcome_without_pass(brief, state["turns"])
    context.tell(brief.id, None, "finish", outcome.kind, outcome.reason or outcome.queue_id)
    return {"outcome": outcome}


async def _submit(brief: Brief, kept: Turn, turns: int, context: AuthoringContext) -> BriefOutcome:
    artefacts = context.run.artefacts
    candidate = artefacts.candidate(kept.candidate, turn_slot(kept.index, kept.number))
    submission = Submission(candidate, brief, artefacts.report(kept.candidate))
    queue_id = await asyncio.to_thread(context.submit, submission)
    return BriefOutcome(
        brief_id=brief.id,
        brief_hash=brief.hash,
        kind=OutcomeKind.QUEUED,
        content_hash=kept.candidate,
        queue_id=queue_id,
        turns=turns,
    )
