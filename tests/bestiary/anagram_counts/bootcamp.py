"""Anagram counts."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Anagram counts."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"words": ["".join(rng.choice("abcdefghijklm") for _ in range(3)) for _ in range(params["count"])]}

    def prompt(self, case: Case) -> str:
        return f"Join the first letters of: {' '.join(case.payload['words'])}. <answer>word</answer>"

    def parse(self, response: str) -> Answer:
        return answers.word(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        return Score.correct() if sorted(answer) == sorted(right(case)) else Score.wrong("not right")


def right(case: Case) -> Answer:
    return "".join(word[0] for word in case.payload["words"])


BOOTCAMP = Task()
