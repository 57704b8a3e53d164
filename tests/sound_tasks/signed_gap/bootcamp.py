"""Left minus right; the answer may be negative or zero."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """A difference of sums."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {
            "left": [rng.randint(10, 900) for _ in range(params["count"])],
            "right": [rng.randint(10, 900) for _ in range(params["count"])],
        }

    def prompt(self, case: Case) -> str:
        return (
            f"Left numbers: {case.payload['left']}\nRight numbers: {case.payload['right']}\nWhat is the "
            "sum of the left numbers minus the sum of the right ones? It may be negative: "
            "<answer>-3</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.integer(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        right = sum(case.payload["left"]) - sum(case.payload["right"])
        return Score.correct() if answer == right else Score.wrong("another difference")


BOOTCAMP = Task()
