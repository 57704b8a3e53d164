"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """By another way than the verifier's."""

    def solve(self, case: Case) -> str:
        factors = case.payload["factors"]
        if 0 in factors:
            return "<answer>zero</answer>"
        return f"<answer>{'negative' if sum(one < 0 for one in factors) % 2 else 'positive'}</answer>"


ORACLE = Reference()
