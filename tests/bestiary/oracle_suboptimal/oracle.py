"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """Takes the largest coin as long as it fits."""

    def solve(self, case: Case) -> str:
        amount, paid = case.payload["amount"], []
        for coin in reversed(case.payload["coins"]):
            paid += [coin] * (amount // coin)
            amount %= coin
        return f"<answer>{' '.join(map(str, paid))}</answer>"


ORACLE = Reference()
