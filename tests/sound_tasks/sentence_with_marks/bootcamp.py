"""A sentence with one word changed; marks and case matter."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Punctuation inside an answer."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        words = rng.choices(
            ["ask,", "bell", "cloud:", "Dawn", "echo;", "(fog)", "gale!", "hour?", "'ink'"], k=params["words"]
        )
        words[rng.randrange(len(words))] = "OLD"
        return {"words": words, "new": rng.choice(["new-ish", "odd", "Red", "x2"])}

    def prompt(self, case: Case) -> str:
        return (
            f"Copy this line and put {case.payload['new']} where it says OLD. Change nothing "
            f"else:\n{' '.join(case.payload['words'])}\n<answer>So, he said: go!</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.tokens(answers.last_answer(response, marks=False))

    def verify(self, case: Case, answer: Answer) -> Score:
        right = [case.payload["new"] if word == "OLD" else word for word in case.payload["words"]]
        return Score.correct() if answer == right else Score.wrong("another sentence")


BOOTCAMP = Task()
