"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """By another way than the verifier's."""

    def solve(self, case: Case) -> str:
        left, made = list(case.payload["numbers"]), []
        while left:
            made.append(left.pop(left.index(min(left))))
        return f"<answer>{' '.join(map(str, made))}</answer>"


ORACLE = Reference()
