"""A row a brief: what became of it, where, why, and how long it was in work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from authoring.compiler.outcome import Stage
from authoring.events import Event
from authoring.outcomes import BriefOutcome, OutcomeKind
from bootcamp_kit.jsondata import Json

_BEGINS = ("started", "resumed")
_STAGES = {stage.value for stage in Stage}


def outcome_rows(outcomes: Sequence[BriefOutcome], events: Iterable[Event]) -> list[dict[str, Json]]:
    """``brief``, ``outcome``, ``stage``, ``reason``, ``seconds`` of each brief, in the order they were given.

    ``stage`` is the compiler's own where the compiler refused the brief, else the stage of the workflow. ``seconds``
    are from the brief's start to its last event; what lies between an interruption and its resumption is not counted.
    """
    spent = _seconds(events)
    return [
        {
            "brief": outcome.brief_id,
            "outcome": outcome.kind.value,
            "stage": (where := _stage(outcome))[0],
            "reason": where[1],
            "seconds": round(spent.get(outcome.brief_id, 0.0), 2),
        }
        for outcome in outcomes
    ]


def _stage(outcome: BriefOutcome) -> tuple[str, str]:
    named, colon, reason = outcome.reason.partition(": ")
    if outcome.kind is OutcomeKind.REFUSED and colon and named in _STAGES:
        return named, reason
    return outcome.stage, outcome.reason


def _seconds(events: Iterable[Event]) -> dict[str, float]:
    spent, began, last = dict[str, float](), dict[str, float](), dict[str, float]()
    for event in events:
        at = _moment(event.at)
        if at is None or not event.brief:
            continue
        if event.node == "brief" and event.what in _BEGINS:
            if event.brief in began:
                spent[event.brief] = spent.get(event.brief, 0.0) + last[event.brief] - began[event.brief]
            began[event.brief] = at
        last[event.brief] = at
        began.setdefault(event.brief, at)
    for brief, start in began.items():
        spent[brief] = spent.get(brief, 0.0) + last[brief] - start
    return spent


def _moment(text: str) -> float | None:
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, TypeError):
        return None
