"""The name that stands most often; capitals matter."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Names that differ by case only."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        names = ["Ada", "ada", "Bo", "bo", "Cy", "cy", "Dee", "dee", "Eli", "eli"]
        rng.shuffle(names)
        listed = [rng.choice(names[1:]) for _ in range(params["count"])]
        most = max(listed.count(name) for name in names)
        listed += [names[0]] * (most + 1)
        rng.shuffle(listed)
        return {"names": listed}

    def prompt(self, case: Case) -> str:
        return (
            "Capital and small letters make different names. Which of these names stands most often? "
            f"{' '.join(case.payload['names'])}\n<answer>Ada</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.word(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        names = case.payload["names"]
        return Score.correct() if answer == max(set(names), key=names.count) else Score.wrong("another name")


BOOTCAMP = Task()
