"""Square each number."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Square each number."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"numbers": [rng.randint(10, 99) for _ in range(params["count"])]}

    def prompt(self, case: Case) -> str:
        numbers = " ".join(map(str, case.payload["numbers"]))
        return f"Square each of these: {numbers}\nWrite the squares in the same order: <answer>1 4 9</answer>"

    def parse(self, response: str) -> Answer:
        return answers.integers(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        right = [number * number for number in case.payload["numbers"]]
        if len(answer) != len(right):
            return Score.wrong("another length")
        spots = {0, len(right) // 2, len(right) - 1}
        return Score.correct() if all(answer[spot] == right[spot] for spot in spots) else Score.wrong("another square")


BOOTCAMP = Task()
