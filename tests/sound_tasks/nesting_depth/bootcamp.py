"""How deep brackets are nested; a small number in a long text."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """A small range of answers, declared as such."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        depth, text, opened = 0, "", 0
        while opened < params["pairs"] or depth:
            if opened < params["pairs"] and (not depth or rng.random() < 0.55):
                depth, opened, text = depth + 1, opened + 1, text + "("
            else:
                depth, text = depth - 1, text + ")"
        return {"text": text}

    def prompt(self, case: Case) -> str:
        return (
            "What is the largest number of brackets that are open at the same time in "
            f"{case.payload['text']}? <answer>4</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.integer(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        depth = most = 0
        for bracket in case.payload["text"]:
            depth += 1 if bracket == "(" else -1
            most = max(most, depth)
        return Score.correct() if answer == most else Score.wrong("another depth")


BOOTCAMP = Task()
