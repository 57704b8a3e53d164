"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """By another way than the verifier's."""

    def solve(self, case: Case) -> str:
        gap = sum(case.payload["left"]) - sum(case.payload["right"])
        return f"<answer>{'equal' if not gap else 'left' if gap > 0 else 'right'}</answer>"


ORACLE = Reference()
