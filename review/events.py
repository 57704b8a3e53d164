"""The append-only log of the queue: every event carries the hash of the one before it.

A changed, removed or inserted event breaks the chain at its place. What a chain alone cannot show is that its newest
events were cut off; for that, the hash of the approving event is written into the merge (``evidence/record.toml``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from bootcamp_kit.jsondata import Json, canonical, digest
from review import schema

GENESIS = "0" * 64


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened to one item.

    Attributes:
        seq: 1, 2, 3 … over the whole queue.
        content_hash: The item.
        at: UTC, ISO 8601 with seconds.
        actor: Who did it: an author, or a person as ``Name <mail>``.
        kind: ``submitted``, ``rechecked``, ``superseded``, ``endorsed``, ``approved``, ``rejected``, ``returned``,
            ``withdrawn``, ``merged``, ``calibrated``.
        data: What else belongs to it.
        prev: ``hash`` of the event before.
        hash: Hex SHA-256 over all of the above.
    """

    seq: int
    content_hash: str
    at: str
    actor: str
    kind: str
    data: Mapping[str, Json]
    prev: str
    hash: str

    @property
    def sound(self) -> bool:
        """Whether the hash is that of the content."""
        return self.hash == _hash(self.seq, self.content_hash, self.at, self.actor, self.kind, self.data, self.prev)


@dataclass(frozen=True, slots=True)
class LogCheck:
    """What a walk over the whole log found: how many events (``count``), the newest hash, and what is wrong."""

    count: int
    head: str
    problems: tuple[str, ...]

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def append(
    connection: sa.Connection, *, content_hash: str, at: str, actor: str, kind: str, data: Mapping[str, Json]
) -> Event:
    """Add one event inside a write transaction."""
    last = connection.execute(
        sa.select(schema.events.c.seq, schema.events.c.hash).order_by(schema.events.c.seq.desc()).limit(1)
    ).first()
    seq, prev = (last.seq + 1, last.hash) if last else (1, GENESIS)
    event = Event(
        seq, content_hash, at, actor, kind, dict(data), prev, _hash(seq, content_hash, at, actor, kind, data, prev)
    )
    connection.execute(
        schema.events.insert().values(
            seq=seq,
            content_hash=content_hash,
            at=at,
            actor=actor,
            kind=kind,
            data=canonical(dict(data)).decode(),
            prev=prev,
            hash=event.hash,
        )
    )
    return event


def of_item(connection: sa.Connection, content_hash: str) -> tuple[Event, ...]:
    """All events of one item, oldest first."""
    query = sa.select(schema.events).where(schema.events.c.content_hash == content_hash).order_by(schema.events.c.seq)
    return tuple(_event(row) for row in connection.execute(query))


def every(connection: sa.Connection) -> Iterable[Event]:
    """All events, oldest first, streamed."""
    rows = connection.execution_options(yield_per=1000).execute(sa.select(schema.events).order_by(schema.events.c.seq))
    return (_event(row) for row in rows)


def check_chain(events: Iterable[Event]) -> tuple[int, str, list[str]]:
    """Count, newest hash, and every break of the chain in words."""
    count, prev, problems = 0, GENESIS, []
    for event in events:
        count += 1
        if event.seq != count:
            problems.append(f"event {event.seq} stands where event {count} should")
            count = event.seq
        if event.prev != prev:
            problems.append(f"event {event.seq} does not follow the event before it")
        if not event.sound:
            problems.append(f"event {event.seq} ({event.kind} by {event.actor}) was changed after it was written")
        prev = event.hash
    return count, prev, problems


def _event(row: sa.Row[tuple[object, ...]]) -> Event:
    raw = row._mapping
    try:
        data = json.loads(raw["data"])
    except ValueError:
        data = {"unreadable": raw["data"]}
    return Event(raw["seq"], raw["content_hash"], raw["at"], raw["actor"], raw["kind"], data, raw["prev"], raw["hash"])


def _hash(seq: int, content_hash: str, at: str, actor: str, kind: str, data: Mapping[str, Json], prev: str) -> str:
    return digest(canonical([prev, seq, content_hash, at, actor, kind, dict(data)]))
