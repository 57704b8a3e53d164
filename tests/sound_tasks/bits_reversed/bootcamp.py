"""Bits in the opposite order; zeros in front count."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Leading zeros matter."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        while True:
            bits = "".join(rng.choice("01") for _ in range(params["bits"]))
            if bits != bits[::-1]:
                return {"bits": bits}

    def prompt(self, case: Case) -> str:
        return (
            "Write these bits in the opposite order, zeros in front included: "
            f"{case.payload['bits']}\n<answer>0011</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.word(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        return Score.correct() if answer == case.payload["bits"][::-1] else Score.wrong("other bits")


BOOTCAMP = Task()
