"""Yes or no."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Yes or no."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"number": rng.randint(2, params["most"])}

    def prompt(self, case: Case) -> str:
        return f"Is {case.payload['number']} a multiple of 37? Answer yes or no: <answer>yes</answer> or <answer>no</answer>"

    def parse(self, response: str) -> Answer:
        return answers.choice(answers.last_answer(response), ("yes", "no"))

    def verify(self, case: Case, answer: Answer) -> Score:
        right = "yes" if case.payload["number"] % 37 == 0 else "no"
        return Score.correct() if answer == right else Score.wrong("the other one")


BOOTCAMP = Task()
