"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """Breadth first over amounts."""

    def solve(self, case: Case) -> str:
        amount = case.payload["amount"]
        paid: dict[int, list[int]] = {0: []}
        frontier = [0]
        while amount not in paid:
            following = []
            for value in frontier:
                for coin in case.payload["coins"]:
                    if value + coin <= amount and value + coin not in paid:
                        paid[value + coin] = [*paid[value], coin]
                        following.append(value + coin)
            frontier = following
        return f"<answer>{' '.join(map(str, paid[amount]))}</answer>"


ORACLE = Reference()
