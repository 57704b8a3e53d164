"""Which candidate is kept, and what a brief came to: the policy as tables."""

from __future__ import annotations

import pytest

from authoring.choose import best, outcome_without_pass
from authoring.outcomes import OutcomeKind
from authoring.state import Turn, TurnResult
from tests.authoring.parts import make_brief

R = TurnResult


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        (Turn(1, 3, R.PASSED, "a", heavy=5, floor=0.9), Turn(0, 1, R.INCONCLUSIVE, "b", heavy=0, floor=0.0)),
        (Turn(1, 3, R.INCONCLUSIVE, "a", heavy=5, floor=0.9), Turn(0, 1, R.FAILED, "b", heavy=1, floor=0.0)),
        (Turn(1, 3, R.PASSED, "a", heavy=0, floor=0.9), Turn(0, 1, R.PASSED, "b", heavy=1, floor=0.0)),
        (Turn(1, 3, R.PASSED, "a", heavy=1, floor=0.1), Turn(0, 1, R.PASSED, "b", heavy=1, floor=0.2)),
        (Turn(1, 1, R.PASSED, "a", floor=0.1), Turn(0, 2, R.PASSED, "b", floor=0.1)),
        (Turn(0, 1, R.PASSED, "a", floor=0.1), Turn(1, 1, R.PASSED, "b", floor=0.1)),
        (Turn(2, 3, R.FAILED, "a", heavy=9), Turn(0, 1, R.TROUBLED, "b")),
        (Turn(1, 3, R.MEASURED, "a", heavy=1), Turn(0, 1, R.CONTESTED, "b", objections=1)),
        (Turn(1, 3, R.CONTESTED, "a", objections=1), Turn(0, 1, R.CONTESTED, "b", objections=2)),
        (Turn(1, 3, R.CONTESTED, "a", objections=2), Turn(0, 1, R.CONTESTED, "b", objections=1, confirmed=1)),
        (Turn(1, 3, R.CONTESTED, "a", objections=1), Turn(0, 1, R.OUTSIDE, "b")),
        (Turn(1, 3, R.CONTESTED, "a", objections=1), Turn(0, 1, R.INCONCLUSIVE, "b")),
        (Turn(1, 3, R.CONTESTED, "a", objections=1, confirmed=1), Turn(0, 1, R.FAILED, "b")),
    ],
)
def test_the_first_of_each_pair_is_kept(better: Turn, worse: Turn) -> None:
    assert best([better, worse]) == best([worse, better]) == better


def test_nothing_judged_is_nothing_kept() -> None:
    assert best([]) is None
    assert best([Turn(0, 1, R.REFUSED), Turn(1, 1, R.UNUSABLE), Turn(2, 1, R.DRAFTED, "a")]) is None


@pytest.mark.parametrize(
    ("turns", "kind", "reason"),
    [
        ([Turn(0, 1, R.REFUSED, reason="no")], OutcomeKind.REFUSED, "no"),
        ([Turn(0, 1, R.REFUSED, reason="no"), Turn(1, 1, R.UNUSABLE, reason="prose")], OutcomeKind.REFUSED, "no"),
        ([Turn(0, 1, R.UNUSABLE, reason="prose"), Turn(0, 2, R.UNUSABLE, reason="cut")], OutcomeKind.EXHAUSTED, "cut"),
        ([Turn(0, 1, R.FAILED, "a", reason="floor"), Turn(1, 1, R.REFUSED)], OutcomeKind.EXHAUSTED, "floor"),
        ([Turn(0, 1, R.FAILED, "a", reason="floor"), Turn(0, 2, R.REFUSED)], OutcomeKind.EXHAUSTED, "floor"),
        ([Turn(0, 1, R.FAILED, "a"), Turn(1, 1, R.TROUBLED, reason="429")], OutcomeKind.FAILED, "429"),
        ([Turn(0, 1, R.FAILED, "a"), Turn(0, 2, R.TROUBLED, reason="429")], OutcomeKind.FAILED, "429"),
        ([Turn(0, 1, R.INCONCLUSIVE, "a", reason="engine"), Turn(1, 1, R.FAILED)], OutcomeKind.FAILED, "engine"),
    ],
)
def test_what_a_brief_came_to_without_a_pass(turns: list[Turn], kind: OutcomeKind, reason: str) -> None:
    outcome = outcome_without_pass(make_brief(), turns)
    assert outcome.kind is kind
    assert reason in outcome.reason
    assert outcome.turns == len(turns)


@pytest.mark.parametrize(
    ("turn", "may"),
    [
        (Turn(0, 1, R.PASSED, "a"), True),
        (Turn(0, 1, R.STOOD, "a"), True),
        (Turn(0, 1, R.MEASURED, "a"), True),
        (Turn(0, 1, R.CONTESTED, "a", objections=3), True),
        (Turn(0, 1, R.CONTESTED, "a", objections=3, confirmed=1), False),
        (Turn(0, 1, R.MEASURED, "a", objections=1, confirmed=1), False),
        (Turn(0, 1, R.OUTSIDE, "a"), False),
        (Turn(0, 1, R.FAILED, "a"), False),
        (Turn(0, 1, R.INCONCLUSIVE, "a"), False),
        (Turn(0, 1, R.TROUBLED, "a"), False),
        (Turn(0, 1, R.DRAFTED, "a"), False),
    ],
)
def test_what_may_be_queued(turn: Turn, may: bool) -> None:
    assert turn.queueable is may


@pytest.mark.parametrize(
    ("turn", "words", "stage"),
    [
        (Turn(0, 1, R.FAILED, "a", stage="check"), "the gate's findings", "check"),
        (Turn(0, 1, R.CONTESTED, "a", confirmed=1, stage="oppose"), "confirmed findings of opponents", "oppose"),
        (Turn(0, 1, R.OUTSIDE, "a", stage="calibrate"), "the solver panel's findings", "calibrate"),
    ],
)
def test_an_exhausted_brief_says_who_stopped_it(turn: Turn, words: str, stage: str) -> None:
    outcome = outcome_without_pass(make_brief(), [turn])
    assert outcome.kind is OutcomeKind.EXHAUSTED
    assert (outcome.stage, words in outcome.reason) == (stage, True)


def test_an_exhausted_brief_names_its_best_candidate() -> None:
    turns = [Turn(0, 1, R.FAILED, "a", heavy=3), Turn(0, 2, R.FAILED, "b", heavy=1), Turn(0, 3, R.FAILED, "c", heavy=2)]
    assert outcome_without_pass(make_brief(), turns).content_hash == "b"
