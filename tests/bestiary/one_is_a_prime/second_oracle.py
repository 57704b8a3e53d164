"""A sieve."""

from __future__ import annotations

from bootcamp_kit.case import Case
from bootcamp_kit.contract import SecondOracle


class Second(SecondOracle):
    """A sieve."""

    def answers(self, case: Case) -> list[str] | None:
        limit = case.payload["limit"]
        composite = {k * factor for k in range(2, limit + 1) for factor in range(2, limit // k + 1)}
        return [f"<answer>{limit - 1 - len(composite)}</answer>"]


SECOND = Second()
