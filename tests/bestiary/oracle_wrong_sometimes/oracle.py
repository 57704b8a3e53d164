"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """Adds, and takes a remainder it should not take."""

    def solve(self, case: Case) -> str:
        total = sum(case.payload["numbers"])
        return f"<answer>{total if total % 20 else total + 1}</answer>"


ORACLE = Reference()
