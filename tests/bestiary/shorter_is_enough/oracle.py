"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """Adds."""

    def solve(self, case: Case) -> str:
        return f"<answer>{sum(case.payload['numbers'])}</answer>"


ORACLE = Reference()
