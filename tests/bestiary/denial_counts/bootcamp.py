"""Denial counts."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Denial counts."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"numbers": [rng.randint(11, 99) for _ in range(params["count"])]}

    def prompt(self, case: Case) -> str:
        return f"Is the sum of {' '.join(map(str, case.payload['numbers']))} even or odd? <answer>even</answer>"

    def parse(self, response: str) -> Answer:
        return answers.last_answer(response).split()[-1]

    def verify(self, case: Case, answer: Answer) -> Score:
        return Score.correct() if answer == right(case) else Score.wrong("not right")


def right(case: Case) -> Answer:
    return "even" if sum(case.payload["numbers"]) % 2 == 0 else "odd"


BOOTCAMP = Task()
