"""What came of the briefs of each source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaluation.statistics import Interval, share

if TYPE_CHECKING:
    from authoring.reporting.facts import Ending


@dataclass(frozen=True, slots=True)
class Yield:
    """One source.

    Attributes:
        share: Queued of all, with its interval.
        counts: Outcome kind → briefs.
        usd: What its briefs cost; None where a price is not known.
    """

    name: str
    briefs: int
    queued: int
    share: Interval
    counts: Mapping[str, int]
    usd: float | None


def yields(endings: Sequence[Ending], name_of: Callable[[Ending], str]) -> tuple[Yield, ...]:
    """One row for each name, those with most briefs first."""
    groups: dict[str, list[Ending]] = {}
    for ending in endings:
        groups.setdefault(name_of(ending), []).append(ending)
    rows = [_row(name, group) for name, group in groups.items()]
    return tuple(sorted(rows, key=lambda row: (-row.briefs, row.name)))


def _row(name: str, group: Sequence[Ending]) -> Yield:
    counts = Counter(ending.kind for ending in group)
    costs = [ending.usd for ending in group if ending.tokens]
    paid = None if None in costs else sum(cost for cost in costs if cost is not None)
    queued = counts["queued"]
    return Yield(name, len(group), queued, share(queued, len(group)), dict(counts), paid)
