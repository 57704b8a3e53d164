"""A fraction in lowest terms."""

from __future__ import annotations

import math
import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """A sum of two fractions, reduced."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"pairs": [[rng.randint(1, params["most"]), rng.randint(2, params["most"])] for _ in range(2)]}

    def prompt(self, case: Case) -> str:
        return (
            f"Add {case.payload['pairs'][0][0]}/{case.payload['pairs'][0][1]} and "
            f"{case.payload['pairs'][1][0]}/{case.payload['pairs'][1][1]}. Write the sum as "
            "numerator/denominator in lowest terms, also where the denominator is 1: <answer>3/4</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.word(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        (a, b), (c, d) = case.payload["pairs"]
        top, bottom = a * d + c * b, b * d
        shared = math.gcd(top, bottom)
        return Score.correct() if answer == f"{top // shared}/{bottom // shared}" else Score.wrong("another fraction")


BOOTCAMP = Task()
