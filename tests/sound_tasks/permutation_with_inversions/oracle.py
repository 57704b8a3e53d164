"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """By another way than the verifier's."""

    def solve(self, case: Case) -> str:
        left, missing, made = list(range(1, case.payload["size"] + 1)), case.payload["inversions"], []
        while left:
            place = min(missing, len(left) - 1)
            missing -= place
            made.append(left.pop(place))
        return f"<answer>{' '.join(map(str, made))}</answer>"


ORACLE = Reference()
