"""What a merge keeps with the task: ``evidence/record.toml`` and ``evidence/report.json``.

::

    schema = 1
    [approval]                  # of the bytes that stand beside it; the one table that an update replaces
    content_hash = "…"  report_hash = "…"  reviewer = "Name <mail>"  at = "…Z"  version = "1.0.0"
    event = "…"                 # hash of the approving event: ties the queue's log to git
    [[lineage]]                 # every attempt, oldest first; only ever added to
    version content_hash author brief_hash attempt index parent run prompts
    [retired]                   # at by reason version; only when the task is no longer offered
    [[decision]]                # every decision, oldest first; only ever added to
    choice reviewer author content_hash report_hash at reason policy risk seconds opened
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bootcamp_kit.errors import ReviewRuleError
from bootcamp_kit.report import Report, to_json
from bootcamp_kit.tomldata import read_toml
from review import records
from review.events import Event
from review.item import QueueItem

RECORD, REPORT = "evidence/record.toml", "evidence/report.json"
RECORD_SCHEMA = 1


def read_record(data: bytes, where: str) -> dict[str, Any]:
    """A record as plain data.

    Raises:
        ReviewRuleError: it is not one that this version can add to.
    """
    asked = f"adding to {where}/{RECORD}"
    try:
        record = read_toml(data)
    except ValueError as error:
        raise ReviewRuleError(asked, f"it cannot be read: {error}", "restore it from git's history") from error
    if record.get("schema") != RECORD_SCHEMA:
        raise ReviewRuleError(asked, f"its schema is {record.get('schema')!r}", "use the version that wrote it")
    if not all(isinstance(record.get(key, []), list) for key in ("lineage", "decision")):
        raise ReviewRuleError(asked, "it is not a record", "restore it from git's history")
    return record


def make_record(item: QueueItem, ancestors: Sequence[QueueItem], existing: Mapping[str, Any] | None) -> bytes:
    """The record of an approved item: what stood there before, then what is new, oldest first."""
    approval = item.approval
    assert approval is not None, "only approved items are merged"
    decision = approval.decision
    attempts = [*reversed(ancestors), item]
    approving = [event.hash for event in item.events if event.kind == "approved"][-1]
    before = existing or {}
    record = {
        "schema": RECORD_SCHEMA,
        "approval": {
            "content_hash": decision.content_hash,
            "report_hash": decision.report_hash,
            "reviewer": decision.reviewer,
            "at": decision.at,
            "version": item.version,
            "event": approving,
        },
        "lineage": _added(before.get("lineage", []), [_lineage(attempt) for attempt in attempts]),
        "decision": _added(
            before.get("decision", []),
            [_decision(event) for attempt in attempts for event in attempt.decision_events],
        ),
    }
    return write_record(record)


def write_record(record: Mapping[str, Any]) -> bytes:
    """A record as TOML."""
    import tomli_w

    return tomli_w.dumps(record, multiline_strings=False).encode()


def make_report(report: Report) -> bytes:
    """The approved report, the same bytes for the same report."""
    return (json.dumps(to_json(report), indent=1, sort_keys=True, ensure_ascii=False) + "\n").encode()


def _lineage(item: QueueItem) -> dict[str, Any]:
    lineage = item.lineage
    return {
        "version": item.version,
        "content_hash": item.content_hash,
        "author": lineage.author,
        "brief_hash": lineage.brief_hash,
        "attempt": lineage.attempt,
        "index": lineage.index,
        "parent": lineage.parent,
        "run": lineage.run,
        "prompts": dict(lineage.prompts),
    }


def _decision(event: Event) -> dict[str, Any]:
    """A decision, and what a later reader wants to know of how it was made."""
    how = {key: event.data[key] for key in ("policy", "risk", "seconds", "opened") if key in event.data}
    return {**records.plain(records.decision_from_json(event.data)), **how}


def _added(before: list[Any], new: list[dict[str, Any]]) -> list[Any]:
    return [*before, *(entry for entry in new if entry not in before)]
