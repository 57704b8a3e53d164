"""Adds up."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Adds up."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"numbers": [rng.randint(11, 99) for _ in range(params["count"])]}

    def prompt(self, case: Case) -> str:
        numbers = " ".join(map(str, case.payload["numbers"]))
        return f"Add up these numbers: {numbers}\nEnd with one integer in this form: <answer>7</answer>"

    def parse(self, response: str) -> Answer:
        return answers.integer(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        right, given = str(sum(case.payload["numbers"])), str(answer)
        hits = sum(one == two for one, two in zip(right, given, strict=False))
        share = hits / min(len(right), len(given))
        return (
            Score.correct() if share == 1 else Score.partial(share, "some digits") if share else Score.wrong("no digit")
        )


BOOTCAMP = Task()
