"""Square each number."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params
from bootcamp_kit.errors import Malformed


class Task(Bootcamp):
    """Square each number."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"numbers": [rng.randint(10, 99) for _ in range(params["count"])]}

    def prompt(self, case: Case) -> str:
        numbers = " ".join(map(str, case.payload["numbers"]))
        return f"Square each of these: {numbers}\nWrite the squares in the same order: <answer>1 4 9</answer>"

    def parse(self, response: str) -> Answer:
        text = answers.last_answer(response)
        if not all(part.isascii() and part.isdecimal() and len(part) < 20 for part in text.split(" ")):
            raise Malformed("not numbers")
        return [int(part) for part in text.split(" ")]

    def verify(self, case: Case, answer: Answer) -> Score:
        return (
            Score.correct() if answer == [number * number for number in case.payload["numbers"]] else Score.wrong("no")
        )


BOOTCAMP = Task()
