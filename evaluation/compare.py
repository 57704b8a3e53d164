"""Two runs on the same cases: paired differences with intervals, McNemar's exact test, and what could not be paired."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from bootcamp_kit.case import Outcome
from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import Json
from evaluation.statistics import Interval, McNemar, clustered_by_task, mcnemar
from evaluation.store import IndexLine


@dataclass(frozen=True, slots=True)
class Paired:
    """One group of paired cases.

    Attributes:
        cases: Pairs: the same payload and prompt in both runs, with at least one scored response in each.
        mean_a, mean_b: Mean over those cases of each case's mean score.
        difference: B - A, clustered by task or by payload, whichever interval is wider.
    """

    name: str
    cases: int
    mean_a: float
    mean_b: float
    difference: Interval


@dataclass(frozen=True, slots=True)
class Comparison:
    """A against B.

    Attributes:
        test: On one response a case, the first sample that is scored in both runs; full marks count as right.
        only_in_a, only_in_b: Cases that one run lacks or has no score for.
        changed: Cases at the same seed whose payload or prompt differs between the runs; not compared.
    """

    total: Paired
    tasks: tuple[Paired, ...]
    levels: tuple[Paired, ...]
    test: McNemar
    only_in_a: int
    only_in_b: int
    changed: int

    def to_json(self) -> Json:
        """Plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class _Pair:
    task_id: str
    level: int
    key: str
    a: float
    b: float
    first: tuple[bool, bool] | None


def compare(a: Sequence[IndexLine], b: Sequence[IndexLine]) -> Comparison:
    """Pair two runs' rollouts by case.

    Raises:
        UsageError: they share no scored case.
    """
    left, right = _cases(a), _cases(b)
    shared = left.keys() & right.keys()
    changed = {case for case in shared if _content(left[case][0]) != _content(right[case][0])}
    pairs = [_pair(left[case], right[case]) for case in sorted(shared - changed)]
    if not pairs:
        found = f"no case is scored in both; {len(changed)} have other contents"
        raise UsageError("compare", found, "compare runs over the same tasks, levels and seeds")
    tasks = list(dict.fromkeys(pair.task_id for pair in pairs))
    levels = sorted({pair.level for pair in pairs})
    return Comparison(
        _paired("all", pairs),
        tuple(_paired(name, [pair for pair in pairs if pair.task_id == name]) for name in tasks),
        tuple(_paired(str(level), [pair for pair in pairs if pair.level == level]) for level in levels),
        mcnemar([pair.first for pair in pairs if pair.first]),
        len(left.keys() - right.keys()),
        len(right.keys() - left.keys()),
        len(changed),
    )


def in_words(difference: Interval) -> str:
    """The bounds of a difference; the whole range is none."""
    if (difference.low, difference.high) == (-1.0, 1.0):
        return "cannot be told"
    return f"{difference.low:+.3f} … {difference.high:+.3f}".replace("-", "−")


def _cases(lines: Sequence[IndexLine]) -> dict[tuple[str, int, int], list[IndexLine]]:
    found: dict[tuple[str, int, int], list[IndexLine]] = {}
    for line in lines:
        if line.value is not None:
            found.setdefault((line.task_id, line.level, line.seed), []).append(line)
    return found


def _content(line: IndexLine) -> tuple[str, str]:
    return line.key, line.prompt_hash


def _pair(a: Sequence[IndexLine], b: Sequence[IndexLine]) -> _Pair:
    right_a = {line.sample: line.outcome == Outcome.CORRECT.value for line in a}
    right_b = {line.sample: line.outcome == Outcome.CORRECT.value for line in b}
    first = min(right_a.keys() & right_b.keys(), default=None)
    return _Pair(
        a[0].task_id,
        a[0].level,
        a[0].key,
        _mean([line.value for line in a if line.value is not None]),
        _mean([line.value for line in b if line.value is not None]),
        None if first is None else (right_a[first], right_b[first]),
    )


def _paired(name: str, pairs: Sequence[_Pair]) -> Paired:
    values = [(pair.task_id, pair.key, pair.b - pair.a) for pair in pairs]
    difference = clustered_by_task(values, low=-1.0, high=1.0)
    return Paired(name, len(pairs), _mean([pair.a for pair in pairs]), _mean([pair.b for pair in pairs]), difference)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
