"""Say of each number whether it is even."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params
from bootcamp_kit.errors import Malformed


class Task(Bootcamp):
    """Say of each number whether it is even."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"numbers": [rng.randint(1, 999) * rng.randint(1, 999) for _ in range(params["count"])]}

    def prompt(self, case: Case) -> str:
        numbers = " ".join(map(str, case.payload["numbers"]))
        return (
            f"Write E for each even and O for each odd number, in the same order, without blanks: {numbers}\n"
            "Like this: <answer>EEO</answer>. All must be right; with one wrong letter there is a little credit."
        )

    def parse(self, response: str) -> Answer:
        text = answers.word(answers.last_answer(response))
        if set(text) - {"E", "O"}:
            raise Malformed("a letter other than E and O")
        return text

    def verify(self, case: Case, answer: Answer) -> Score:
        wanted = "".join("EO"[number % 2] for number in case.payload["numbers"])
        if len(answer) != len(wanted):
            return Score.wrong("another length")
        wrong = sum(one != two for one, two in zip(answer, wanted, strict=True))
        if wrong > 1:
            return Score.wrong("several are wrong")
        return Score.partial(0.2, "one is wrong") if wrong else Score.correct()


BOOTCAMP = Task()
