"""Write a number to the base two."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params
from bootcamp_kit.errors import Malformed


class Task(Bootcamp):
    """Write a number to the base two."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"numbers": [rng.randint(10, 99) for _ in range(params["count"])]}

    def prompt(self, case: Case) -> str:
        number, base = case.payload["numbers"][0], 2
        return f"Write {number} to the base {base}; say the base behind an underscore: <answer>101_{base}</answer>"

    def parse(self, response: str) -> Answer:
        digits, _, base = answers.word(answers.last_answer(response)).partition("_")
        if not (set(digits) <= set("01") and base.isdecimal()):
            raise Malformed("not digits and a base")
        return digits

    def verify(self, case: Case, answer: Answer) -> Score:
        number = case.payload["numbers"][0]
        return Score.correct() if answer == f"{number:b}" else Score.wrong("another number")


BOOTCAMP = Task()
