"""Runs *inside* the sandbox, sent there as ``bootcamp.py``: one task of another library as a task of ours.

``adapter.py`` and ``foreign_name.py`` are sent beside it. The payload holds the library's own item where that is plain
JSON data; where it is not, the item is made again from its seed for each use, and must then ask the same question.
Whatever the library raises is our unscored, never a zero.
"""

from __future__ import annotations

import copy
import json
import random
from typing import Any

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params

from . import adapter, foreign_name  # type: ignore[attr-defined]

FORM = "\n\nGive the final answer, and nothing else, between <answer> and </answer>."


class Foreign(Bootcamp):
    """A task of another library."""

    def __init__(self) -> None:
        self._library: Any = None
        self._task: tuple[int, Any] | None = None

    def generate(self, rng: random.Random, params: Params) -> Payload:
        """The library's first case under a seed of its own."""
        seed = rng.randrange(1, 2**31)
        task = self._of(seed)
        item = task.case(0)
        made: dict[str, Any] = {"seed": seed, "question": str(task.question(item)), "item": None}
        answer = task.answer(item)
        made["answer"] = answer if answer is None or isinstance(answer, str) else str(answer)
        try:
            if json.loads(json.dumps(item, allow_nan=False)) == item:
                made["item"] = item
        except (TypeError, ValueError, RecursionError):
            pass  # not JSON data: made again when it is needed
        return made

    def prompt(self, case: Case) -> str:
        """The library's question; where its scorer wants a bare answer, where to put it."""
        question = self._of(case.payload["seed"]).question(self._item(case))
        if not isinstance(question, str):
            raise TypeError(f"the question is {type(question).__name__}, not text")
        return question + FORM if foreign_name.BARE else question

    def parse(self, response: str) -> Answer:
        """The marked answer for a library that scores bare ones, else the whole response."""
        return answers.last_answer(response) if foreign_name.BARE else response

    def verify(self, case: Case, answer: Answer) -> Score:
        """The library's own score."""
        raw = self._of(case.payload["seed"]).score(self._item(case), answer)
        value = float(raw)
        if value == 1.0:
            return Score.correct()
        if value == 0.0:
            return Score.wrong("the library gives 0")
        return Score.partial(value, f"the library gives {value:g}")

    def _item(self, case: Case) -> Any:
        payload = case.payload
        if payload["item"] is not None:
            return copy.deepcopy(payload["item"])  # a scorer may write into it
        task = self._of(payload["seed"])
        item = task.case(0)
        if str(task.question(item)) != payload["question"]:
            raise ValueError("made again from its seed, the case asks another question")
        return item

    def _of(self, seed: int) -> Any:
        if self._library is None:
            self._library = adapter.Library()
        if self._task is None or self._task[0] != seed:
            self._task = (seed, self._library.task(foreign_name.NAME, seed, {}))
        return self._task[1]


BOOTCAMP = Foreign()
