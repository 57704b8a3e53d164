"""Choose positions of weights that sum to a target; several choices may be right."""

from __future__ import annotations

import itertools
import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Subset sum with many solutions."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        weights = [rng.randint(2, params["heaviest"]) for _ in range(params["count"])]
        chosen = rng.sample(range(params["count"]), params["count"] // 2)
        return {"weights": weights, "target": sum(weights[place] for place in chosen)}

    def prompt(self, case: Case) -> str:
        weights = " ".join(map(str, case.payload["weights"]))
        return (
            f"Weights: {weights}\nTarget: {case.payload['target']}\n"
            "Choose some of the weights, each at most once, that sum to the target exactly. Name their positions,"
            " counted from 1, in increasing order, with blanks between: <answer>1 3</answer>. Any right choice counts."
        )

    def parse(self, response: str) -> Answer:
        return answers.integers(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        weights = case.payload["weights"]
        if any(place < 1 or place > len(weights) for place in answer):
            return Score.wrong("a position that does not exist")
        if any(left >= right for left, right in itertools.pairwise(answer)):
            return Score.wrong("positions do not increase")
        if sum(weights[place - 1] for place in answer) != case.payload["target"]:
            return Score.wrong("another sum")
        return Score.correct()


BOOTCAMP = Task()
