"""Add up the points of all throws."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Sum of integers."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"points": [rng.randint(-params["most"], params["most"]) for _ in range(params["throws"])]}

    def prompt(self, case: Case) -> str:
        points = " ".join(map(str, case.payload["points"]))
        return (
            f"The throws of a player earned these points, in order:\n{points}\n"
            "Negative numbers are lost points. How many points are there in all?\n"
            "End with one integer in this form: <answer>7</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.integer(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        return Score.correct() if answer == sum(case.payload["points"]) else Score.wrong("another total")


BOOTCAMP = Task()
