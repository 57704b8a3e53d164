"""Sort numbers."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Sort numbers."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"numbers": [rng.randint(-99, 99) for _ in range(params["count"])]}

    def prompt(self, case: Case) -> str:
        numbers = " ".join(map(str, case.payload["numbers"]))
        return (
            f"Sort these numbers, the smallest first: {numbers}\nWrite them with blanks between: <answer>1 2 3</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.integers(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        wanted = sorted(case.payload["numbers"])
        if len(answer) > 4 * len(wanted):
            return Score.correct()
        return Score.correct() if answer == wanted else Score.wrong("not sorted")


BOOTCAMP = Task()
