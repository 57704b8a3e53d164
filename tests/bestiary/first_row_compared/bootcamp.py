"""First row compared."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """First row compared."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"rows": ["".join(rng.choice("xo.") for _ in range(params["count"])) for _ in range(4)]}

    def prompt(self, case: Case) -> str:
        return "Write every row backwards:\n" + "\n".join(case.payload["rows"]) + "\n<answer>\nox.\n</answer>"

    def parse(self, response: str) -> Answer:
        return answers.last_answer(response).split()

    def verify(self, case: Case, answer: Answer) -> Score:
        return Score.correct() if answer[:1] == right(case)[:1] and len(answer) == 4 else Score.wrong("not right")


def right(case: Case) -> Answer:
    return [row[::-1] for row in case.payload["rows"]]


BOOTCAMP = Task()
