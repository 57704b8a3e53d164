"""A product of hundreds of digits."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Big integers; the stored product is never shown."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        factors = [rng.randint(11, 99_999) for _ in range(params["factors"])]
        product = 1
        for factor in factors:
            product *= factor
        return {"factors": factors, "product": str(product)}

    def prompt(self, case: Case) -> str:
        factors = " · ".join(map(str, case.payload["factors"]))
        return f"Work out this product exactly:\n{factors}\nEnd with the number: <answer>391</answer>"

    def parse(self, response: str) -> Answer:
        return str(answers.integer(answers.last_answer(response)))

    def verify(self, case: Case, answer: Answer) -> Score:
        return Score.correct() if answer == case.payload["product"] else Score.wrong("another product")


BOOTCAMP = Task()
