"""Shift every letter of a word; each right place earns its share."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Caesar shift with partial credit."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        letters = "abcdefghijklmnopqrstuvwxyz"
        return {"word": "".join(rng.choice(letters) for _ in range(params["length"])), "places": rng.randint(2, 24)}

    def prompt(self, case: Case) -> str:
        return (
            f"Replace each letter of {case.payload['word']} by the letter {case.payload['places']} places later in the"
            " alphabet; after z comes a again. End with the new word: <answer>bcd</answer>. A word of the right length"
            " earns the share of its letters that are right."
        )

    def parse(self, response: str) -> Answer:
        return answers.word(answers.last_answer(response)).lower()

    def verify(self, case: Case, answer: Answer) -> Score:
        wanted = "".join(chr((ord(char) - 97 + case.payload["places"]) % 26 + 97) for char in case.payload["word"])
        if len(answer) != len(wanted):
            return Score.wrong("another length")
        hits = sum(left == right for left, right in zip(answer, wanted, strict=True))
        if hits == len(wanted):
            return Score.correct()
        return Score.partial(hits / len(wanted), "some letters are wrong") if hits else Score.wrong("no letter fits")


BOOTCAMP = Task()
