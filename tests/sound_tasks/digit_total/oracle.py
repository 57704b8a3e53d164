"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """By another way than the verifier's."""

    def solve(self, case: Case) -> str:
        return f"<answer>{sum(digit * case.payload['number'].count(str(digit)) for digit in range(10))}</answer>"


ORACLE = Reference()
