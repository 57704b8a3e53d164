"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """By another way than the verifier's."""

    def solve(self, case: Case) -> str:
        names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        days = list(names)
        for _ in range(case.payload["days"] % 7):
            days.append(days.pop(0))
        start = names.index(case.payload["start"])
        return f"<answer>{days[start]}</answer>"


ORACLE = Reference()
