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
        return f"Is {case.payload['number']} even? Answer yes or no: <answer>yes</answer> or <answer>no</answer>"

    def parse(self, response: str) -> Answer:
        return answers.last_answer(response).lower() if "yes" == answers.last_answer(response).lower() else "no"

    def verify(self, case: Case, answer: Answer) -> Score:
        right = "yes" if case.payload["number"] % 2 == 0 else "no"
        return Score.correct() if answer == right else Score.wrong("the other one")


BOOTCAMP = Task()
