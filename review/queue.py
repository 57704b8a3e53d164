"""The review queue: candidates with their files, briefs and reports, waiting for a person.

States::

    queued ──► approved ──► merged
       │  ├──► rejected
       │  └──► returned ──► (repaired: a newer candidate comes in)
       └─────────────────► superseded   when a newer candidate of the same task arrives

Everything is keyed by content hash: the same candidate submitted twice is one item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import sqlalchemy as sa

from bootcamp_kit.candidate import Submission
from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import Json, canonical
from bootcamp_kit.report import Report, Verdict, to_json
from review import events, lookup, records, store
from review.events import Event, LogCheck
from review.item import STATE_AFTER, QueueEntry, QueueItem, State

Clock = Callable[[], datetime]
"""Says what time it is; UTC."""


def utc_now() -> datetime:
    """The machine's clock."""
    return datetime.now(UTC)


class Change:
    """An item inside a write transaction: nobody else can change it until the block ends."""

    def __init__(self, connection: sa.Connection, item: QueueItem, at: str) -> None:
        self._connection = connection
        self.item = item
        self.at = at

    def record(self, kind: str, *, actor: str, data: Mapping[str, Json]) -> Event:
        """Append an event and move the item to the state it leads to."""
        return _record(
            self._connection, content_hash=self.item.content_hash, kind=kind, actor=actor, data=data, at=self.at
        )


class Queue:
    """The queue in one database.

    Args:
        target: Path of a SQLite file, or a database URL.
        clock: Says what time it is, in UTC.
        busy_seconds: How long to wait for another process.
        create: Make the database when it is missing.

    Raises:
        UsageError: not a review queue, or of another schema version.
        MachineError: it cannot be opened.
    """

    def __init__(
        self,
        target: str | Path,
        clock: Clock = utc_now,
        *,
        busy_seconds: float = store.BUSY_SECONDS,
        create: bool = True,
    ) -> None:
        self._store = store.Store(target, busy_seconds=busy_seconds, create=create)
        self._clock = clock

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the database."""
        self._store.close()

    def submit(self, submission: Submission) -> str:
        """Take a candidate in and return its content hash, which names it from here on.

        The same content a second time changes nothing, except that a report that now says something replaces an
        inconclusive one while the item waits. Waiting older candidates of the same task are superseded.

        Raises:
            MachineError: the database fails; nothing was stored.
        """
        content_hash = submission.candidate.content_hash
        with self._store.write("submitting a candidate") as connection:
            row = connection.execute(sa.select(store.items).where(store.items.c.content_hash == content_hash)).first()
            at = timestamp(self._clock())
            if row is not None:
                _recheck(connection, row._mapping, submission, at)
                return content_hash
            values = _row(submission, at)
            item_id = connection.execute(store.items.insert().values(**values)).inserted_primary_key
            assert item_id is not None
            connection.execute(
                store.files.insert(),
                [
                    {"item_id": item_id[0], "path": path, "data": data}
                    for path, data in submission.candidate.folder.files.items()
                ],
            )
            actor = submission.candidate.lineage.author
            facts = {
                "report_hash": submission.report.hash,
                "brief_hash": records.stored_hash(submission.brief),
                "lineage_hash": records.stored_hash(submission.candidate.lineage),
            }
            _record(connection, content_hash=content_hash, kind="submitted", actor=actor, data=facts, at=at)
            older = sa.select(store.items.c.content_hash).where(
                store.items.c.task_id == values["task_id"],
                store.items.c.content_hash != content_hash,
                store.items.c.state.in_([State.QUEUED, State.RETURNED]),
            )
            for old in connection.scalars(older.order_by(store.items.c.id)).all():
                _record(connection, content_hash=old, kind="superseded", actor=actor, data={"by": content_hash}, at=at)
        return content_hash

    def items(self, *, states: Iterable[State] = (), task_id: str = "", limit: int | None = None) -> list[QueueEntry]:
        """The list, oldest first; all states when none is named."""
        query = sa.select(store.items).order_by(store.items.c.id).limit(limit)
        wanted = list(states)
        if wanted:
            query = query.where(store.items.c.state.in_(wanted))
        if task_id:
            query = query.where(store.items.c.task_id == task_id)
        query = query.with_only_columns(*[store.items.c[name] for name in lookup.ENTRY_COLUMNS])
        with self._store.read("listing the queue") as connection:
            return [lookup.entry(row._mapping) for row in connection.execute(query)]

    def item(self, ref: str) -> QueueItem:
        """One item whole.

        Args:
            ref: A task id with one open item (or one item at all), at least six digits of a content hash, or
                ``task_id@hash``.

        Raises:
            UsageError: nothing or more than one item is meant; names the candidates.
        """
        with self._store.read(f"looking up {ref[:80]!r}") as connection:
            return lookup.item(connection, ref)

    @contextmanager
    def change(self, ref: str, asked: str) -> Iterator[Change]:
        """One item in a write transaction, to judge and record in one go; rolled back when the block raises.

        Raises:
            UsageError: nothing or more than one item is meant.
            MachineError: the database fails.
        """
        with self._store.write(asked) as connection:
            yield Change(connection, lookup.item(connection, ref), timestamp(self._clock()))

    def ancestors(self, item: QueueItem, *, at_most: int = 50) -> list[QueueItem]:
        """The earlier attempts it was repaired from, nearest first, as far as this queue knows them."""
        found: list[QueueItem] = []
        seen = {item.content_hash}
        parent = item.lineage.parent
        with self._store.read("looking up earlier attempts") as connection:
            while parent and parent not in seen and len(found) < at_most:
                seen.add(parent)
                row = connection.execute(sa.select(store.items).where(store.items.c.content_hash == parent)).first()
                if row is None:
                    break
                found.append(lookup.whole(connection, row._mapping))
                parent = found[-1].lineage.parent
        return found

    def events(self) -> list[Event]:
        """The whole log, oldest first."""
        with self._store.read("reading the log") as connection:
            return list(events.every(connection))

    def verify_log(self) -> LogCheck:
        """Walk the hash chain, and compare every item's state with what its events say."""
        with self._store.read("verifying the log") as connection:
            implied: dict[str, State] = {}
            count, head, problems = events.check_chain(_noting(events.every(connection), implied))
            query = sa.select(store.items.c.task_id, store.items.c.content_hash, store.items.c.state)
            for task_id, content_hash, state in connection.execute(query):
                said = implied.pop(content_hash, None)
                if said is None:
                    problems.append(f"item {task_id}@{content_hash[:12]} has no event")
                elif said != state:
                    problems.append(f"item {task_id}@{content_hash[:12]} is {state}, its events say {said}")
            problems += [f"events of {content_hash[:12]} are left, its item is gone" for content_hash in implied]
        return LogCheck(count, head, tuple(problems))


