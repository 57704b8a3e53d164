"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """One coin more at a time, keeping one way to each sum."""

    def solve(self, case: Case) -> str:
        ways: dict[int, list[int]] = {0: []}
        while case.payload["amount"] not in ways:
            for total, paid in list(ways.items()):
                for coin in case.payload["coins"]:
                    ways.setdefault(total + coin, [*paid, coin])
        return f"<answer>{' '.join(map(str, ways[case.payload['amount']]))}</answer>"


ORACLE = Reference()
