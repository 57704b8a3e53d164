"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """By another way than the verifier's."""

    def solve(self, case: Case) -> str:
        value = 1
        for _ in range(case.payload["exponent"]):
            value = value * case.payload["base"] % case.payload["modulus"]
        return f"<answer>{value}</answer>"


ORACLE = Reference()
