"""The Hypothesis search: shrinks, stops, tries the same examples every time, writes nothing."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from sandbox.calls import Call, JobOutcome, Observation, Op
from sandbox.checks.evidence import Falsified
from sandbox.checks.properties import Properties, run
from sandbox.checks.search import PIECES, DrawnText, MachineFault, bits, drawn, search, texts
from tests.review.conftest import a_submission


def falsified(seed: int, response: str | None = None, outcome: JobOutcome = JobOutcome.EXCEPTION) -> Falsified:
    return Falsified("solvable", 1, seed, response, "a score", Observation(Call(Op.SCORE, {}), outcome))


def put_together(value: DrawnText) -> str:
    return value.of([0], ["1", "²", " "], ["<answer>1</answer>"])[1]


def test_a_counterexample_is_shrunk_to_the_smallest() -> None:
    found = search(bits(31), lambda seed: falsified(seed) if seed >= 1024 else None, examples=40, after=200)
    assert found.best is not None
    assert found.best.seed == 1024


def test_a_response_is_shrunk_too() -> None:
    def examine(value: DrawnText) -> Falsified | None:
        text = put_together(value)
        return falsified(0, text) if "²" in text else None

    found = search(texts(), examine, examples=60, after=300)
    assert found.best is not None
    assert found.best.response in ("²", "<answer>²</answer>")


def test_the_same_examples_are_tried_each_time() -> None:
    def tried() -> list[DrawnText]:
        seen: list[DrawnText] = []
        search(texts(), seen.append, examples=30, after=5)
        return seen

    assert tried() == tried() == list(drawn("texts", 30))
    assert len({value.of([0], PIECES, ["1"])[1] for value in tried()}) > 15


def test_shrinking_stops_after_the_allowed_number_of_examples() -> None:
    calls = []

    def examine(seed: int) -> Falsified | None:
        calls.append(seed)
        return falsified(seed) if seed % 7 == 3 else None

    found = search(bits(31), examine, examples=50, after=3)
    assert found.best is not None
    assert len(calls) <= found.tried + 3


def test_a_timeout_is_not_shrunk() -> None:
    calls = []

    def examine(seed: int) -> Falsified | None:
        calls.append(seed)
        return falsified(seed, outcome=JobOutcome.TIMEOUT)

    assert search(bits(7), examine, examples=50, after=100).best is not None
    assert len(calls) == 1


def test_a_flaky_counterexample_is_kept() -> None:
    calls = []

    def examine(seed: int) -> Falsified | None:
        calls.append(seed)
        return falsified(seed) if len(calls) == 2 else None

    assert search(bits(7), examine, examples=20, after=50).best is not None


def test_a_fault_of_our_machine_ends_the_search_as_such() -> None:
    def examine(seed: int) -> Falsified | None:
        raise MachineFault("engine gone")

    with pytest.raises(MachineFault):
        search(bits(7), examine, examples=20, after=50)


def test_a_slow_generator_is_asked_one_at_a_time_although_scoring_is_quick() -> None:
    asked: list[int] = []

    def ask(calls: Sequence[Call]) -> list[Observation]:
        made = {
            Op.GENERATE: (2.0, 7),
            Op.PROMPT: (0.0, "?"),
            Op.SOLVE: (0.0, "1"),
            Op.SCORE: (0.0, {"value": 1.0, "outcome": "correct", "reason": ""}),
        }
        asked.append(len(calls))
        return [Observation(one, JobOutcome.OK, value=made[one.op][1], cpu_s=made[one.op][0]) for one in calls]

    properties = Properties(ask, a_submission().candidate.folder.card, [], lambda number: number)
    found = run(properties, [], examples={"solvable": 20, "total": 0, "stable": 0}, after=5)
    assert (found[0].examples, found[0].falsified) == (20, ())
    assert set(asked) == {1}


def test_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    search(texts(), lambda value: falsified(0, put_together(value)), examples=20, after=20)
    assert list(tmp_path.iterdir()) == []


def test_random_numbers_drawn_elsewhere_in_the_process_meanwhile_are_no_fault_of_the_search() -> None:
    def beside(value: int) -> int:
        random.random()  # as another thread may, in the middle of a draw
        return value

    assert search(bits(3).map(beside), lambda seed: None, examples=10, after=1).best is None
