"""A second judge's code: read without running it, asked without being waited for."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from authoring.drafts import DraftProblem
from authoring.opposition.second import AT_ONCE, MOST_HANGS, opinions, read_second, solutions
from bootcamp_kit.case import Case
from bootcamp_kit.errors import MachineError
from chat_models.protocol import ChatReply, StopReason, Usage
from sandbox.calls import Call, JobOutcome, Observation
from tests.authoring.cast import SECOND

CASES = [Case("t", 1, seed, {}, {}) for seed in range(40)]


def reply(text: str) -> ChatReply:
    return ChatReply(text, StopReason.END, Usage(), "m")


class Recorded:
    """A box that answers from a list of outcomes and remembers how it was asked."""

    def __init__(self, *outcomes: JobOutcome, rest: JobOutcome = JobOutcome.OK) -> None:
        self.outcomes, self.rest, self.sizes = list(outcomes), rest, list[int]()

    def batch(self, calls: Sequence[Call]) -> list[Observation]:
        self.sizes.append(len(calls))
        return [Observation(call, self.outcomes.pop(0) if self.outcomes else self.rest, value="x") for call in calls]

    def close(self) -> None:
        """Nothing."""


def test_code_that_hangs_on_everything_is_given_up_after_two_calls() -> None:
    box = Recorded(rest=JobOutcome.TIMEOUT)
    assert solutions(box, CASES) == [""] * len(CASES)
    assert box.sizes == [1] * MOST_HANGS
    assert opinions(Recorded(rest=JobOutcome.TIMEOUT), [(case, "a") for case in CASES]) == [None] * len(CASES)


def test_code_that_answers_is_asked_in_larger_parts_and_one_hang_is_forgiven() -> None:
    box = Recorded(*[JobOutcome.OK] * 5, JobOutcome.OUT_OF_MEMORY)
    assert solutions(box, CASES).count("x") == len(CASES) - 1
    assert box.sizes[:3] == [1, 2, 4]
    assert max(box.sizes) <= AT_ONCE


def test_our_own_fault_is_never_the_second_judges() -> None:
    with pytest.raises(MachineError):
        solutions(Recorded(JobOutcome.INFRASTRUCTURE), CASES)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("I would rather not.", "prose"),
        ("=== FILE second.py ===\ndef verify(payload, answer): pass\n=== END FILE ===", "solve"),
        ("=== FILE second.py ===\ndef verify(:\n=== END FILE ===", "syntax"),
        ("=== FILE ../bootcamp.py ===\nx\n=== END FILE ===", "not asked for"),
        ("=== FILE second.py ===\n" + "(" * 5_000 + "\n=== END FILE ===", "second.py"),
    ],
)
def test_what_is_no_second_judge_is_said(text: str, said: str) -> None:
    with pytest.raises(DraftProblem, match=said):
        read_second(reply(text))


def test_reading_runs_nothing() -> None:
    code = read_second(reply(SECOND.replace("def verify", "while True:\n    pass\n\n\ndef verify")))
    assert "while True" in code
