"""Looks every number up that is missing to the sum."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import SecondOracle


class Second(SecondOracle):
    """Looks every number up that is missing to the sum."""

    def answers(self, case: Case) -> list[str] | None:
        numbers, total = case.payload["numbers"], case.payload["total"]
        rest = set(numbers)
        return [f"<answer>{a} {total - a}</answer>" for a in numbers if total - a in rest and 2 * a != total]

    def judge(self, case: Case, response: str) -> bool | None:
        parts = response.rpartition("<answer>")[2].partition("</answer>")[0].split()
        if len(parts) != 2 or not all(part.isdecimal() for part in parts):
            return None
        a, b = map(int, parts)
        return a != b and a + b == case.payload["total"] and {a, b} <= set(case.payload["numbers"])


SECOND = Second()
