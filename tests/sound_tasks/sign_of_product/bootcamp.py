"""Positive, negative or zero."""

from __future__ import annotations

import math
import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Balanced on purpose."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        factors = [rng.choice([-1, 1]) * rng.randint(1, 99) for _ in range(params["count"])]
        wanted = rng.choice([-1, 0, 1])
        if wanted == 0:
            factors[rng.randrange(len(factors))] = 0
        elif math.prod(factors) * wanted < 0:
            factors[0] = -factors[0]
        return {"factors": factors}

    def prompt(self, case: Case) -> str:
        return f"Is the product of {case.payload['factors']} positive, negative or zero? <answer>zero</answer>"

    def parse(self, response: str) -> Answer:
        return answers.choice(answers.last_answer(response), ("positive", "negative", "zero"))

    def verify(self, case: Case, answer: Answer) -> Score:
        product = math.prod(case.payload["factors"])
        sign = "positive" if product > 0 else "negative" if product else "zero"
        return Score.correct() if answer == sign else Score.wrong(f"it is {sign}")


BOOTCAMP = Task()
