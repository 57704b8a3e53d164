"""A row a brief: the compiler's stage where it refused, seconds without the pause of an interruption."""

from __future__ import annotations

from authoring.events import Event
from authoring.outcomes import BriefOutcome, OutcomeKind
from authoring.reporting.rows import outcome_rows


def event(second: int, brief: str, node: str, what: str) -> Event:
    return Event(f"2026-11-30T12:00:{second:02}.000+00:00", brief, None, node, what)


def test_each_brief_has_its_outcome_stage_reason_and_seconds() -> None:
    outcomes = [
        BriefOutcome("one", "a", OutcomeKind.REFUSED, "wording: several answers: “any” → say which", stage="draft"),
        BriefOutcome("two", "b", OutcomeKind.EXHAUSTED, "gate: it crashes", stage="check"),
        BriefOutcome("three", "c", OutcomeKind.QUEUED, content_hash="f" * 64, stage="queue"),
        BriefOutcome("four", "d", OutcomeKind.INTERRUPTED, "not begun"),
    ]
    events = [
        event(0, "", "run", "started"),
        event(1, "one", "brief", "started"),
        event(3, "one", "draft", "refused"),
        event(3, "two", "brief", "started"),
        event(5, "two", "draft", "drafted"),
        event(40, "two", "brief", "resumed"),
        event(44, "two", "check", "failed"),
        event(45, "three", "brief", "started"),
        event(46, "three", "finish", "queued"),
    ]
    rows = [tuple(row.values()) for row in outcome_rows(outcomes, events)]
    assert rows == [
        ("one", "refused", "wording", "several answers: “any” → say which", 2.0),
        ("two", "exhausted", "check", "gate: it crashes", 6.0),
        ("three", "queued", "queue", "", 1.0),
        ("four", "interrupted", "", "not begun", 0.0),
    ]
