"""A grid with given counts in its rows; many grids are right."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Many right grids."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        size = params["size"]
        return {"size": size, "counts": [rng.randint(1, size - 1) for _ in range(size)]}

    def prompt(self, case: Case) -> str:
        return (
            f"Draw {case.payload['size']} rows of {case.payload['size']} cells, # or . each, so that the "
            f"rows hold {case.payload['counts']} cells with #, from the top to the bottom. Any such grid "
            "counts:\n<answer>\n#.\n##\n</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.grid(answers.last_answer(response, marks=False), symbols="#.")

    def verify(self, case: Case, answer: Answer) -> Score:
        size, counts = case.payload["size"], case.payload["counts"]
        if len(answer) != size or any(len(row) != size for row in answer):
            return Score.wrong("another size")
        return Score.correct() if [row.count("#") for row in answer] == counts else Score.wrong("other counts")


BOOTCAMP = Task()
