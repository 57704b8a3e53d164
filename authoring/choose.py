"""Which candidate is kept, and what the brief came to. Pure policy."""

from __future__ import annotations

from collections.abc import Sequence

from authoring.outcomes import BriefOutcome, OutcomeKind
from authoring.state import Turn, TurnResult
from bootcamp_kit.brief import Brief

_VERDICTS = {TurnResult.PASSED: 0, TurnResult.INCONCLUSIVE: 1, TurnResult.FAILED: 2}


def best(turns: Sequence[Turn]) -> Turn | None:
    """The best judged candidate, or None when the gate judged none.

    Pass beats inconclusive beats fail; then fewer heavy findings, a lower guess floor, an earlier turn, a lower index.
    """
    judged = [turn for turn in turns if turn.result in _VERDICTS]
    return min(judged, key=_rank, default=None)


def _rank(turn: Turn) -> tuple[int, int, float, int, int]:
    return (_VERDICTS[turn.result], turn.heavy, turn.floor, turn.number, turn.index)


def outcome_without_pass(brief: Brief, turns: Sequence[Turn]) -> BriefOutcome:
    """What a brief came to when no candidate passed.

    The machine's or the provider's failure counts before the rest, as a resumed run may then do better; a candidate
    that failed the gate counts before replies that were no candidate at all.
    """
    by_age = sorted(turns, key=lambda turn: (turn.index, turn.number))
    last = list({turn.index: turn for turn in by_age}.values())
    kept = best(turns)
    trouble = [turn for turn in last if turn.result in (TurnResult.TROUBLED, TurnResult.INCONCLUSIVE)]
    refusals = [turn for turn in last if turn.result is TurnResult.REFUSED]
    if trouble:
        kind, reason = OutcomeKind.FAILED, trouble[0].reason
    elif kept:
        kind, reason = OutcomeKind.EXHAUSTED, f"the gate's findings against the best candidate: {kept.reason}"
    elif refusals:
        kind, reason = OutcomeKind.REFUSED, refusals[0].reason
    else:
        unusable = last[0].reason if last else "no turn was taken"
        kind, reason = OutcomeKind.EXHAUSTED, f"no reply could be used; the last one: {unusable}"
    return BriefOutcome(
        brief_id=brief.id,
        brief_hash=brief.hash,
        kind=kind,
        reason=reason,
        content_hash=kept.candidate if kept else "",
        turns=len(turns),
    )
