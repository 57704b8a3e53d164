"""The node that has a candidate mended: the gate's findings, or a repair order's, go back to the author."""

from __future__ import annotations

from collections.abc import Sequence

from langgraph.runtime import Runtime

from authoring.artefacts import turn_slot
from authoring.context import AuthoringContext
from authoring.nodes.calibrate import calibration_of
from authoring.nodes.good_order import in_good_order
from authoring.nodes.turns import next_assignment, take_turn
from authoring.opposition.hearing import opposition_on
from authoring.state import CandidateState, TurnUpdate
from bootcamp_kit.candidate import Candidate
from bootcamp_kit.report import Finding


@in_good_order
async def repair(state: CandidateState, runtime: Runtime[AuthoringContext]) -> TurnUpdate:
    """One turn of the author, from the last candidate and what was found against it."""
    context = runtime.context
    work = next_assignment(state, context.run.artefacts.brief(state["brief"]), context)
    candidate, findings, reason = what_to_mend(state, context)
    mending = context.author.repair(work, candidate, findings, reason)
    return await take_turn(work, "repair", mending, context)


def what_to_mend(state: CandidateState, context: AuthoringContext) -> tuple[Candidate, Sequence[Finding], str]:
    """The last candidate of this thread with its report's findings; before there is one, the repair order's."""
    artefacts = context.run.artefacts
    order = artefacts.order(state["order"]) if state["order"] else None
    written = [turn for turn in state["turns"] if turn.candidate]
    if written:
        last = written[-1]
        candidate = artefacts.candidate(last.candidate, turn_slot(last.index, last.number))
        return candidate, findings_on(last.candidate, context), order.reason if order else ""
    if order is None:
        raise ValueError("repair was entered without a candidate and without an order")
    return order.candidate, order.findings, order.reason


def findings_on(content_hash: str, context: AuthoringContext) -> Sequence[Finding]:
    """What gate, opponents and panel found, heaviest first; opponents before the gate where they weigh the same."""
    found = [
        part.findings
        for part in (opposition_on(content_hash, context.run), calibration_of(content_hash, context))
        if part
    ]
    findings = [*(finding for part in found for finding in part), *context.run.artefacts.report(content_hash).findings]
    return sorted(findings, key=lambda finding: -finding.severity.rank)
