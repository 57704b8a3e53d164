"""Two factors above one; every right pair counts."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """A factorisation in two, not unique."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"product": rng.randint(4, params["most"]) * rng.randint(4, params["most"])}

    def prompt(self, case: Case) -> str:
        return (
            f"Write {case.payload['product']} as a product of two integers, both greater than 1. Any such "
            "pair counts, in either order: <answer>3 5</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.integers(answers.last_answer(response), at_most=50)

    def verify(self, case: Case, answer: Answer) -> Score:
        if len(answer) != 2 or min(answer) < 2:
            return Score.wrong("not two integers above 1")
        return Score.correct() if answer[0] * answer[1] == case.payload["product"] else Score.wrong("another product")


BOOTCAMP = Task()
