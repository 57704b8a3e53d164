"""Calls on a sound task, through a real container."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bootcamp_kit.errors import InternalError, UsageError
from sandbox.box import Box
from sandbox.calls import Call, JobOutcome, Op
from sandbox.limits import ContainerLimits, JobLimits
from sandbox.service import Sandbox, SandboxSettings
from tests.sandbox.adding_task import CASE, generate, program, task_files

pytestmark = pytest.mark.docker


@pytest.fixture(scope="module")
def box(sandbox: Sandbox) -> Iterator[Box]:
    with sandbox.box(task_files()) as box:
        yield box


@pytest.mark.parametrize(
    ("call", "value"),
    [
        (Call(Op.LOAD, {}), {"bootcamp": "Task", "oracle": "Adder"}),
        (Call(Op.PROMPT, {"case": CASE}), "What is 2 + 3?"),
        (Call(Op.PARSE, {"response": "<answer>5</answer>"}), {"answer": 5}),
        (Call(Op.PARSE, {"response": "five"}), {"malformed": "no <answer>…</answer> in the response"}),
        (Call(Op.VERIFY, {"case": CASE, "answer": 5}), {"value": 1.0, "outcome": "correct", "reason": ""}),
        (
            Call(Op.SCORE, {"case": CASE, "response": "<answer>4</answer>"}),
            {"value": 0.0, "outcome": "wrong", "reason": "it is 5"},
        ),
        (
            Call(Op.SCORE, {"case": CASE, "response": "\ud800"}),
            {"value": 0.0, "outcome": "malformed", "reason": "no <answer>…</answer> in the response"},
        ),
        (Call(Op.SOLVE, {"case": CASE}), "<answer>5</answer>"),
        (program("print(int(input()) * 2)", "21\n"), {"stdout": "42\n"}),
        (program("import sys; print(sys.stdin.buffer.read())", "é"), {"stdout": "b'\\xc3\\xa9'\n"}),
        (program("print(open(0).read()[::-1], end='')", "abc"), {"stdout": "cba"}),
        (program("print(len(open(0).read()))", "x" * 900_000), {"stdout": "900000\n"}),
        (program("exit()"), {"stdout": ""}),
    ],
)
def test_every_op_answers_its_value(box: Box, call: Call, value: object) -> None:
    seen = box.fresh(call)
    assert (seen.outcome, seen.value, seen.error) == (JobOutcome.OK, value, "")
    assert 0 < seen.wall_s < 60 and 0 < seen.cpu_s < 60 and seen.peak_mb > 1


def test_a_batch_answers_every_call_in_order(box: Box) -> None:
    seen: list[tuple[int, int]] = []
    calls = [generate(seed) for seed in range(200)]
    observations = box.batch(calls, progress=lambda done, total: seen.append((done, total)))
    assert [observation.call for observation in observations] == calls
    assert all(observation.ok for observation in observations)
    assert seen == [(done, 200) for done in range(1, 201)]
    assert observations[3].value == box.fresh(generate(3)).value
    assert box.batch([]) == []


def test_the_input_is_there_again_after_a_program_closed_it(box: Box) -> None:
    with box.session() as session:
        for stdin in ("", "", "abc", "de", "", "f"):
            seen = session.call(program("print(len(open(0).read()))", stdin))
            assert seen.value == {"stdout": f"{len(stdin)}\n"}, seen


def test_calls_of_any_size_pass(box: Box) -> None:
    """Larger than a pipe, larger than the window, in both directions."""
    sizes = [10, 70_000, 5, 40_000, 40_000, 3_000_000, 1]
    calls = [Call(Op.PARSE, {"response": "é" * size + "<answer>1</answer>"}) for size in sizes]
    assert [seen.value for seen in box.batch(calls)] == [{"answer": 1}] * len(sizes)
    seen = box.fresh(program("print('é' * 400_000)"))
    assert seen.value == {"stdout": "é" * 400_000 + "\n"}


def test_a_session_answers_one_call_after_the_other(box: Box) -> None:
    with box.session() as session:
        first = session.call(generate(1))
        assert session.call(generate(1)).value == first.value
        assert box.fresh(generate(1)).value == first.value  # a fresh call in between ends the process, not the session
        assert session.call(generate(2)).ok


def test_a_session_keeps_state_and_a_fresh_call_does_not(box: Box) -> None:
    mark = program("import sys; sys.marks = [*getattr(sys, 'marks', []), 1]; print(len(sys.marks))")
    assert [seen.value for seen in box.batch([mark, mark])] == [{"stdout": "1\n"}, {"stdout": "2\n"}]
    assert [box.fresh(mark).value for _ in range(2)] == [{"stdout": "1\n"}] * 2


def test_an_exception_in_the_callers_block_ends_the_session_and_nothing_else(box: Box) -> None:
    with pytest.raises(ZeroDivisionError), box.session() as session:
        assert session.call(generate(1)).ok
        raise ZeroDivisionError
    assert box.fresh(generate(1)).ok


def test_the_hash_seed_is_the_containers(sandbox: Sandbox) -> None:
    order = program("print(list({'a', 'b', 'c', 'd', 'e', 'f'}), hash('x'))")
    seen = []
    for hash_seed in (1, 1, 2):
        with sandbox.box({}, hash_seed=hash_seed) as box:
            assert box.hash_seed == hash_seed
            seen.append(box.fresh(order).value)
    assert seen[0] == seen[1] != seen[2]


def test_a_container_is_replaced_after_its_number_of_jobs() -> None:
    with (
        Sandbox(SandboxSettings(container=ContainerLimits(jobs=3))) as sandbox,
        sandbox.box(task_files()) as box,
    ):
        ids = []
        for seed in range(5):
            assert box.fresh(generate(seed)).ok
            ids.append(box.container_id)
        assert ids[0] == ids[2] != ids[3] == ids[4]


def test_a_container_that_left_for_idleness_is_replaced_without_a_word() -> None:
    import time

    with (
        Sandbox(SandboxSettings(container=ContainerLimits(idle_s=2), retries=1)) as sandbox,
        sandbox.box(task_files()) as box,
    ):
        left = box._container
        assert left is not None
        while left.is_alive():
            time.sleep(0.05)
        assert box.fresh(generate(1)).ok and box.container_id != left.id


def test_a_closed_box_and_an_oversized_call_are_refused(sandbox: Sandbox) -> None:
    with sandbox.box(task_files()) as box:
        with pytest.raises(UsageError, match="32 MiB"):
            box.fresh(Call(Op.PARSE, {"response": "x" * (33 << 20)}))
        assert box.fresh(generate(1)).ok
    with pytest.raises(InternalError, match="closed"):
        box.fresh(generate(1))


def test_boxes_work_in_threads(sandbox: Sandbox) -> None:
    from concurrent.futures import ThreadPoolExecutor

    def work(hash_seed: int) -> list[object]:
        with sandbox.box(task_files(), JobLimits(), hash_seed=hash_seed) as box:
            return [seen.value for seen in box.batch([generate(seed) for seed in range(50)])]

    with ThreadPoolExecutor(3) as threads:
        results = list(threads.map(work, range(3)))
    assert results[0] == results[1] == results[2]
