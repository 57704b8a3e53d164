"""A permutation with a given number of inversions; many are right."""

from __future__ import annotations

import itertools
import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Many right answers, one property."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        size = params["size"]
        return {"size": size, "inversions": rng.randint(1, size * (size - 1) // 2 - 1)}

    def prompt(self, case: Case) -> str:
        return (
            f"Write the numbers 1 to {case.payload['size']}, each once, in an order with exactly "
            f"{case.payload['inversions']} inversions (pairs where the larger number stands before the "
            "smaller). Any such order counts: <answer>2 1 3</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.integers(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        size = case.payload["size"]
        if sorted(answer) != list(range(1, size + 1)):
            return Score.wrong("not each number once")
        pairs = sum(one > other for one, other in itertools.combinations(answer, 2))
        return Score.correct() if pairs == case.payload["inversions"] else Score.wrong("another number of inversions")


BOOTCAMP = Task()
