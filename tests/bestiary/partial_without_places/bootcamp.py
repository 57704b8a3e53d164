"""Halve numbers."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Halve numbers."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"numbers": [rng.randint(1, 99) for _ in range(params["count"])]}

    def prompt(self, case: Case) -> str:
        numbers = " ".join(map(str, case.payload["numbers"]))
        return (
            f"Halve each of these numbers, rounding down: {numbers}\nWrite the halves in the same order, with blanks"
            " between: <answer>1 2 3</answer>. Each half that is right earns its share."
        )

    def parse(self, response: str) -> Answer:
        return answers.integers(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        halves = [number // 2 for number in case.payload["numbers"]]
        if answer == halves:
            return Score.correct()
        hits = sum(half in answer for half in halves)
        return Score.partial(0.99 * hits / len(halves), "some are right") if hits else Score.wrong("none")


BOOTCAMP = Task()
