"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """Walks with complex numbers."""

    def solve(self, case: Case) -> str:
        place, seen = 0j, [0j]
        for step in case.payload["walk"]:
            place += {"U": 1j, "D": -1j, "L": -1, "R": 1}[step]
            if place in seen:
                return "<answer>yes</answer>"
            seen.append(place)
        return "<answer>no</answer>"


ORACLE = Reference()
