"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """Reverses."""

    def solve(self, case: Case) -> str:
        return f"<answer>{' '.join(case.payload['sentence'].split()[::-1])}</answer>"


ORACLE = Reference()
