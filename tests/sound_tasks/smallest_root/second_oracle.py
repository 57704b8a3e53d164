"""Euler's criterion, then a search from above: the other root is the prime less this one."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import SecondOracle


class Second(SecondOracle):
    """Euler's criterion, then a search from above: the other root is the prime less this one."""

    def answers(self, case: Case) -> list[str] | None:
        prime, square = case.payload["prime"], case.payload["square"]
        if pow(square, (prime - 1) // 2, prime) != 1:
            return []
        larger = next(x for x in reversed(range(prime)) if (x * x - square) % prime == 0)
        return [f"<answer>{prime - larger}</answer>"]

    def judge(self, case: Case, response: str) -> bool | None:
        text = response.rpartition("<answer>")[2].partition("</answer>")[0].strip()
        if not text.isdecimal():
            return None
        prime, x = case.payload["prime"], int(text)
        return x < prime - x and (x * x - case.payload["square"]) % prime == 0


SECOND = Second()
