"""All ways to pay, for small amounts."""

from __future__ import annotations

import itertools

from bootcamp_kit.case import Case
from bootcamp_kit.contract import SecondOracle


class Second(SecondOracle):
    """All ways to pay, for small amounts."""

    def answers(self, case: Case) -> list[str] | None:
        coins, amount = case.payload["coins"], case.payload["amount"]
        if amount > 30:
            return None
        for count in range(1, amount + 1):
            for paid in itertools.combinations_with_replacement(coins, count):
                if sum(paid) == amount:
                    return [f"<answer>{' '.join(map(str, paid))}</answer>"]
        return []

    def cost(self, case: Case, response: str) -> float | None:
        paid = [int(part) for part in response.split(">")[1].split("<")[0].split() if part.isdecimal()]
        allowed = sum(paid) == case.payload["amount"] and set(paid) <= set(case.payload["coins"])
        return float(len(paid)) if allowed else None


SECOND = Second()
