"""How long the stages took, and how the outcomes came in."""

from __future__ import annotations

from dataclasses import dataclass

from authoring.reporting.trace import Trace
from evaluation.statistics import quantile

MAX_POINTS = 160


@dataclass(frozen=True, slots=True)
class StageTime:
    """One stage: how often it was timed, and seconds in all, in the middle and at the 95th of a hundred."""

    name: str
    times: int
    total: float
    median: float
    most: float


@dataclass(frozen=True, slots=True)
class Point:
    """Briefs that had come to an end, by kind, this many seconds after the first event."""

    at: float
    queued: int
    other: int


def stage_times(trace: Trace) -> tuple[StageTime, ...]:
    """Stages in the order they first spoke. Several work at once: the sum can be longer than the run."""
    rows = []
    for node in trace.nodes:
        took = sorted(word.seconds for word in trace.words if word.node == node and word.seconds is not None)
        if took:
            rows.append(StageTime(node, len(took), sum(took), quantile(took, 0.5), quantile(took, 0.95)))
    return tuple(rows)


def ends_over_time(trace: Trace) -> tuple[Point, ...]:
    """Ends over time; thinned out where there are many."""
    ends = sorted((word.at, word.what == "queued") for word in trace.words if word.node == "finish")
    points = []
    queued = other = 0
    for at, good in ends:
        queued, other = queued + good, other + (not good)
        points.append(Point(at, queued, other))
    if len(points) > MAX_POINTS:
        step = len(points) / MAX_POINTS
        points = [points[int(place * step)] for place in range(MAX_POINTS)] + [points[-1]]
    return tuple(points)
