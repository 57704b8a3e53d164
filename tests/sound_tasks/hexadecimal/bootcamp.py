"""A number in base sixteen, without a prefix."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Base sixteen, either case."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"number": rng.randint(10 ** (params["digits"] - 1), 10 ** params["digits"])}

    def prompt(self, case: Case) -> str:
        return (
            f"Write {case.payload['number']} in base sixteen, with the digits 0 to 9 and a to f (capital "
            "or small), without a prefix and without zeros in front: <answer>3f2</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.word(answers.last_answer(response)).lower()

    def verify(self, case: Case, answer: Answer) -> Score:
        return Score.correct() if answer == format(case.payload["number"], "x") else Score.wrong("another number")


BOOTCAMP = Task()
