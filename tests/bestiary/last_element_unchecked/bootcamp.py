"""Last element unchecked."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Last element unchecked."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"numbers": rng.sample(range(11, 99), params["count"])}

    def prompt(self, case: Case) -> str:
        return (
            f"Sort these numbers, smallest first: {' '.join(map(str, case.payload['numbers']))}. <answer>1 2 3</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.integers(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        return (
            Score.correct()
            if len(answer) == len(right(case)) and answer[:-1] == right(case)[:-1]
            else Score.wrong("not right")
        )


def right(case: Case) -> Answer:
    return sorted(case.payload["numbers"])


BOOTCAMP = Task()
