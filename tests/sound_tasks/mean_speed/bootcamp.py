"""A speed with a tolerance around large numbers."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Total way by total time."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"legs": [[rng.randint(900, 90_000), rng.randint(2, 40)] for _ in range(params["legs"])]}

    def prompt(self, case: Case) -> str:
        return (
            f"A probe flies these legs, each with metres and seconds: {case.payload['legs']}. What is its "
            "mean speed over the whole way in metres per second? Up to 0.5 either way counts as right: "
            "<answer>870.2</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.decimal(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        legs = case.payload["legs"]
        speed = sum(leg[0] for leg in legs) / sum(leg[1] for leg in legs)
        return Score.correct() if answers.close(answer, speed, absolute=0.5) else Score.wrong("off by more than 0.5")


BOOTCAMP = Task()
