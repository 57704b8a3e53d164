"""Mark the land cells that touch water on a map."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """A grid as an answer, big at high levels."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        size = params["size"]
        return {"rows": ["".join(rng.choice("LLL~") for _ in range(size)) for _ in range(size)]}

    def prompt(self, case: Case) -> str:
        rows = "\n".join(case.payload["rows"])
        return (
            f"A map of land (L) and water (~):\n{rows}\n"
            "Change every L that has a ~ directly above, below, left or right of it on this map into B. Leave all else."
            " End with the new map, row by row:\n<answer>\nL~\nBL\n</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.grid(answers.last_answer(response), symbols="L~B")

    def verify(self, case: Case, answer: Answer) -> Score:
        rows = case.payload["rows"]
        right = ["".join(_cell(rows, row, column) for column in range(len(rows[row]))) for row in range(len(rows))]
        return Score.correct() if answer == right else Score.wrong("another map")


def _cell(rows: list[str], row: int, column: int) -> str:
    near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    wet = any(0 <= y < len(rows) and 0 <= x < len(rows[y]) and rows[y][x] == "~" for y, x in near)
    return "B" if rows[row][column] == "L" and wet else rows[row][column]


BOOTCAMP = Task()
