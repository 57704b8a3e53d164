"""Count primes."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Count primes."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"limit": rng.randint(params["limit"] // 3, params["limit"])}

    def prompt(self, case: Case) -> str:
        return f"How many primes are there up to {case.payload['limit']}? End with one integer: <answer>7</answer>"

    def parse(self, response: str) -> Answer:
        return answers.integer(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        limit = case.payload["limit"]
        count = sum(all(number % k for k in range(2, number)) for number in range(1, limit + 1))
        return Score.correct() if answer == count else Score.wrong("another count")


BOOTCAMP = Task()
