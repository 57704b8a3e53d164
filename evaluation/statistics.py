"""The numbers: intervals for shares and means, pass@k, paired tests. Pure functions over plain sequences.

Source: quantiles come from ``scipy.special`` (``scipy.stats`` takes a second to import; tests compare with it).
pass@k is the unbiased estimator of Chen et al. 2021. Cluster-robust variance: the CR1 estimator of a mean, with
Student's t on clusters - 1 degrees of freedom.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A value and where it may lie.

    Attributes:
        method: How the bounds were got.
    """

    value: float
    low: float
    high: float
    method: str


@dataclass(frozen=True, slots=True)
class McNemar:
    """Paired right/wrong: ``only_a`` cases only A got right, ``only_b`` only B; exact two-sided p."""

    both: int
    only_a: int
    only_b: int
    neither: int
    p_value: float


def share(count: int, total: int, *, method: str = "wilson", confidence: float = CONFIDENCE) -> Interval:
    """A share of independent trials; ``method`` is ``wilson`` or ``exact`` (Clopper-Pearson)."""
    if total == 0:
        return Interval(math.nan, 0.0, 1.0, "no data")
    low, high = (_wilson if method == "wilson" else _exact)(count, total, (1 - confidence) / 2)
    return Interval(count / total, low, high, method)


def clustered_mean(
    clusters: Mapping[object, Sequence[float]], *, low: float = 0.0, high: float = 1.0, confidence: float = CONFIDENCE
) -> Interval:
    """The mean over all values, with an interval that treats values of one cluster as dependent.

    Every value weighs the same. When the values show no spread between clusters at all, the robust variance is 0 and
    says nothing. Then the exact binomial interval over clusters is given for a mean of 0 or 1; for differences that are
    all 0, how often a cluster may differ at most, in either direction; else the whole range.
    """
    values = [value for cluster in clusters.values() for value in cluster]
    if not values:
        return Interval(math.nan, low, high, "no data")
    mean, groups = math.fsum(values) / len(values), len(clusters)
    if groups < 2:
        return Interval(mean, low, high, "one cluster: no interval")
    spread = math.fsum(math.fsum(value - mean for value in cluster) ** 2 for cluster in clusters.values())
    if spread < 1e-18:
        if mean in (0.0, 1.0) and (low, high) == (0.0, 1.0):
            exact = share(round(mean) * groups, groups, method="exact", confidence=confidence)
            return Interval(mean, exact.low, exact.high, f"exact over {groups} clusters")
        if (low, high) == (-1.0, 1.0) and not any(values):
            most = share(0, groups, method="exact", confidence=confidence).high
            return Interval(0.0, -most, most, f"no pair differs: exact over {groups} clusters")
        return Interval(mean, low, high, "no spread: no interval")
    from scipy.special import stdtrit  # type: ignore[import-untyped]

    error = math.sqrt(groups / (groups - 1) * spread) / len(values)
    half = float(stdtrit(groups - 1, 0.5 + confidence / 2)) * error
    return Interval(mean, max(low, mean - half), min(high, mean + half), f"cluster-robust, {groups} clusters")


def clustered_by_task(values: Sequence[tuple[str, str, float]], *, low: float = 0.0, high: float = 1.0) -> Interval:
    """The mean of (task, payload key, value), with the wider of two intervals: clustered by task, and by payload.

    Tasks are the right clusters for "how well on tasks like these"; with few of them that interval can come out too
    narrow by luck, and never less than the spread between cases should be shown. Equal payloads are one cluster.
    """
    tasks: dict[object, list[float]] = {}
    cases: dict[object, list[float]] = {}
    for task, key, value in values:
        tasks.setdefault(task, []).append(value)
        cases.setdefault((task, key), []).append(value)
    by_case = clustered_mean(cases, low=low, high=high)
    if len(tasks) < 2:
        return replace(by_case, method=f"{by_case.method} (cases)")
    by_task = clustered_mean(tasks, low=low, high=high)
    wider, name = (by_task, "tasks") if by_task.high - by_task.low >= by_case.high - by_case.low else (by_case, "cases")
    return replace(wider, method=f"{wider.method} ({name})")


def pass_at_k(samples: int, correct: int, k: int) -> float:
    """Chance that at least one of ``k`` draws without replacement from ``samples`` is right.

    Raises:
        ValueError: ``k`` is not in 1 … samples.
    """
    if not 1 <= k <= samples or not 0 <= correct <= samples:
        raise ValueError(f"pass@{k} of {correct} right among {samples}")
    return 1.0 - math.comb(samples - correct, k) / math.comb(samples, k)


def mcnemar(pairs: Sequence[tuple[bool, bool]]) -> McNemar:
    """The exact test that A and B are right equally often, on paired cases."""
    both = sum(a and b for a, b in pairs)
    only_a = sum(a and not b for a, b in pairs)
    only_b = sum(b and not a for a, b in pairs)
    unequal = only_a + only_b
    tail = sum(math.comb(unequal, k) for k in range(min(only_a, only_b) + 1))
    p_value = min(1.0, float(Fraction(2 * tail, 2**unequal)))
    return McNemar(both, only_a, only_b, len(pairs) - both - only_a - only_b, p_value)


def _wilson(count: int, total: int, tail: float) -> tuple[float, float]:
    from scipy.special import ndtri

    z = -float(ndtri(tail))
    share_, narrow = count / total, 1 + z * z / total
    centre = (share_ + z * z / (2 * total)) / narrow
    half = z * math.sqrt(share_ * (1 - share_) / total + z * z / (4 * total * total)) / narrow
    return (0.0 if count == 0 else centre - half), (1.0 if count == total else centre + half)


def _exact(count: int, total: int, tail: float) -> tuple[float, float]:
    from scipy.special import betaincinv

    low = 0.0 if count == 0 else float(betaincinv(count, total - count + 1, tail))
    return low, 1.0 if count == total else float(betaincinv(count + 1, total - count, 1 - tail))


def quantile(values: Sequence[float], share_below: float) -> float:
    """The nearest-rank quantile; NaN of nothing."""
    if not values:
        return math.nan
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, math.ceil(share_below * len(ordered)) - 1))]
