"""The review queue: candidates with their files, briefs and reports, waiting for a person.

States::

    queued ──► approved ──► merged
       │  ├──► rejected
       │  └──► returned ──► (repaired: a newer candidate comes in)
       └─────────────────► superseded   when a newer candidate of the same task arrives

Everything is keyed by content hash: the same candidate submitted twice is one item.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

import sqlalchemy as sa

from bootcamp_kit.candidate import Submission
from bootcamp_kit.errors import ReviewRuleError
from review import claims, events, intake, known, listing, lookup, schema, store
from review.calibration import Style, Truth
from review.change import Change
from review.claims import Claim, timestamp
from review.events import Event, LogCheck
from review.item import STATE_AFTER, QueueEntry, QueueItem, State
from review.listing import Filter, Page
from review.people import same_person

Clock = Callable[[], datetime]
"""Says what time it is; UTC."""


def utc_now() -> datetime:
    """The machine's clock."""
    return datetime.now(UTC)


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
        with self._store.write("submitting a candidate") as connection:
            return intake.take_in(connection, submission, timestamp(self._clock()))

    def submit_known(self, submission: Submission, truth: Truth) -> str:
        """Take an item in of which it is known whether it is broken; a second time changes nothing.

        Raises:
            MachineError: the database fails; nothing was stored.
        """
        with self._store.write("submitting a candidate") as connection:
            content_hash = intake.take_in(connection, submission, timestamp(self._clock()))
            known.put(connection, content_hash, truth)
        return content_hash

    def known_names(self) -> set[str]:
        """The names of all known items that were ever put in."""
        with self._store.read("counting items") as connection:
            return known.names(connection)

    def known_styles(self) -> dict[Style, int]:
        """How many known items of each style were ever put in."""
        with self._store.read("counting items") as connection:
            return known.styles(connection)

    def knows(self, task_id: str) -> bool:
        """Whether any item has this id."""
        with self._store.read("looking up an id") as connection:
            query = sa.select(schema.items.c.id).where(schema.items.c.task_id == task_id).limit(1)
            return connection.execute(query).first() is not None

    def others_waiting(self, *, at_most: int = 200) -> list[str]:
        """Content hashes of the newest items that wait and of which nothing is known beforehand."""
        with self._store.read("listing the queue") as connection:
            return known.others_waiting(connection, at_most)

    def truth(self, content_hash: str) -> Truth | None:
        """What is known of an item beforehand, for the one place that must show of it what its report shows."""
        with self._store.read("looking up an item") as connection:
            return known.truth(connection, content_hash)

    def counts(self) -> tuple[int, int]:
        """How many items wait, and how many known ones are among them."""
        with self._store.read("counting items") as connection:
            return known.waiting(connection)

    def items(self, *, states: Iterable[State] = (), task_id: str = "", limit: int | None = None) -> list[QueueEntry]:
        """The list by state and task; see :meth:`find`."""
        return list(self.find(Filter(states=tuple(states), task_id=task_id), limit=limit).entries)

    def find(self, wanted: Filter, *, limit: int | None = None, offset: int = 0) -> Page:
        """The wanted items: riskiest first, a share of low-risk ones among them, then the oldest first."""
        with self._store.read("listing the queue") as connection:
            return listing.find(connection, wanted, now=timestamp(self._clock()), limit=limit, offset=offset)

    def first_approvals(self, entries: Iterable[QueueEntry] | None = None) -> dict[str, str]:
        """Content hash → who approved it, of those (of all) items that wait for a second person's approval."""
        hashes = None if entries is None else [entry.content_hash for entry in entries if entry.state is State.QUEUED]
        if hashes == []:
            return {}
        with self._store.read("listing the queue") as connection:
            return listing.first_approvals(connection, hashes)

    def item(self, ref: str) -> QueueItem:
        """One item whole.

        Args:
            ref: A task id with one open item (or one item at all), at least six digits of a content hash, or
                ``task_id@hash``.

        Raises:
            UsageError: nothing or more than one item is meant; names the candidates.
        """
        with self._store.read(f"looking up {ref[:80]!r}") as connection:
            return lookup.item(connection, ref, self._clock())

    @contextmanager
    def change(self, ref: str, asked: str) -> Iterator[Change]:
        """One item in a write transaction, to judge and record in one go; rolled back when the block raises.

        Raises:
            UsageError: nothing or more than one item is meant.
            MachineError: the database fails.
        """
        with self._store.write(asked) as connection:
            now = self._clock()
            yield Change(connection, lookup.item(connection, ref, now), now)

    def claim(self, ref: str, reviewer: str, *, minutes: int = claims.CLAIM_MINUTES) -> Claim:
        """Say that a person is on an item; a second claim of theirs prolongs the first.

        Raises:
            ReviewRuleError: somebody else holds it, or it is not a person.
            UsageError: nothing or more than one item is meant.
        """
        with self.change(ref, f"claiming {ref[:80]}") as change:
            return change.claim(reviewer, minutes)

    def claim_next(
        self, reviewer: str, wanted: Filter | None = None, *, minutes: int = claims.CLAIM_MINUTES
    ) -> QueueItem | None:
        """Claim the first waiting item that this person may decide and nobody holds, or None.

        An item the person holds already comes first, so asking twice gives the same one.

        Raises:
            ReviewRuleError: not a person.
        """
        asked = replace(wanted or Filter(), states=(State.QUEUED,))
        with self._store.write("claiming the next item") as connection:
            now = self._clock()
            for entry in listing.in_turn(connection, asked, now=timestamp(now), first=reviewer):
                if same_person(reviewer, entry.author) or _has_approved(connection, entry.content_hash, reviewer):
                    continue
                claims.take(connection, entry.content_hash, reviewer, now, minutes, entry.ref)
                return lookup.by_hash(connection, entry.content_hash, now)
        return None

    def release(self, ref: str, reviewer: str) -> bool:
        """Give up one's claim; False when there is none.

        Raises:
            ReviewRuleError: it is somebody else's.
            UsageError: nothing or more than one item is meant.
        """
        with self.change(ref, f"releasing {ref[:80]}") as change:
            if change.item.claimed_by and not same_person(change.item.claimed_by, reviewer):
                raise ReviewRuleError(f"releasing {ref[:80]}", f"{change.item.claimed_by} holds it", "ask them")
            change.end_claim()
            return bool(change.item.claimed_by)

    def note(self, content_hash: str, reviewer: str, what: str) -> None:
        """Record that a person opened something of an item; goes into their decision on it."""
        with self._store.write("noting what was looked at") as connection:
            claims.note(connection, content_hash, reviewer, self._clock(), what)

    def opened(self, item: QueueItem, reviewer: str) -> tuple[str, ...]:
        """What a person opened of an item since it came in, or since its report last changed."""
        since = max((event.at for event in item.events if event.kind in ("submitted", "rechecked")), default="")
        with self._store.read("looking up what was opened") as connection:
            return claims.looked(connection, item.content_hash, reviewer, self._clock(), since).opened

    def judged(self, content_hash: str, reviewer: str) -> tuple[str, ...]:
        """What a person said so far of pairs of answers of an item, without being told before."""
        with self._store.read("looking up what was judged") as connection:
            return claims.judged(connection, content_hash, reviewer)

    def ancestors(self, item: QueueItem, *, at_most: int = 50) -> list[QueueItem]:
        """The earlier attempts it was repaired from, nearest first, as far as this queue knows them."""
        with self._store.read("looking up earlier attempts") as connection:
            return lookup.ancestors(connection, item, self._clock(), at_most=at_most)

    def events(self) -> list[Event]:
        """The whole log, oldest first."""
        with self._store.read("reading the log") as connection:
            return list(events.every(connection))

    def verify_log(self) -> LogCheck:
        """Walk the hash chain, and compare every item's state with what its events say."""
        with self._store.read("verifying the log") as connection:
            implied: dict[str, State] = {}
            count, head, problems = events.check_chain(_noting(events.every(connection), implied))
            query = sa.select(schema.items.c.task_id, schema.items.c.content_hash, schema.items.c.state)
            for task_id, content_hash, state in connection.execute(query):
                said = implied.pop(content_hash, None)
                if said is None:
                    problems.append(f"item {task_id}@{content_hash[:12]} has no event")
                elif said != state:
                    problems.append(f"item {task_id}@{content_hash[:12]} is {state}, its events say {said}")
            problems += [f"events of {content_hash[:12]} are left, its item is gone" for content_hash in implied]
        return LogCheck(count, head, tuple(problems))


def _has_approved(connection: sa.Connection, content_hash: str, reviewer: str) -> bool:
    """Whether this person gave the first of two approvals already."""
    return any(
        event.kind == "endorsed" and same_person(event.actor, reviewer)
        for event in events.of_item(connection, content_hash)
    )


def _noting(log: Iterable[Event], implied: dict[str, State]) -> Iterator[Event]:
    for event in log:
        if event.kind in STATE_AFTER:
            implied[event.content_hash] = STATE_AFTER[event.kind]
        yield event
