"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """By another way than the verifier's."""

    def solve(self, case: Case) -> str:
        number, text = case.payload["number"], ""
        while number:
            number, digit = divmod(number, 16)
            text = "0123456789ABCDEF"[digit] + text
        return f"<answer>{text}</answer>"


ORACLE = Reference()
