"""A year in Roman numerals; capital or small letters."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Roman numerals, case folded."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"year": params["least"] + rng.randint(0, 600)}

    def prompt(self, case: Case) -> str:
        return (
            f"Write the year {case.payload['year']} in Roman numerals (M 1000, D 500, C 100, L 50, X 10, "
            "V 5, I 1; 4 and 9 of each decade are written by subtraction). Capital or small letters: "
            "<answer>XIV</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.word(answers.last_answer(response)).upper()

    def verify(self, case: Case, answer: Answer) -> Score:
        return Score.correct() if answer == _roman(case.payload["year"]) else Score.wrong("another numeral")


def _roman(year: int) -> str:
    text = ""
    for value, letters in zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        ("M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"),
        strict=True,
    ):
        text += letters * (year // value)
        year %= value
    return text


BOOTCAMP = Task()
