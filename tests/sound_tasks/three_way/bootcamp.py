"""Left, right or equal: each a third of the time."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """A choice of three."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        left = [rng.randint(10, 60) for _ in range(params["count"])]
        right = [rng.randint(10, 60) for _ in range(params["count"] - 1)]
        wanted = rng.choice([-1, 0, 1])
        right.append(sum(left) - sum(right) + wanted * rng.randint(1, 9))
        rng.shuffle(right)
        return {"left": left, "right": right}

    def prompt(self, case: Case) -> str:
        return (
            f"On the left of a scale lie {case.payload['left']}, on the right {case.payload['right']} (a "
            "negative weight is a balloon). Which side is heavier? Answer left, right or equal: "
            "<answer>left</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.choice(answers.last_answer(response), ("left", "right", "equal"))

    def verify(self, case: Case, answer: Answer) -> Score:
        left, right = sum(case.payload["left"]), sum(case.payload["right"])
        side = "left" if left > right else "right" if right > left else "equal"
        return Score.correct() if answer == side else Score.wrong(f"it is {side}")


BOOTCAMP = Task()
