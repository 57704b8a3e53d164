"""Add ten years to each age."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Add ten years to each age."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        names = rng.sample(["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Ida", "Jo", "Kim"], params["count"])
        return {"ages": {name: rng.randint(10, 80) for name in names}}

    def prompt(self, case: Case) -> str:
        told = ", ".join(f"{name} is {age}" for name, age in case.payload["ages"].items())
        return f"{told}. How old is each in ten years? One line for each, in this form: <answer>Ada: 7</answer>"

    def parse(self, response: str) -> Answer:
        return answers.lines(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        ages = case.payload["ages"]
        for line in answer:
            name, _, age = line.partition(":")
            if name.strip() in ages and age.strip() != str(ages[name.strip()] + 10):
                return Score.wrong("another age")
        return Score.correct()


BOOTCAMP = Task()
