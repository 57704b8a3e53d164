"""The words of a sentence in the opposite order; blanks matter little."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """A sentence as an answer."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        words = ["stone", "river", "lamp", "under", "seven", "green", "walks", "early", "the", "no", "bread", "often"]
        while True:
            chosen = [rng.choice(words) for _ in range(params["words"])]
            if chosen != chosen[::-1]:
                return {"sentence": " ".join(chosen)}

    def prompt(self, case: Case) -> str:
        return (
            f"Write the words of this sentence in the opposite order, one blank between words:\n"
            f"{case.payload['sentence']}\nEnd with the new sentence: <answer>came she home</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.tokens(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        right = list(reversed(case.payload["sentence"].split()))
        return Score.correct() if answer == right else Score.wrong("another order")


BOOTCAMP = Task()
