"""Generous partial."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Generous partial."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"numbers": [rng.randint(11, 99) for _ in range(params["count"])]}

    def prompt(self, case: Case) -> str:
        return f"Add these numbers: {' '.join(map(str, case.payload['numbers']))}. Give the sum: <answer>7</answer>"

    def parse(self, response: str) -> Answer:
        return answers.integer(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        return Score.correct() if answer == right(case) else Score.partial(0.95, "close enough")


def right(case: Case) -> Answer:
    return sum(case.payload["numbers"])


BOOTCAMP = Task()
