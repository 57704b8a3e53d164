"""The weekday some days later: one of seven."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class Task(Bootcamp):
    """One of seven."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"start": rng.choice(_DAYS), "days": rng.randint(8, params["most"])}

    def prompt(self, case: Case) -> str:
        return (
            f"Today is {case.payload['start']}. Which weekday is it {case.payload['days']} days later? "
            "<answer>Monday</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.choice(answers.last_answer(response), _DAYS)

    def verify(self, case: Case, answer: Answer) -> Score:
        day = _DAYS[(_DAYS.index(case.payload["start"]) + case.payload["days"]) % 7]
        return Score.correct() if answer == day else Score.wrong(f"it is {day}")


BOOTCAMP = Task()
