"""Reference solver."""

from __future__ import annotations

from math import gcd

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """Divisors of the greatest common divisor."""

    def solve(self, case: Case) -> str:
        shared = gcd(case.payload["left"], case.payload["right"])
        return f"<answer>{', '.join(str(n) for n in range(1, shared + 1) if shared % n == 0)}</answer>"


ORACLE = Reference()
