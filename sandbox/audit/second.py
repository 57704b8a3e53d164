"""Asks a task's second oracle, in a box of its own where neither the oracle nor the verifier is."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import resources

from bootcamp_kit.case import Case
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import Json
from sandbox.calls import Call, Observation, Op, case_to_json
from sandbox.checks.observed import LIMITS, answer_of
from sandbox.collect import Asker
from sandbox.limits import JobLimits
from sandbox.runner import MAX_CPU_S
from sandbox.service import Sandbox

FILE = "second_oracle.py"
_REPLACED = ("bootcamp.py", "oracle.py", "reference.py")
Key = tuple[int, int]
Question = tuple[Case, str]


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the second oracle says to one response; None for no opinion."""

    right: bool | None
    cost: float | None


@dataclass(frozen=True, slots=True)
class SecondSays:
    """What came back.

    Attributes:
        answers: Case → its right answers; a case that is too large for it has none.
        too_large: How many cases it declined, or ran out of time on.
        failed: Calls that crashed or returned something else, with their case.
        opinions: (case, response) → opinion.
    """

    answers: dict[Key, tuple[str, ...]] = field(default_factory=dict)
    too_large: int = 0
    failed: tuple[tuple[Key, Observation], ...] = ()
    opinions: dict[tuple[Key, str], Opinion] = field(default_factory=dict)


def second_files(folder: TaskFolder) -> dict[str, bytes]:
    """The folder for its box: the harness as the task, the second oracle, and the modules it may share."""
    harness = resources.files("sandbox.audit").joinpath("guest_second.py").read_bytes()
    return {**{name: data for name, data in folder.sources.items() if name not in _REPLACED}, "bootcamp.py": harness}


class SecondOracleBox:
    """An entered box around a second oracle."""

    def __init__(self, sandbox: Sandbox, folder: TaskFolder, *, budget_s: float) -> None:
        card = folder.card
        limits = JobLimits(card.limits.seconds_per_call, MAX_CPU_S, address_mb=card.limits.memory_mb)
        self._box = sandbox.box(second_files(folder), limits)
        self._card, self._budget_s = card, budget_s

    def __enter__(self) -> SecondOracleBox:
        self._box.__enter__()
        self._asker = Asker(self._box, self._card, budget_s=self._budget_s)
        return self

    def __exit__(self, *_: object) -> None:
        self._box.close()

    def answers(self, levels: Sequence[Sequence[Case]]) -> SecondSays:
        """Right answers to cases, level by level; the levels above one where it ran out of time are not asked."""
        found: dict[Key, tuple[str, ...]] = {}
        failed: list[tuple[Key, Observation]] = []
        too_large = 0
        for place, cases in enumerate(levels):
            seen = self._asker.ask({(case.level, case.seed): ask_call(case) for case in cases})
            limited = 0
            for key, item in seen.items():
                texts = _answers(item)
                if texts is not None:
                    found[key] = texts
                elif item.outcome in LIMITS:
                    limited += 1
                elif declined(item):
                    too_large += 1
                else:
                    failed.append((key, item))
            too_large += limited + len(cases) - len(seen)
            if limited or self._asker.exhausted:
                too_large += sum(map(len, levels[place + 1 :]))
                break
        return SecondSays(found, too_large, tuple(failed))

    def opinions(self, questions: Sequence[Question]) -> dict[tuple[Key, str], Opinion]:
        """What it says to each response; those without any opinion are left out."""
        calls = {((case.level, case.seed), text): ask_call(case, text) for case, text in questions}
        seen = {key: _opinion(item) for key, item in self._asker.ask(calls).items()}
        return {key: item for key, item in seen.items() if item.right is not None or item.cost is not None}


def ask_call(case: Case, response: str | None = None) -> Call:
    """The call that asks for right answers, or for an opinion on a response."""
    asked: dict[str, Json] = {"case": case_to_json(case)}
    if response is not None:
        asked["response"] = response
    return Call(Op.PARSE, {"response": json.dumps(asked)})


def declined(item: Observation) -> bool:
    """Whether it said that the case is too large."""
    return answer_of(item) == ("answer", None)


def _answers(item: Observation) -> tuple[str, ...] | None:
    found = answer_of(item)
    if found is None or found[0] != "answer" or not isinstance(found[1], list):
        return None
    texts = [text for text in found[1] if isinstance(text, str)]
    return tuple(texts) if len(texts) == len(found[1]) else None


def _opinion(item: Observation) -> Opinion:
    found = answer_of(item)
    said = found[1] if found and isinstance(found[1], dict) else {}
    right, cost = said.get("right"), said.get("cost")
    plain = float(cost) if isinstance(cost, int | float) and not isinstance(cost, bool) else math.nan
    return Opinion(right if isinstance(right, bool) else None, plain if math.isfinite(plain) else None)
