"""The mean of some heights, within a tolerance."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Mean within an absolute tolerance."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"heights": [rng.randint(120, 210) for _ in range(params["people"])]}

    def prompt(self, case: Case) -> str:
        heights = ", ".join(map(str, case.payload["heights"]))
        return (
            f"Some people are {heights} centimetres tall. What is their mean height in centimetres? Two digits after"
            " the point will do: up to 0.01 either way counts as right. End with the number: <answer>1.75</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.decimal(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        heights = case.payload["heights"]
        right = answers.close(answer, sum(heights) / len(heights), absolute=0.01)
        return Score.correct() if right else Score.wrong("off by more than 0.01")


BOOTCAMP = Task()
