"""The node that closes a brief: its best candidate is queued if that passed the gate; else it says why not."""

from __future__ import annotations

import asyncio
from dataclasses import asdict, replace

from langgraph.runtime import Runtime

from authoring.artefacts import turn_slot
from authoring.choose import best, outcome_without_pass
from authoring.context import AuthoringContext
from authoring.nodes.calibrate import calibration_of
from authoring.nodes.compare import novelty_of
from authoring.nodes.good_order import in_good_order
from authoring.opposition.hearing import opposition_on
from authoring.outcomes import BriefOutcome, OutcomeKind
from authoring.prompts import Prompts
from authoring.state import BriefState, OutcomeUpdate, Turn
from bootcamp_kit.brief import Brief
from bootcamp_kit.candidate import Lineage, Submission
from bootcamp_kit.report import Report


@in_good_order
async def finish(state: BriefState, runtime: Runtime[AuthoringContext]) -> OutcomeUpdate:
    """Keep the best candidate. Submitting twice is harmless: the queue knows a candidate by its content."""
    context = runtime.context
    brief = context.run.artefacts.brief(state["brief"])
    kept = best(state["turns"])
    if kept is not None and kept.queueable:
        outcome = await _submit(brief, kept, state, context)
    else:
        outcome = outcome_without_pass(brief, state["turns"])
    spent = await asyncio.to_thread(context.spent, brief.id)
    outcome = replace(outcome, calls=spent.calls, tokens=spent.tokens, usd=spent.usd)
    figures = {"turns": outcome.turns, "stage": outcome.stage, **asdict(spent)}
    context.tell(brief.id, None, "finish", outcome.kind, outcome.reason or outcome.queue_id, figures)
    return {"outcome": outcome}


async def _submit(brief: Brief, kept: Turn, state: BriefState, context: AuthoringContext) -> BriefOutcome:
    artefacts = context.run.artefacts
    candidate = artefacts.candidate(kept.candidate, turn_slot(kept.index, kept.number))
    candidate = replace(
        candidate,
        lineage=lineage_with_stages(
            candidate.lineage, state, opposed=opposition_on(kept.candidate, context.run) is not None
        ),
    )
    submission = Submission(candidate, brief, whole_report(kept.candidate, context))
    queue_id = await asyncio.to_thread(context.submit, submission)
    return BriefOutcome(
        brief_id=brief.id,
        brief_hash=brief.hash,
        kind=OutcomeKind.QUEUED,
        content_hash=kept.candidate,
        queue_id=queue_id,
        turns=len(state["turns"]),
        stage="queue",
    )


def whole_report(content_hash: str, context: AuthoringContext) -> Report:
    """The gate's report with what opponents, panel and comparison added; none of it is a blocker by now."""
    found = (
        opposition_on(content_hash, context.run),
        calibration_of(content_hash, context),
        novelty_of(content_hash, context),
    )
    report = context.run.artefacts.report(content_hash)
    return replace(report, results=(*report.results, *(part.result() for part in found if part)))


def lineage_with_stages(lineage: Lineage, state: BriefState, *, opposed: bool) -> Lineage:
    """A lineage that names the prompts of every stage that had a part in the candidate."""
    had_a_part = {"analyse": bool(state["specification"]), "oppose": opposed}
    prompts = dict(lineage.prompts) | dict(Prompts().hashes_of([stage for stage, had in had_a_part.items() if had]))
    return replace(lineage, prompts=tuple(prompts.items()))
