"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """Looks it up."""

    def solve(self, case: Case) -> str:
        numbers = case.payload["numbers"]
        return f"<answer>{numbers.index(max(numbers)) + 1}</answer>"


ORACLE = Reference()
