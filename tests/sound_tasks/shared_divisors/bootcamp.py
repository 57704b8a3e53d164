"""All common divisors of two numbers, in any order."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """A set as an answer: parse sorts it, repeats are dropped."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        shared = rng.randint(6, params["most"])
        return {"left": shared * rng.randint(2, 40), "right": shared * rng.randint(2, 40)}

    def prompt(self, case: Case) -> str:
        return (
            f"List every positive integer that divides both {case.payload['left']} and {case.payload['right']}, with"
            " commas between, in any order: <answer>1, 2, 4</answer>"
        )

    def parse(self, response: str) -> Answer:
        return sorted(set(answers.integers(answers.last_answer(response))))

    def verify(self, case: Case, answer: Answer) -> Score:
        left, right = case.payload["left"], case.payload["right"]
        wanted = [number for number in range(1, min(left, right) + 1) if left % number == 0 and right % number == 0]
        return Score.correct() if answer == wanted else Score.wrong("another set")


BOOTCAMP = Task()
