"""One item inside a write transaction: what happens to it is an event, and the event moves its state."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import sqlalchemy as sa

from bootcamp_kit.jsondata import Json
from review import claims, events, known, lookup, schema
from review.calibration import Truth
from review.claims import Claim, Looked, timestamp
from review.events import Event
from review.item import STATE_AFTER, QueueItem
from review.people import same_person


class Change:
    """An item inside a write transaction: nobody else can change it until the block ends."""

    def __init__(self, connection: sa.Connection, item: QueueItem, now: datetime) -> None:
        self._connection = connection
        self._now = now
        self.item = item
        self.at = timestamp(now)

    def record(self, kind: str, *, actor: str, data: Mapping[str, Json]) -> Event:
        """Append an event and move the item to the state it leads to."""
        return record(
            self._connection, content_hash=self.item.content_hash, kind=kind, actor=actor, data=data, at=self.at
        )

    def looked(self, reviewer: str) -> Looked:
        """What this person opened of the item since they last decided on it."""
        mine = [event.at for event in self.item.events if same_person(event.actor, reviewer)]
        return claims.looked(self._connection, self.item.content_hash, reviewer, self._now, max(mine, default=""))

    def claim(self, reviewer: str, minutes: int) -> Claim:
        """See :meth:`Queue.claim`."""
        return claims.take(self._connection, self.item.content_hash, reviewer, self._now, minutes, self.item.ref)

    def truth(self) -> Truth | None:
        """What is known of the item beforehand; None for nearly every one."""
        return known.truth(self._connection, self.item.content_hash)

    def earlier_authors(self) -> tuple[str, ...]:
        """Who made the attempts that the item was repaired from, as far as this queue knows them."""
        return tuple(before.lineage.author for before in lookup.ancestors(self._connection, self.item, self._now))

    def end_claim(self) -> None:
        """Nobody is on it any more."""
        claims.drop(self._connection, self.item.content_hash)


def record(
    connection: sa.Connection, *, content_hash: str, kind: str, actor: str, data: Mapping[str, Json], at: str
) -> Event:
    """Append an event and move the item to the state it leads to, inside a write transaction."""
    event = events.append(connection, content_hash=content_hash, at=at, actor=actor, kind=kind, data=data)
    if kind in STATE_AFTER:
        connection.execute(
            schema.items.update()
            .where(schema.items.c.content_hash == content_hash)
            .values(state=STATE_AFTER[kind].value)
        )
    return event
