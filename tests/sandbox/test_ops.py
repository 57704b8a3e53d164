"""Unlawful values of a task's methods, and lawful ones that look odd.

The worker's code runs here in the test's own process: what it loads is written above, and a container per row would
cost a third of a second each. ``test_box.py`` goes through containers.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping

import pytest

from bootcamp_kit.loading import TaskFinder
from sandbox.answers import read_value
from sandbox.calls import Call, JobOutcome, Observation, Op
from sandbox.guest.frames import Frame
from sandbox.guest.ops import TaskOps
from sandbox.guest.worker import run
from sandbox.limits import JobLimits
from tests.sandbox.adding_task import CASE, ORACLE, generate, task_files

Ask = Callable[[Call, Mapping[str, bytes]], Observation]
VERIFY = Call(Op.VERIFY, {"case": CASE, "answer": [5]})
PROMPT = Call(Op.PROMPT, {"case": CASE})
PARSE = Call(Op.PARSE, {"response": "x"})
SCORE = Call(Op.SCORE, {"case": CASE, "response": "<answer>5</answer>"})
UNLAWFUL = [
    (generate(1), "def generate(self, rng, params): return (1, 2)", "WrongType: payload is of type tuple"),
    (generate(1), "def generate(self, rng, params): return {'a': [True, {1: 2}]}", "key of type int"),
    (generate(1), "def generate(self, rng, params): return float('nan')", "WrongType: payload is nan: not finite"),
    (generate(1), "def generate(self, rng, params): return '\\ud800'", "UnicodeEncodeError"),
    (generate(1), "def generate(self, rng, params): params['top'] = 1; return 1", "ArgumentChanged: the params"),
    (PROMPT, "def prompt(self, case): return b'x'", "WrongType: prompt is of type bytes, not str"),
    (PROMPT, "def prompt(self, case): case.payload['a'] = 9; return 'x'", "ArgumentChanged: the case was changed"),
    (PROMPT, "def prompt(self, case): case.payload['a'] = {1}; return 'x'", "ArgumentChanged: the case was changed"),
    (PARSE, "def parse(self, response): return {1, 2}", "WrongType: answer is of type set"),
    (PARSE, "def parse(self, response): raise ValueError('no')", "ValueError: no"),
    (VERIFY, "def verify(self, case, answer): return True", "WrongType: score is of type bool"),
    (VERIFY, "def verify(self, case, answer): return 1.0", "WrongType: score is of type float"),
    (VERIFY, "def verify(self, case, answer): return None", "WrongType: score is of type NoneType"),
    (VERIFY, "def verify(self, case, answer): answer.append(1); return Score.correct()", "ArgumentChanged"),
    (VERIFY, "def verify(self, case, answer): return Score(2.0, Outcome.CORRECT)", "ValueError: a score's value"),
    (VERIFY, "def verify(self, case, answer): return Score(1, Outcome.CORRECT)", "TypeError: a score's value"),
    (
        VERIFY,
        "def verify(self, case, answer):\n s = Score.wrong('x')\n object.__setattr__(s, 'value', 1.0)\n return s",
        "ValueError: value 1.0 does not go with outcome wrong",
    ),
    (VERIFY, "def verify(self, case, answer):\n class S(Score): pass\n return S.correct()", "WrongType: score is of"),
    (SCORE, "def parse(self, response): return 1 / 0", "ZeroDivisionError"),
    (Call(Op.LOAD, {}), "1 / 0", "ZeroDivisionError"),
]


@pytest.fixture
def ask() -> Iterator[Ask]:
    """What the worker answers and the host reads; the task's modules are forgotten afterwards."""

    def answer(call: Call, files: Mapping[str, bytes]) -> Observation:
        args = json.loads(json.dumps(dict(call.args)))
        data = run(TaskOps(files, 1 << 20), json.dumps({"op": call.op, "args": args}).encode())
        return read_value(Frame("value", {"answer": len(data), "wall_s": 0, "cpu_s": 0}, data), call, JobLimits())

    yield answer
    for name in [name for name in sys.modules if name.startswith("bootcamp_task_")]:
        del sys.modules[name]
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, TaskFinder)]


@pytest.mark.parametrize(("call", "body", "told"), UNLAWFUL)
def test_an_unlawful_value_is_an_exception_that_names_it(ask: Ask, call: Call, body: str, told: str) -> None:
    seen = ask(call, task_files(body))
    assert (seen.outcome, told in seen.error) == (JobOutcome.EXCEPTION, True), seen


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({}, "ModuleNotFoundError"),
        ({"bootcamp.py": b"BOOTCAMP = 3", "oracle.py": ORACLE.encode()}, "must set BOOTCAMP"),
        (task_files(oracle="ORACLE = None"), "must set ORACLE"),
        ({"bootcamp.py": b"\xff", "oracle.py": b""}, "UnicodeDecodeError"),
        ({"bootcamp.py": b"x" * (1 << 20)}, "NameError"),
    ],
)
def test_files_that_are_no_task_are_exceptions(ask: Ask, files: dict[str, bytes], told: str) -> None:
    seen = ask(Call(Op.LOAD, {}), files)
    assert (seen.outcome, told in seen.error) == (JobOutcome.EXCEPTION, True), seen


def test_a_score_cannot_be_overridden(ask: Ask) -> None:
    files = task_files("def score(self, case, response): return Score.correct()")
    seen = ask(Call(Op.SCORE, {"case": CASE, "response": "<answer>9</answer>"}), files)
    assert (seen.outcome, "score is final" in seen.error) == (JobOutcome.EXCEPTION, True), seen


def test_modules_beside_the_task_and_its_files_can_be_used(ask: Ask) -> None:
    body = (
        "def prompt(self, case):\n"
        "    from .helper import WORD\n"
        "    return WORD + __loader__.get_data('card.toml').decode()"
    )
    files = {**task_files(body), "helper.py": b"WORD = 'help '", "card.toml": b"x = 1"}
    assert ask(PROMPT, files).value == "help x = 1"
