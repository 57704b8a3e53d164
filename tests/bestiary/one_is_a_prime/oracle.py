"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """Trial division that never asks whether 1 is a prime."""

    def solve(self, case: Case) -> str:
        numbers = range(1, case.payload["limit"] + 1)
        return f"<answer>{sum(all(n % k for k in range(2, n)) for n in numbers)}</answer>"


ORACLE = Reference()
