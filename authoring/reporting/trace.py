"""A run's events, put in order: each node's last word on each turn of each candidate, and how long it took."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from authoring.events import Event
from bootcamp_kit.jsondata import Json

STARTED = "started"
AUTHORING = ("draft", "repair")
ABOVE = ("run", "brief")
"""Events of these speak of no stage."""


@dataclass(frozen=True, slots=True)
class Word:
    """What a node said last of one turn.

    Attributes:
        turn: Counted from 1 for each candidate; 0 for nodes of the whole brief.
        seconds: Since the node started on it; None when its start was not told.
        at: Seconds since the run's first event.
    """

    brief: str
    index: int | None
    node: str
    turn: int
    what: str
    detail: str
    figures: Mapping[str, Json]
    seconds: float | None
    at: float


@dataclass
class Trace:
    """All of them.

    Attributes:
        words: In the order they were said; a word said again has the place of the first.
        nodes: Names of nodes in the order they first spoke.
        seconds: From the first event to the last.
        repeated: How many words were said again.
    """

    words: list[Word] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)
    seconds: float = 0.0
    repeated: int = 0


def read_trace(events: Iterable[Event]) -> Trace:
    """Read events of this version or an earlier one, whose events have no figures."""
    trace = Trace()
    places: dict[tuple[str, int | None, str, int], int] = {}
    began: dict[tuple[str, int | None, str], float] = {}
    turns: dict[tuple[str, int | None], int] = {}
    start: float | None = None
    for event in events:
        at = _seconds(event.at)
        if at is None:
            continue
        start = at if start is None else start
        trace.seconds = max(trace.seconds, at - start)
        if event.node in ABOVE:
            continue
        if event.node not in trace.nodes:
            trace.nodes.append(event.node)
        run = (event.brief, event.index, event.node)
        if event.what == STARTED:
            began[run] = at
            continue
        turn = _turn(event, turns)
        took = at - began.pop(run) if run in began else None
        word = Word(
            event.brief, event.index, event.node, turn, event.what, event.detail, event.figures, took, at - start
        )
        key = (*run, turn)
        if key in places:
            trace.repeated += 1
            trace.words[places[key]] = word
        else:
            places[key] = len(trace.words)
            trace.words.append(word)
    return trace


def _turn(event: Event, turns: dict[tuple[str, int | None], int]) -> int:
    """The turn an event tells of, or in older runs the one it must be."""
    if event.index is None:
        return 0
    candidate = (event.brief, event.index)
    told = event.figures.get("turn") if isinstance(event.figures, dict) else None
    if isinstance(told, int):
        turns[candidate] = told
    elif event.node in AUTHORING:
        turns[candidate] = turns.get(candidate, 0) + 1
    return turns.get(candidate, 1)


def _seconds(at: str) -> float | None:
    try:
        return datetime.fromisoformat(at).timestamp()
    except (ValueError, TypeError):
        return None
