"""Tiny values equal."""

from __future__ import annotations

import random
import math

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Tiny values equal."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"parts": [rng.randint(2, 99) for _ in range(params["count"])]}

    def prompt(self, case: Case) -> str:
        return f"One divided by the product of {' '.join(map(str, case.payload['parts']))}, as a decimal: <answer>0.5</answer>"

    def parse(self, response: str) -> Answer:
        return answers.decimal(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        return Score.correct() if abs(answer - right(case)) < 0.01 else Score.wrong("not right")


def right(case: Case) -> Answer:
    return 1 / math.prod(case.payload["parts"])


BOOTCAMP = Task()
