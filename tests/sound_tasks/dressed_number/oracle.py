"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """Multiplies integers."""

    def solve(self, case: Case) -> str:
        first, second = case.payload["factors"]
        return f"<answer>{first * second / 100:.2f}</answer>"


ORACLE = Reference()
