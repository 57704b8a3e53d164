"""Multiply two decimal numbers."""

from __future__ import annotations

import random
from fractions import Fraction

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Multiply two decimal numbers."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"factors": [rng.randint(-params["largest"], params["largest"]), rng.randint(11, params["largest"])]}

    def prompt(self, case: Case) -> str:
        first, second = (f"{factor / 10:.1f}" for factor in case.payload["factors"])
        return f"Multiply {first} by {second}. Give the exact value as a decimal number: <answer>3.14</answer>"

    def parse(self, response: str) -> Answer:
        text = answers.last_answer(response).strip().removeprefix("+")
        answers.decimal(text)
        return text

    def verify(self, case: Case, answer: Answer) -> Score:
        first, second = case.payload["factors"]
        right = Fraction(answers.decimal(answer)).limit_denominator(10**6) * 100 == first * second
        return Score.correct() if right else Score.wrong("another product")


BOOTCAMP = Task()
