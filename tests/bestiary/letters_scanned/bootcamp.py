"""Find the largest."""

from __future__ import annotations

import random
import re

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params
from bootcamp_kit.errors import Malformed


class Task(Bootcamp):
    """Find the largest."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"numbers": [rng.randint(10, 99) for _ in range(params["count"])]}

    def prompt(self, case: Case) -> str:
        options = ", ".join(f"{letter}) {n}" for letter, n in zip("ABCDEFGHIJ", case.payload["numbers"], strict=False))
        return f"Which is the first largest number? {options}\nEnd with its letter: <answer>B</answer>"

    def parse(self, response: str) -> Answer:
        found = re.findall("[A-J]", answers.last_answer(response))
        if not found:
            raise Malformed("no letter")
        return found[0]

    def verify(self, case: Case, answer: Answer) -> Score:
        numbers = case.payload["numbers"]
        return Score.correct() if answer == "ABCDEFGHIJ"[numbers.index(max(numbers))] else Score.wrong("another letter")


BOOTCAMP = Task()
