"""Pay an amount with the fewest coins."""

from __future__ import annotations

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """Pay an amount with the fewest coins."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        coins = [1, *sorted(rng.sample(range(3, 12), 2))]
        return {"coins": coins, "amount": rng.randint(params["amount"] // 2, params["amount"])}

    def prompt(self, case: Case) -> str:
        coins = ", ".join(map(str, case.payload["coins"]))
        return (
            f"There are coins of {coins}, as many of each as you like. Pay exactly {case.payload['amount']} with as few"
            " coins as possible. List every coin you pay with, with blanks between, in any order:"
            " <answer>5 1 1</answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.integers(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        coins, amount = case.payload["coins"], case.payload["amount"]
        if any(coin not in coins for coin in answer) or sum(answer) != amount:
            return Score.wrong("not this amount in these coins")
        fewest = [0]
        for value in range(1, amount + 1):
            fewest.append(1 + min(fewest[value - coin] for coin in coins if coin <= value))
        return Score.correct() if len(answer) == fewest[amount] else Score.wrong("more coins than needed")


BOOTCAMP = Task()
