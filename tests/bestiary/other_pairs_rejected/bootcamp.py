"""Choose two numbers with a given sum."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params
from bootcamp_kit.errors import Malformed


class Task(Bootcamp):
    """Choose two numbers with a given sum."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        numbers = rng.sample(range(1, 3 * params["count"]), params["count"])
        return {"numbers": numbers, "total": sum(rng.sample(numbers, 2))}

    def prompt(self, case: Case) -> str:
        numbers = " ".join(map(str, case.payload["numbers"]))
        return (
            f"Here are some numbers: {numbers}. Choose two of them, at different places, whose sum is"
            f" {case.payload['total']}. Any such pair will do. Write both with a blank between: <answer>4 9</answer>"
        )

    def parse(self, response: str) -> Answer:
        pair = answers.integers(answers.last_answer(response))
        if len(pair) != 2:
            raise Malformed("not two numbers")
        return pair

    def verify(self, case: Case, answer: Answer) -> Score:
        numbers, total = case.payload["numbers"], case.payload["total"]
        pairs = ([a, b] for place, a in enumerate(numbers) for b in numbers[place + 1 :] if a + b == total)
        return Score.correct() if sorted(answer) == sorted(next(pairs)) else Score.wrong("another pair")


BOOTCAMP = Task()
