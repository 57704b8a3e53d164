"""A way with the fewest hops; ties are all right."""

from __future__ import annotations

import itertools
import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """An optimum with many witnesses."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {"reach": [rng.randint(1, 4) for _ in range(params["stones"])]}

    def prompt(self, case: Case) -> str:
        return (
            "Stones are numbered from 0. From stone i you may hop to any later stone at most r[i] "
            f"further, with r = {case.payload['reach']}. Go from stone 0 to the last stone with as few "
            "hops as possible. List every stone you stand on; any shortest way counts: <answer>0 2 "
            "3</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.integers(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        reach = case.payload["reach"]
        last = len(reach) - 1
        if answer[0] != 0 or answer[-1] != last or any(not 0 <= place <= last for place in answer):
            return Score.wrong("not from the first stone to the last")
        if any(not 0 < there - here <= reach[here] for here, there in itertools.pairwise(answer)):
            return Score.wrong("a hop that is not allowed")
        best = [0] * len(reach)
        for place in range(1, len(reach)):
            best[place] = 1 + min(best[other] for other in range(place) if place - other <= reach[other])
        return Score.correct() if len(answer) - 1 == best[last] else Score.wrong("too many hops")


BOOTCAMP = Task()
