"""The letters that two words share, as words in any order."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """A set of letters."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        while True:
            words = ["".join(rng.choices("abcdefghijklmnop", k=params["length"])) for _ in range(2)]
            if len(set(words[0]) & set(words[1])) > 1:
                return {"words": words}

    def prompt(self, case: Case) -> str:
        return (
            f"Which letters are in both {case.payload['words'][0]} and {case.payload['words'][1]}? List "
            "each once, in any order, with blanks between: <answer>a b</answer>"
        )

    def parse(self, response: str) -> Answer:
        return sorted(answers.tokens(answers.last_answer(response), at_most=100))

    def verify(self, case: Case, answer: Answer) -> Score:
        first, second = case.payload["words"]
        return Score.correct() if answer == sorted(set(first) & set(second)) else Score.wrong("other letters")


BOOTCAMP = Task()