def timestamp(moment: datetime) -> str:
    """UTC, ISO 8601 with seconds."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _row(submission: Submission, at: str) -> dict[str, Any]:
    """What is stored of a submission; a card that cannot be read leaves the brief's words in its place."""
    brief, report = submission.brief, submission.report
    try:
        card = submission.candidate.folder.card
        named = {"task_id": card.id, "family": card.family, "title": card.title, "version": card.version}
    except UsageError:
        named = {"task_id": brief.id, "family": brief.family, "title": brief.title, "version": ""}
    return {
        **named,
        "content_hash": submission.candidate.content_hash,
        "state": State.QUEUED,
        "author": submission.candidate.lineage.author,
        "licence": brief.source.licence,
        "created": at,
        "brief": records.stored(brief),
        "lineage": records.stored(submission.candidate.lineage),
        **_report_columns(report),
    }


def _report_columns(report: Report) -> dict[str, Any]:
    return {
        "verdict": report.verdict,
        "findings": len(report.findings),
        "report": canonical(to_json(report)).decode(),
    }


def _recheck(connection: sa.Connection, row: sa.RowMapping, submission: Submission, at: str) -> None:
    inconclusive = row["verdict"] == Verdict.INCONCLUSIVE and row["state"] == State.QUEUED
    if not inconclusive or submission.report.verdict is Verdict.INCONCLUSIVE:
        return
    connection.execute(
        store.items.update().where(store.items.c.id == row["id"]).values(**_report_columns(submission.report))
    )
    _record(
        connection,
        content_hash=row["content_hash"],
        kind="rechecked",
        actor=submission.candidate.lineage.author,
        data={"report_hash": submission.report.hash},
        at=at,
    )


def _record(
    connection: sa.Connection, *, content_hash: str, kind: str, actor: str, data: Mapping[str, Json], at: str
) -> Event:
    event = events.append(connection, content_hash=content_hash, at=at, actor=actor, kind=kind, data=data)
    if kind in STATE_AFTER:
        connection.execute(
            store.items.update().where(store.items.c.content_hash == content_hash).values(state=STATE_AFTER[kind])
        )
    return event


def _noting(log: Iterable[Event], implied: dict[str, State]) -> Iterator[Event]:
    for event in log:
        if event.kind in STATE_AFTER:
            implied[event.content_hash] = STATE_AFTER[event.kind]
        yield event
