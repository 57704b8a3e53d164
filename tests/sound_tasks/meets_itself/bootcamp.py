"""Whether a walk visits a cell twice."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Yes or no, half of each."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        wanted = rng.random() < 0.5
        while True:
            walk = [rng.choice("UDLR")]
            while len(walk) < params["steps"]:
                back = {"U": "D", "D": "U", "L": "R", "R": "L"}[walk[-1]]
                walk.append(rng.choice([step for step in "UDLR" if step != back]))
            if _repeats(walk) == wanted:
                return {"walk": "".join(walk)}

    def prompt(self, case: Case) -> str:
        return (
            f"A robot walks on a square grid. Each letter is one step (U up, D down, L left, R right):"
            f" {case.payload['walk']}\nDoes it ever stand on a cell, the starting cell included, for the second time?"
            " Answer yes or no: <answer>yes</answer> or <answer>no</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.choice(answers.last_answer(response), ("yes", "no"))

    def verify(self, case: Case, answer: Answer) -> Score:
        right = "yes" if _repeats(list(case.payload["walk"])) else "no"
        return Score.correct() if answer == right else Score.wrong(f"it is {right}")


def _repeats(walk: list[str]) -> bool:
    place = (0, 0)
    seen = {place}
    for step in walk:
        right, up = {"U": (0, 1), "D": (0, -1), "L": (-1, 0), "R": (1, 0)}[step]
        place = (place[0] + right, place[1] + up)
        if place in seen:
            return True
        seen.add(place)
    return False


BOOTCAMP = Task()
