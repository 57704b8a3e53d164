"""The mean."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params
from bootcamp_kit.errors import Malformed


class Task(Bootcamp):
    """The mean."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"numbers": [rng.randint(1, 999) for _ in range(params["count"])]}

    def prompt(self, case: Case) -> str:
        numbers = " ".join(map(str, case.payload["numbers"]))
        return f"What is the mean of {numbers}, to within 0.01? End with the number: <answer>1.75</answer>"

    def parse(self, response: str) -> Answer:
        text = answers.last_answer(response)
        try:
            float(text)
        except ValueError:
            raise Malformed("not a number") from None
        return text

    def verify(self, case: Case, answer: Answer) -> Score:
        numbers = case.payload["numbers"]
        if abs(float(answer) - sum(numbers) / len(numbers)) > 0.01:
            return Score.wrong("off by more than 0.01")
        return Score.correct()


BOOTCAMP = Task()
