"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """By a table."""

    def solve(self, case: Case) -> str:
        letters = "abcdefghijklmnopqrstuvwxyz"
        places = case.payload["places"]
        table = dict(zip(letters, letters[places:] + letters[:places], strict=True))
        return f"<answer>{''.join(table[char] for char in case.payload['word'])}</answer>"


ORACLE = Reference()
