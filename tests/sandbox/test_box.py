"""Calls on a sound task, through a real container."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sandbox.box import Box
from sandbox.calls import Call, JobOutcome, Op
from sandbox.limits import JobLimits
from sandbox.service import Sandbox

pytestmark = pytest.mark.docker

BOOTCAMP = b"""
from bootcamp_kit import answers
from bootcamp_kit.case import Score
from bootcamp_kit.contract import Bootcamp

class Sum(Bootcamp):
    def generate(self, rng, params):
        return {"a": rng.randrange(params["top"]), "b": rng.randrange(params["top"])}
    def prompt(self, case):
        return f"What is {case.payload['a']} + {case.payload['b']}?"
    def parse(self, response):
        return answers.integer(answers.last_answer(response))
    def verify(self, case, answer):
        right = case.payload["a"] + case.payload["b"]
        return Score.correct() if answer == right else Score.wrong(f"it is {right}")

BOOTCAMP = Sum()
"""
ORACLE = b"""
from bootcamp_kit.contract import Oracle

class Adder(Oracle):
    def solve(self, case):
        return f"<answer>{case.payload['a'] + case.payload['b']}</answer>"

ORACLE = Adder()
"""
CASE = {"task_id": "sum", "level": 1, "seed": 7, "params": {"top": 100}, "payload": {"a": 2, "b": 3}}


@pytest.fixture(scope="module")
def box(sandbox: Sandbox) -> Iterator[Box]:
    with sandbox.box({"bootcamp.py": BOOTCAMP, "oracle.py": ORACLE}, JobLimits()) as box:
        yield box


def generate(seed: int) -> Call:
    return Call(Op.GENERATE, {"task_id": "sum", "level": 1, "seed": seed, "params": {"top": 1000}})


@pytest.mark.parametrize(
    ("call", "value"),
    [
        (Call(Op.LOAD, {}), {"bootcamp": "Sum", "oracle": "Adder"}),
        (Call(Op.PROMPT, {"case": CASE}), "What is 2 + 3?"),
        (Call(Op.PARSE, {"response": "<answer>5</answer>"}), {"answer": 5}),
        (Call(Op.PARSE, {"response": "five"}), {"malformed": "no <answer>…</answer> in the response"}),
        (Call(Op.VERIFY, {"case": CASE, "answer": 5}), {"value": 1.0, "outcome": "correct", "reason": ""}),
        (
            Call(Op.SCORE, {"case": CASE, "response": "<answer>4</answer>"}),
            {"value": 0.0, "outcome": "wrong", "reason": "it is 5"},
        ),
        (Call(Op.SOLVE, {"case": CASE}), "<answer>5</answer>"),
        (Call(Op.PROGRAM, {"source": "print(int(input()) * 2)", "stdin": "21\n"}), {"stdout": "42\n"}),
    ],
    ids=lambda item: item.op if isinstance(item, Call) else "",
)
def test_every_op_answers_its_value(box: Box, call: Call, value: object) -> None:
    seen = box.fresh(call)
    assert (seen.outcome, seen.value, seen.error) == (JobOutcome.OK, value, "")
    assert 0 < seen.wall_s < 5 and 0 < seen.cpu_s < 5 and seen.peak_mb > 1


def test_a_batch_answers_every_call_in_order(box: Box) -> None:
    seen: list[tuple[int, int]] = []
    calls = [generate(seed) for seed in range(200)]
    observations = box.batch(calls, progress=lambda done, total: seen.append((done, total)))
    assert [observation.call for observation in observations] == calls
    assert all(observation.ok for observation in observations)
    assert seen == [(done, 200) for done in range(1, 201)]
    assert observations[3].value == box.fresh(generate(3)).value


def test_a_session_answers_one_call_after_the_other(box: Box) -> None:
    with box.session() as session:
        first = session.call(generate(1))
        assert session.call(generate(1)).value == first.value
        assert box.fresh(generate(1)).value == first.value  # a fresh call in between ends the process, not the session
        assert session.call(generate(2)).ok
