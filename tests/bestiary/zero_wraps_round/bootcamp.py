"""Position of the largest number."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Where the largest number stands."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"numbers": rng.sample(range(1000), params["count"])}

    def prompt(self, case: Case) -> str:
        numbers = " ".join(map(str, case.payload["numbers"]))
        return f"At which position, counted from 1, stands the largest of {numbers}? <answer>2</answer>"

    def parse(self, response: str) -> Answer:
        return answers.integer(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        numbers = case.payload["numbers"]
        if answer > len(numbers) or answer <= -len(numbers):
            return Score.wrong("no such position")
        return Score.correct() if numbers[answer - 1] == max(numbers) else Score.wrong("a smaller number")


BOOTCAMP = Task()
