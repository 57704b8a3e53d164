"""The store of counter-examples: append-only, without repeats, whole lines, safe for several writers."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from bootcamp_kit.errors import UsageError
from bootcamp_kit.report import Finding, Severity, Witness
from sandbox.counterexamples import Counterexample, CounterexampleStore, worth_keeping

ONE = Counterexample("solvable", 1, 7)
TWO = Counterexample("total", 2, 9, "<answer>²\n</answer>")


def test_what_is_added_is_loaded_once_and_in_order(tmp_path: Path) -> None:
    store = CounterexampleStore(tmp_path / "kept")
    assert store.load("some_task") == ()
    assert store.add("some_task", [ONE, TWO, ONE]) == 2
    before = (tmp_path / "kept" / "some_task.jsonl").read_bytes()
    assert store.add("some_task", [TWO]) == 0
    assert (tmp_path / "kept" / "some_task.jsonl").read_bytes() == before
    assert store.load("some_task") == (ONE, TWO)
    assert store.load("other_task") == ()


def test_a_torn_last_line_is_passed_over_and_does_not_spoil_the_next(tmp_path: Path) -> None:
    store = CounterexampleStore(tmp_path)
    store.add("some_task", [ONE])
    path = tmp_path / "some_task.jsonl"
    path.write_bytes(path.read_bytes() + b'{"property": "tot')
    assert store.load("some_task") == (ONE,)
    assert store.add("some_task", [TWO]) == 1
    assert store.load("some_task") == (ONE, TWO)


@pytest.mark.parametrize("line", [b"[]", b"{}", b'{"property": 1, "level": 1, "seed": 1}', b"\xff", b"null"])
def test_foreign_lines_are_passed_over(tmp_path: Path, line: bytes) -> None:
    (tmp_path / "some_task.jsonl").write_bytes(line + b"\n")
    assert CounterexampleStore(tmp_path).load("some_task") == ()


@pytest.mark.parametrize("task_id", ["", "../x", "A", "a/b"])
def test_only_a_task_id_names_a_file(tmp_path: Path, task_id: str) -> None:
    with pytest.raises(UsageError):
        CounterexampleStore(tmp_path).load(task_id)


def _write(root: str, level: int) -> None:
    store = CounterexampleStore(Path(root))
    for seed in range(20):
        store.add("some_task", [Counterexample("solvable", level, seed), Counterexample("solvable", 0, seed)])


def test_several_processes_lose_and_repeat_nothing(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write, args=(str(tmp_path), level)) for level in (1, 2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    lines = (tmp_path / "some_task.jsonl").read_bytes().splitlines()
    assert len(lines) == len(set(lines)) == 60


def test_findings_that_can_be_tried_again_are_kept() -> None:
    def finding(code: str, **witness: object) -> Finding:
        return Finding(code, Severity.BLOCKER, "m", Witness("score", **witness))  # type: ignore[arg-type]

    kept = worth_keeping(
        [
            finding("oracle.not_one", level=1, seed=2, response="r"),
            finding("contract.generate_crash", level=3, seed=4),
            finding("contract.score_limit", level=5, seed=6, response="x"),
            finding("properties.stable", level=7, seed=8, response="y"),
            finding("near_miss.accepted", level=1, seed=1, response="z"),
            finding("contract.score_crash", level=1, seed=1, response="z", file="examples.toml"),
            finding("contract.load_crash"),
        ]
    )
    assert kept == [
        Counterexample("solvable", 1, 2),
        Counterexample("solvable", 3, 4),
        Counterexample("total", 5, 6, "x"),
        Counterexample("stable", 7, 8, "y"),
    ]
