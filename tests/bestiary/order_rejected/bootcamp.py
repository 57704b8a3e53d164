"""Order rejected."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Order rejected."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"numbers": rng.sample(range(11, 99), params["count"])}

    def prompt(self, case: Case) -> str:
        return f"Name the even ones of these and 0, in any order: {' '.join(map(str, case.payload['numbers']))}. <answer>1 2 3</answer>"

    def parse(self, response: str) -> Answer:
        return answers.integers(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        return Score.correct() if answer == right(case) else Score.wrong("not right")


def right(case: Case) -> Answer:
    return [0] + [number for number in case.payload["numbers"] if number % 2 == 0]


BOOTCAMP = Task()
