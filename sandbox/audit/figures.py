"""Rates in words, for the terminal and the page: never a bound that is no bound, nor a share of next to nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sandbox.checks.bounds import lower_bound

FEW = 20
"""Of so few, numbers are told and no share."""


def percent(value: float) -> str:
    """Three figures at most, and never a rounded zero."""
    return f"{value * 100:.1f} %" if value >= 0.001 or value == 0 else "< 0.1 %"


def at_most(value: float) -> str:
    """An upper bound; the true rate may be equal to it."""
    return "at most 0.1 %" if 0 < value < 0.001 else f"at most {percent(value)}"


def all_of_them(rate: Mapping[str, Any]) -> bool:
    """Whether every trial was a hit, so that nothing bounds the rate from above."""
    return bool(rate["n"]) and rate["hits"] == rate["n"]


def bounded(rate: Mapping[str, Any]) -> str:
    """``at most X %``; where every trial was a hit, ``100 %``."""
    return "100 %" if all_of_them(rate) else at_most(rate["below"])


def at_least(rate: Mapping[str, Any]) -> str:
    """For a rate whose every trial was a hit: the exact bound from below; else ""."""
    if not all_of_them(rate):
        return ""
    low = lower_bound(rate["hits"], rate["n"], 0.95)
    return f"; at least {int(low * 1000 + 1e-6) / 10:.1f} % (95 %)"


def told_apart(mutation: Mapping[str, Any]) -> str:
    """How many of the changed verifiers were noticed: a share, or the numbers where a share would say too much."""
    told = mutation["killed"] + mutation["surviving"]
    return percent(mutation["score"]) if told >= FEW else f"{mutation['killed']} of {told}"


def too_few(mutation: Mapping[str, Any]) -> str:
    """That the numbers say little, where they do; else ""."""
    return "; too few to say much" if mutation["killed"] + mutation["surviving"] < FEW else ""


def clipped(text: str, most: int) -> str:
    """At most so many characters, the last one an ellipsis where something is missing."""
    return text if len(text) <= most else text[: most - 1] + "…"
