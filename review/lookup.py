"""Finds items in the database by what a person types, and rebuilds them from their rows."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from bootcamp_kit.brief import Brief
from bootcamp_kit.errors import BootcampError, MachineError, UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Report, Verdict
from review import claims, events, records, schema
from review.item import OPEN, QueueEntry, QueueItem, State

MIN_PREFIX = 6
_REF = re.compile(rf"(?P<task>[a-z][a-z0-9_]{{2,63}})?(?:@(?P<hash>[0-9a-f]{{{MIN_PREFIX},64}}))?")
_HASH = re.compile(rf"[0-9a-f]{{{MIN_PREFIX},64}}")
_SHOWN_CANDIDATES = 10
_ENTRY_COLUMNS = (
    "task_id",
    "family",
    "title",
    "version",
    "content_hash",
    "state",
    "author",
    "licence",
    "verdict",
    "findings",
    "created",
    "risk",
)
LIST_COLUMNS = tuple(schema.items.c[name] for name in _ENTRY_COLUMNS)
"""What the list selects, in the order of ``QueueEntry``'s fields."""


def entry_of_list(row: Sequence[Any], claim: claims.Claim) -> QueueEntry:
    """One line of the list from a row that begins with ``LIST_COLUMNS``, and who holds it."""
    task_id, family, title, version, content_hash, state, author, licence, verdict, findings, created, risk = row[:12]
    return QueueEntry(
        task_id,
        family,
        title,
        version,
        content_hash,
        _STATES[state],
        author,
        licence,
        _VERDICTS[verdict],
        findings,
        created,
        risk,
        claim.reviewer,
        claim.until,
    )


_STATES, _VERDICTS = {state.value: state for state in State}, {verdict.value: verdict for verdict in Verdict}
"""A look-up is three times as fast as the enumeration's own, which a list of 100,000 items notices."""


def item(connection: sa.Connection, ref: str, now: datetime) -> QueueItem:
    """The one item that is meant, with the claim that holds now; see ``Queue.item``.

    Raises:
        UsageError: nothing or more than one item is meant.
    """
    asked = f"looking up {ref[:80]!r} in the review queue"
    found = _matches(connection, ref)
    if not found:
        raise UsageError(
            asked,
            "there is no such item",
            f"name a task id, at least {MIN_PREFIX} hex digits of a content hash, or task_id@hash; "
            "`bootcamp review list` shows them",
        )
    if len(found) > 1:
        shown = [f"{row['task_id']}@{row['content_hash'][:12]} ({row['state']})" for row in found]
        more = f", and {len(found) - _SHOWN_CANDIDATES} more" if len(found) > _SHOWN_CANDIDATES else ""
        raise UsageError(
            asked,
            f"{len(found)} items are meant: {', '.join(shown[:_SHOWN_CANDIDATES])}{more}",
            "name one of these",
        )
    found_item = by_hash(connection, found[0]["content_hash"], now)
    assert found_item is not None
    return found_item


def by_hash(connection: sa.Connection, content_hash: str, now: datetime) -> QueueItem | None:
    """The item of this content hash, or None.

    Raises:
        MachineError: what is stored cannot be read any more.
    """
    joined = schema.items.join(schema.bodies, schema.bodies.c.item_id == schema.items.c.id)
    columns = (*schema.items.c, schema.bodies.c.brief, schema.bodies.c.report, schema.bodies.c.lineage)
    query = sa.select(*columns).select_from(joined).where(schema.items.c.content_hash == content_hash)
    row = connection.execute(query).first()
    return _whole(connection, row._mapping, claims.holder(connection, content_hash, now)) if row else None


def ancestors(connection: sa.Connection, item: QueueItem, now: datetime, *, at_most: int = 50) -> list[QueueItem]:
    """See ``Queue.ancestors``."""
    found: list[QueueItem] = []
    seen = {item.content_hash}
    parent = item.lineage.parent
    while parent and parent not in seen and len(found) < at_most:
        seen.add(parent)
        before = by_hash(connection, parent, now)
        if before is None:
            break
        found.append(before)
        parent = before.lineage.parent
    return found


def _matches(connection: sa.Connection, ref: str) -> list[sa.RowMapping]:
    columns = schema.items.c
    base = sa.select(columns.id, columns.task_id, columns.content_hash, columns.state).order_by(columns.id)

    def rows(*conditions: sa.ColumnElement[bool]) -> list[sa.RowMapping]:
        return [row._mapping for row in connection.execute(base.where(*conditions))]

    found: list[sa.RowMapping] = []
    parts = _REF.fullmatch(ref)
    if parts and parts["hash"]:
        by_task = [columns.task_id == parts["task"]] if parts["task"] else []
        return rows(columns.content_hash.startswith(parts["hash"]), *by_task)
    if parts and parts["task"]:
        every = rows(columns.task_id == parts["task"])
        found = [row for row in every if row["state"] in OPEN] or every
    if _HASH.fullmatch(ref):
        ids = {row["id"] for row in found}
        found += [row for row in rows(columns.content_hash.startswith(ref)) if row["id"] not in ids]
    return found


def _whole(connection: sa.Connection, row: sa.RowMapping, claim: claims.Claim | None) -> QueueItem:
    query = sa.select(schema.files.c.path, schema.files.c.data).where(schema.files.c.item_id == row["id"])
    try:
        return QueueItem(
            **{name: row[name] for name in _ENTRY_COLUMNS if name not in ("state", "verdict")},
            state=State(row["state"]),
            verdict=Verdict(row["verdict"]),
            claimed_by=claim.reviewer if claim else "",
            claimed_until=claim.until if claim else "",
            risk_reasons=tuple(json.loads(row["risk_reasons"])),
            folder=TaskFolder({path: _as_bytes(data) for path, data in connection.execute(query)}),
            report=Report.from_json(json.loads(row["report"])),
            brief=Brief.from_json(json.loads(row["brief"])),
            lineage=records.lineage_from_json(json.loads(row["lineage"])),
            events=events.of_item(connection, row["content_hash"]),
        )
    except (UsageError, ValueError) as error:
        found = error.found if isinstance(error, BootcampError) else str(error)
        raise MachineError(
            f"reading item {row['task_id']}@{row['content_hash'][:12]} from the review queue",
            f"what is stored of it is damaged: {found}",
            "restore the queue from a copy, or submit the candidate to a new queue",
        ) from error


def _as_bytes(data: object) -> bytes:
    """A stored file. Whoever wrote it past us may have left another type; its bytes then show by their hash."""
    return bytes(data) if isinstance(data, bytes | memoryview) else str(data).encode()
