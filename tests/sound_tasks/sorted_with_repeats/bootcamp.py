"""Numbers in order; repeats stay."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Sorting that keeps repeats."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        numbers = [rng.randint(-20, 40) for _ in range(params["count"] - 1)]
        numbers.append(numbers[0])
        rng.shuffle(numbers)
        return {"numbers": numbers}

    def prompt(self, case: Case) -> str:
        return (
            "Write these numbers from the smallest to the largest, each as often as it stands here: "
            f"{case.payload['numbers']}\nEnd with the list: <answer>1 2 2</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.integers(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        return Score.correct() if answer == sorted(case.payload["numbers"]) else Score.wrong("another list")


BOOTCAMP = Task()
