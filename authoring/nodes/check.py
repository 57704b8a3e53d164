"""The node that sends a candidate through the gate."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from langgraph.runtime import Runtime

from authoring.context import AuthoringContext
from authoring.nodes.good_order import in_good_order
from authoring.state import CandidateState, Turn, TurnResult, TurnUpdate
from bootcamp_kit.errors import InternalError, MachineError
from bootcamp_kit.report import Report, Severity, Status, Verdict

_RESULTS = {
    Verdict.PASS: TurnResult.PASSED,
    Verdict.FAIL: TurnResult.FAILED,
    Verdict.INCONCLUSIVE: TurnResult.INCONCLUSIVE,
}
SHOWN_CODES = 8


@in_good_order
async def check(state: CandidateState, runtime: Runtime[AuthoringContext]) -> TurnUpdate:
    """Judge the last candidate. The same bytes are measured once in a run, unless a check could not run.

    A gate that breaks down is data here: no candidate is blamed, and the brief is taken up again when the run resumes.
    """
    context, turn = runtime.context, state["turns"][-1]
    brief_id = context.run.artefacts.brief(state["brief"]).id
    context.tell(brief_id, turn.index, "check", "started", turn.candidate)
    try:
        async with context.alone(f"check {turn.candidate}"):
            report = await measure(turn.candidate, context)
    except MachineError as error:
        judged = replace(turn, result=TurnResult.TROUBLED, reason=str(error), stage="check")
    else:
        judged = judge(turn, report)
    figures = {"turn": turn.number, "heavy": judged.heavy, "floor": judged.floor}
    context.tell(brief_id, turn.index, "check", judged.result, judged.reason, figures)
    return {"turns": [judged]}


async def measure(content_hash: str, context: AuthoringContext) -> Report:
    """The stored report, or the gate's.

    Raises:
        MachineError: the gate's machinery failed.
        InternalError: the gate reported on other bytes.
    """
    artefacts = context.run.artefacts
    known = artefacts.settled_report(content_hash)
    if known is not None:
        return known
    folder = artefacts.folder(content_hash)
    async with context.gates:
        report = await asyncio.to_thread(context.gate, folder)
    if report.content_hash != content_hash:
        raise InternalError("checking a candidate", "the report is about other bytes", "report this as a bug")
    artefacts.put_report(report)
    return report


def judge(turn: Turn, report: Report) -> Turn:
    """A turn with its report's verdict and the figures that candidates are compared by."""
    result = _RESULTS[report.verdict]
    if result is TurnResult.INCONCLUSIVE:
        ran_not = [f"{item.check}: {item.reason}" for item in report.results if item.status is Status.ERROR]
        reason = "checks that could not run: " + ("; ".join(ran_not[:SHOWN_CODES]) or "all of them")
    else:
        codes = dict.fromkeys(
            finding.code for finding in report.findings if finding.severity.rank >= Severity.MAJOR.rank
        )
        reason = ", ".join(list(codes)[:SHOWN_CODES]) + (", …" if len(codes) > SHOWN_CODES else "")
    heavy = sum(finding.severity.rank >= Severity.MAJOR.rank for finding in report.findings)
    return replace(turn, result=result, reason=reason, heavy=heavy, floor=guess_floor(report), stage="check")


def guess_floor(report: Report) -> float:
    """The highest mean score of a guess in the report; 1.0 where none was measured.

    A one-line rule over the numbers shown is no guess: it makes a task easy, not wrong.
    """
    guesses = [item.check for item in report.results if item.check.startswith("floor.") and item.check != "floor.rules"]
    found = [report.figure(check, "mean") for check in guesses]
    numbers = [float(value) for value in found if isinstance(value, (int, float)) and not isinstance(value, bool)]
    return max(numbers, default=1.0)
