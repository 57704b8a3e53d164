"""The remainder of a power; the modulus is told."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """A power modulo a number."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        top = 10 ** params["digits"]
        return {"base": rng.randint(2, 99), "exponent": rng.randint(50, 999), "modulus": rng.randint(top // 10, top)}

    def prompt(self, case: Case) -> str:
        return (
            f"What is the remainder of {case.payload['base']} to the power of {case.payload['exponent']} "
            f"when divided by {case.payload['modulus']}? <answer>17</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.integer(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        right = pow(case.payload["base"], case.payload["exponent"], case.payload["modulus"])
        return Score.correct() if answer == right else Score.wrong("another remainder")


BOOTCAMP = Task()
