"""Adds up."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params
from bootcamp_kit.errors import Malformed


class Task(Bootcamp):
    """Adds up."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"numbers": [rng.randint(11, 99) for _ in range(params["count"])]}

    def prompt(self, case: Case) -> str:
        numbers = " ".join(map(str, case.payload["numbers"]))
        return f"Add up these numbers: {numbers}\nEnd with one integer in this form: <answer>7</answer>"

    def parse(self, response: str) -> Answer:
        parts = response.split("<answer>")
        if len(parts) != 2:
            raise Malformed("not exactly one answer")
        return answers.integer(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        return Score.correct() if answer == sum(case.payload["numbers"]) else Score.wrong("another sum")


BOOTCAMP = Task()
