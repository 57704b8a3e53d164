"""Exact (Clopper–Pearson) one-sided bounds of a rate, by bisection; standard library only."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache


@lru_cache(maxsize=4096)
def lower_bound(successes: int, trials: int, confidence: float = 0.95) -> float:
    """The true rate is above this with the given confidence; 0.0 without successes or trials.

    Args:
        successes: How many of the trials succeeded, 0 … trials.
        trials: How many there were.
        confidence: One-sided, 0 … 1.
    """
    if trials <= 0 or successes <= 0:
        return 0.0
    return _bisect(lambda rate: _tail(successes, trials, rate) < 1 - confidence)


def upper_bound(successes: int, trials: int, confidence: float = 0.95) -> float:
    """The true rate is below this with the given confidence; 1.0 without trials."""
    if trials <= 0 or successes >= trials:
        return 1.0
    return 1.0 - lower_bound(trials - successes, trials, confidence)


def _tail(successes: int, trials: int, rate: float) -> float:
    """P(X ≥ successes)."""
    if rate <= 0.0 or rate >= 1.0:
        return float(rate >= 1.0)
    logs = (
        math.lgamma(trials + 1)
        - math.lgamma(k + 1)
        - math.lgamma(trials - k + 1)
        + k * math.log(rate)
        + (trials - k) * math.log1p(-rate)
        for k in range(successes, trials + 1)
    )
    return min(1.0, sum(math.exp(item) for item in logs))


def _bisect(too_low: Callable[[float], bool]) -> float:
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        if too_low(middle):
            low = middle
        else:
            high = middle
    return low
