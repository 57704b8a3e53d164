"""A second judge of the same task: its code as a task of its own, so that the same boxes run it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from authoring.drafts import DraftProblem, ProblemKind, read_files, shown, syntax_problem
from bootcamp_kit.case import Case, Outcome
from bootcamp_kit.errors import MachineError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.python_source import parse_python
from chat_models.protocol import ChatReply
from evaluation.scoring import judge
from sandbox.calls import Call, JobOutcome, Observation, Op, case_to_json
from sandbox.checks.observed import LIMITS
from sandbox.limits import JobLimits

if TYPE_CHECKING:
    from evaluation.boxes import TaskBox

FILE = "second.py"
LIMITS_OF_A_CALL = JobLimits(wall_s=4.0, cpu_s=120.0)
AT_ONCE = 8
MOST_HANGS = 2
STANDS = "STANDS"

_BOOTCAMP = b'''"""A second judge, asked through the contract of a task."""

from bootcamp_kit.answers import last_answer
from bootcamp_kit.case import Score
from bootcamp_kit.contract import Bootcamp

from . import second


class Second(Bootcamp):
    def generate(self, rng, params):
        return {}

    def prompt(self, case):
        return ""

    def parse(self, response):
        return last_answer(response)

    def verify(self, case, answer):
        said = second.verify(case.payload, answer)
        if said is True:
            return Score.correct()
        return Score.wrong("") if said is False else Score.partial(0.5, "no opinion")


BOOTCAMP = Second()
'''
_ORACLE = b'''"""The second judge's own solver."""

from bootcamp_kit.contract import Oracle

from . import second


class SecondOracle(Oracle):
    def solve(self, case):
        text = second.solve(case.payload)
        return "" if text is None else f"<answer>{text}</answer>"


ORACLE = SecondOracle()
'''


def read_second(reply: ChatReply) -> str:
    """The file in an opponent's reply.

    Raises:
        DraftProblem: there is none, or it is not of the form asked for; the message is for the opponent.
    """
    code = read_files(reply, (FILE,)).get(FILE, "")
    try:
        tree = parse_python(code.encode())
    except SyntaxError as error:
        raise syntax_problem(FILE, error) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise DraftProblem(ProblemKind.SYNTAX, f"{FILE} cannot be parsed: {shown(str(error))}") from error
    defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    missing = [name for name in ("verify", "solve") if name not in defined]
    if missing:
        raise DraftProblem(ProblemKind.CONTRACT, f"{FILE} defines no function {', '.join(missing)}")
    return code


def second_files(code: str, folder: TaskFolder) -> dict[str, bytes]:
    """The second judge as a task: its code between two files of ours, under the candidate's card."""
    return {
        "card.toml": folder.files["card.toml"],
        "bootcamp.py": _BOOTCAMP,
        "oracle.py": _ORACLE,
        FILE: code.encode(),
    }


def opinions(box: TaskBox, pairs: Sequence[tuple[Case, str]]) -> list[bool | None]:
    """What the second judge says to each response; None where it has no opinion, crashes or hangs.

    Raises:
        MachineError: the box could not answer.
    """
    judged = judge(_Patient(box), pairs) if pairs else []
    found: list[bool | None] = []
    for item in judged:
        outcome = item.score.outcome if item.score else None
        found.append(outcome is Outcome.CORRECT if outcome in (Outcome.CORRECT, Outcome.WRONG) else None)
    return found


def solutions(box: TaskBox, cases: Sequence[Case]) -> list[str]:
    """The second judge's own response to each case; "" where it has none."""
    seen = _Patient(box)([Call(Op.SOLVE, {"case": case_to_json(case)}) for case in cases])
    return [item.value if item.ok and isinstance(item.value, str) else "" for item in seen]


class _Patient:
    """Asks a box in parts and stops asking code that hangs: the rest counts as having hung too."""

    def __init__(self, box: TaskBox) -> None:
        self.box = box

    def __call__(self, calls: Sequence[Call]) -> list[Observation]:
        seen: list[Observation] = []
        hangs = 0
        while len(seen) < len(calls) and hangs < MOST_HANGS:
            size = 1 if hangs else min(len(seen) + 1, AT_ONCE)  # code that hangs on everything is found out at once
            part = self.box.batch(calls[len(seen) : len(seen) + size])
            if any(item.outcome is JobOutcome.INFRASTRUCTURE for item in part):
                raise MachineError("asking the second judge", "the sandbox failed", "resume the run")
            hangs += sum(item.outcome in LIMITS for item in part)
            seen += part
        return seen + [
            Observation(call, JobOutcome.TIMEOUT, error="not asked: it hangs") for call in calls[len(seen) :]
        ]
