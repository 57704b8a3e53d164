"""The certificate's arithmetic: exact bounds, capacity, entropy. Standard library only; every figure keeps its n."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

from bootcamp_kit.jsondata import Json
from sandbox.checks.bounds import upper_bound
from sandbox.checks.generator import chao1

CONFIDENCE = 0.95
DIGITS = 4
ACCEPT_AFTER_CLEAN = 72
"""Clean trials in a row after which Wald's test of 1 % against 5 % accepts 1 % (both errors 5 %)."""


def rate(hits: int, trials: int) -> dict[str, Json]:
    """``hits`` of ``trials`` and the exact one-sided 95 % upper bound of the true rate."""
    return {"hits": hits, "n": trials, "below": round(upper_bound(hits, trials, CONFIDENCE), DIGITS)}


def worst(classes: dict[str, dict[str, Json]]) -> dict[str, Json] | None:
    """The class with the highest seen rate, then the widest bound; classes are never pooled."""
    if not classes:
        return None

    def weight(name: str) -> tuple[float, float, str]:
        entry = classes[name]
        hits, trials = entry["hits"], entry["n"]
        assert isinstance(hits, int) and isinstance(trials, int) and isinstance(entry["below"], float)
        return (hits / trials if trials else 0.0, entry["below"], name)

    name = max(classes, key=weight)
    return {"class": name, **classes[name], "classes": len(classes)}


def sprt(hits: int, trials: int, *, good: float = 0.01, bad: float = 0.05, error: float = 0.05) -> str:
    """Wald's sequential test of a fault rate, as if the trials had been looked at one by one.

    Returns:
        ``good``, ``bad`` or ``undecided``.
    """
    ratio = hits * math.log(bad / good) + (trials - hits) * math.log((1 - bad) / (1 - good))
    limit = math.log((1 - error) / error)
    return "good" if ratio <= -limit else "bad" if ratio >= limit else "undecided"


def capacity(keys: Iterable[str]) -> dict[str, Json]:
    """How many different cases there are at least, from the ones drawn.

    ``chao1`` is a lower bound in expectation; ``birthday`` the size below which a draw with so few repeats would have
    come up less than once in twenty, were all cases equally likely.
    """
    counts = Counter(keys)
    n, distinct = sum(counts.values()), len(counts)
    pairs = sum(count * (count - 1) // 2 for count in counts.values())
    return {"n": n, "distinct": distinct, "chao1": round(chao1(counts)), "birthday": _birthday(n, pairs)}


def _birthday(n: int, pairs: int) -> int:
    """The number of repeats among n draws of N is about Poisson with mean n(n − 1) / 2N."""
    if n < 2:
        return min(n, 1)
    low, high = 0.0, 1000.0 + 10 * pairs
    for _ in range(80):
        mean = (low + high) / 2
        seen = sum(math.exp(-mean + k * math.log(mean) - math.lgamma(k + 1)) for k in range(pairs + 1))
        low, high = (mean, high) if seen > 1 - CONFIDENCE else (low, mean)
    return max(1, math.floor(n * (n - 1) / 2 / high))


def spread(values: Iterable[str]) -> dict[str, Json]:
    """Entropy in bits and the top value's share of the answers seen."""
    counts = Counter(values)
    n = sum(counts.values())
    if not n:
        return {"n": 0}
    bits = -sum(count / n * math.log2(count / n) for count in counts.values())
    return {
        "n": n,
        "different": len(counts),
        "bits": round(abs(bits), 3),
        "top_share": round(max(counts.values()) / n, DIGITS),
    }
