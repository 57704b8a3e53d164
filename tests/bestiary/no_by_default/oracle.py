"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """Tests it."""

    def solve(self, case: Case) -> str:
        return "<answer>yes</answer>" if case.payload["number"] % 2 == 0 else "<answer>no</answer>"


ORACLE = Reference()
