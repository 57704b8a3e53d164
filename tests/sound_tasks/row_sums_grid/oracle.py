"""Reference solver."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle


class Reference(Oracle):
    """By another way than the verifier's."""

    def solve(self, case: Case) -> str:
        size = case.payload["size"]
        rows = "\n".join("#" * count + "." * (size - count) for count in case.payload["counts"])
        return f"<answer>\n{rows}\n</answer>"


ORACLE = Reference()
