"""Thousands rejected."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params
from bootcamp_kit.errors import Malformed


def strict(text: str) -> int:
    if not (text.removeprefix("-").isdecimal() and text.isascii() and len(text) < 400):
        raise Malformed("not a number")
    return int(text)


class Task(Bootcamp):
    """Thousands rejected."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"numbers": [rng.randint(1100, 9900) for _ in range(params["count"])]}

    def prompt(self, case: Case) -> str:
        return f"Add these numbers: {' '.join(map(str, case.payload['numbers']))}. Give the sum: <answer>7</answer>"

    def parse(self, response: str) -> Answer:
        return strict(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        return Score.correct() if answer == right(case) else Score.wrong("not right")


def right(case: Case) -> Answer:
    return sum(case.payload["numbers"])


BOOTCAMP = Task()
