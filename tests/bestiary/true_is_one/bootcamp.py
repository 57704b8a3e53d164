"""Odd or even as ones and zeros."""

from __future__ import annotations

import json
import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params
from bootcamp_kit.errors import Malformed


class Task(Bootcamp):
    """Parity as a JSON list."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"numbers": [rng.randint(1, 99) for _ in range(params["count"])]}

    def prompt(self, case: Case) -> str:
        numbers = " ".join(map(str, case.payload["numbers"]))
        return f"For each of {numbers} write 1 if it is odd and 0 if it is even: <answer>[1, 0, 1]</answer>"

    def parse(self, response: str) -> Answer:
        try:
            found = json.loads(answers.last_answer(response))
        except (ValueError, RecursionError):
            raise Malformed("not JSON") from None
        if not isinstance(found, list):
            raise Malformed("not a list")
        return found

    def verify(self, case: Case, answer: Answer) -> Score:
        right = answer == [number % 2 for number in case.payload["numbers"]]
        return Score.correct() if right else Score.wrong("another list")


BOOTCAMP = Task()
