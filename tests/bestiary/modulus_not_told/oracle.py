"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """Adds round the clock."""

    def solve(self, case: Case) -> str:
        return f"<answer>{sum(case.payload['numbers']) % case.payload['modulus']}</answer>"


ORACLE = Reference()
