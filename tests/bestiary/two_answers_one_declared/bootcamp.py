"""Find a square root in a finite field."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Find a square root in a finite field."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        numbers = range(101, params["largest"])
        prime = rng.choice([number for number in numbers if all(number % k for k in range(2, 32))])
        return {"prime": prime, "square": rng.randrange(1, prime) ** 2 % prime}

    def prompt(self, case: Case) -> str:
        prime, square = case.payload["prime"], case.payload["square"]
        return (
            f"Find the x from 0 to {prime - 1} whose square leaves the remainder {square} when it is divided"
            f" by {prime}. End with x in this form: <answer>7</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.integer(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        prime = case.payload["prime"]
        if not 0 <= answer < prime:
            return Score.wrong("out of range")
        return Score.correct() if answer * answer % prime == case.payload["square"] else Score.wrong("another square")


BOOTCAMP = Task()
