"""The mean."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """The mean."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"numbers": [rng.randint(1, 999) for _ in range(params["count"])]}

    def prompt(self, case: Case) -> str:
        numbers = " ".join(map(str, case.payload["numbers"]))
        return f"What is the mean of {numbers}, to within 0.01? End with the number: <answer>1.75</answer>"

    def parse(self, response: str) -> Answer:
        return answers.decimal(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        mean = sum(case.payload["numbers"]) / len(case.payload["numbers"])
        return Score.correct() if abs(answer - mean) <= 0.01 * mean else Score.wrong("too far off")


BOOTCAMP = Task()
