"""The digit sum of a number of many digits."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """A long input and a short answer."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"number": "".join(rng.choice("0123456789") for _ in range(params["digits"]))}

    def prompt(self, case: Case) -> str:
        return f"What is the sum of the digits of {case.payload['number']}? <answer>31</answer>"

    def parse(self, response: str) -> Answer:
        return answers.integer(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        return Score.correct() if answer == sum(map(int, case.payload["number"])) else Score.wrong("another sum")


BOOTCAMP = Task()
