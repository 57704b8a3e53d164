"""Which candidate is kept, and what the brief came to. Pure policy."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from authoring.outcomes import BriefOutcome, OutcomeKind
from authoring.state import Turn, TurnResult
from bootcamp_kit.brief import Brief

_INCONCLUSIVE, _NOT_QUEUED = 2, 3
STUCK_AFTER = 3
_JUDGED = (
    TurnResult.PASSED,
    TurnResult.STOOD,
    TurnResult.MEASURED,
    TurnResult.CONTESTED,
    TurnResult.OUTSIDE,
    TurnResult.INCONCLUSIVE,
    TurnResult.FAILED,
)


def best(turns: Sequence[Turn]) -> Turn | None:
    """The best judged candidate, or None when the gate judged none.

    One that may be queued beats an inconclusive one, which beats one that may not; among those that may be queued, one
    without objections beats one with; then fewer heavy findings, a lower guess floor, an earlier turn, a lower index.
    """
    judged = [turn for turn in turns if turn.result in _JUDGED]
    return min(judged, key=_rank, default=None)


def _rank(turn: Turn) -> tuple[int, int, int, int, float, int, int]:
    verdict = _NOT_QUEUED
    if turn.queueable:
        verdict = 1 if turn.objections else 0
    elif turn.result is TurnResult.INCONCLUSIVE:
        verdict = _INCONCLUSIVE
    elif turn.result is TurnResult.FAILED:
        verdict = _NOT_QUEUED + 1
    return (verdict, turn.confirmed, turn.objections, turn.heavy, turn.floor, turn.number, turn.index)


def no_progress(turns: Sequence[Turn]) -> bool:
    """Whether the last turns of one candidate came to the same bad end, each no better than the one before."""
    last = list(turns)[-STUCK_AFTER:]
    if len(last) < STUCK_AFTER or any(turn.result is TurnResult.UNUSABLE for turn in last):
        return False
    same = len({(turn.result, turn.reason) for turn in last}) == 1
    return same and all(
        (after.heavy, after.objections) >= (before.heavy, before.objections) for before, after in pairwise(last)
    )


def outcome_without_pass(brief: Brief, turns: Sequence[Turn]) -> BriefOutcome:
    """What a brief came to when no candidate may be queued.

    The machine's or the provider's failure counts before the rest, as a resumed run may then do better; a candidate
    that failed counts before replies that were no candidate at all.
    """
    by_age = sorted(turns, key=lambda turn: (turn.index, turn.number))
    last = list({turn.index: turn for turn in by_age}.values())
    kept = best(turns)
    trouble = [turn for turn in last if turn.result in (TurnResult.TROUBLED, TurnResult.INCONCLUSIVE)]
    refusals = [turn for turn in last if turn.result is TurnResult.REFUSED]
    if trouble:
        kind, reason, stage = OutcomeKind.FAILED, trouble[0].reason, trouble[0].stage
    elif kept:
        kind, reason, stage = OutcomeKind.EXHAUSTED, f"{_against(kept)}: {kept.reason}", kept.stage
    elif refusals:
        kind, reason, stage = OutcomeKind.REFUSED, refusals[0].reason, "draft"
    else:
        unusable = last[0].reason if last else "no turn was taken"
        kind, reason, stage = OutcomeKind.EXHAUSTED, f"no reply could be used; the last one: {unusable}", "draft"
    return BriefOutcome(
        brief_id=brief.id,
        brief_hash=brief.hash,
        kind=kind,
        reason=reason,
        content_hash=kept.candidate if kept else "",
        turns=len(turns),
        stage=stage,
    )


def _against(turn: Turn) -> str:
    if turn.stage == "calibrate":
        return "the solver panel's findings against the best candidate"
    if turn.stage == "oppose":
        return "confirmed findings of opponents against the best candidate"
    return "the gate's findings against the best candidate"
