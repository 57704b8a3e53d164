"""The table of known items: which items of the queue they are, and what is known of them."""

from __future__ import annotations

import sqlalchemy as sa

from review import schema
from review.calibration import Style, Truth
from review.states import State


def put(connection: sa.Connection, content_hash: str, told: Truth) -> None:
    """Remember what is known of an item; the first word on it stands."""
    if truth(connection, content_hash) is None:
        values = {"content_hash": content_hash, "name": told.name, "style": told.style.value, "fault": told.fault}
        connection.execute(schema.known.insert().values(**values))


def truth(connection: sa.Connection, content_hash: str) -> Truth | None:
    """What is known of an item, or None."""
    columns = schema.known.c
    query = sa.select(columns.name, columns.style, columns.fault).where(columns.content_hash == content_hash)
    row = connection.execute(query).first()
    return Truth(row.name, Style(row.style), row.fault) if row else None


def names(connection: sa.Connection) -> set[str]:
    """Of all that were ever put in."""
    return set(connection.scalars(sa.select(schema.known.c.name)))


def styles(connection: sa.Connection) -> dict[Style, int]:
    """How many of each style were ever put in."""
    columns = schema.known.c
    query = sa.select(columns.style, sa.func.count().label("many")).group_by(columns.style)
    return {Style(row.style): int(row.many) for row in connection.execute(query)}


def waiting(connection: sa.Connection) -> tuple[int, int]:
    """How many items wait, and how many of them are known."""
    items = schema.items.c
    every = sa.select(sa.func.count()).select_from(schema.items).where(items.state == State.QUEUED.value)
    some = every.where(items.content_hash.in_(sa.select(schema.known.c.content_hash)))
    return int(connection.scalar(every) or 0), int(connection.scalar(some) or 0)


def others_waiting(connection: sa.Connection, at_most: int) -> list[str]:
    """Content hashes of the newest waiting items that are not known beforehand, those of new tasks first."""
    items = schema.items.c
    query = (
        sa.select(items.content_hash)
        .where(
            items.state == State.QUEUED.value,
            items.content_hash.not_in(sa.select(schema.known.c.content_hash)),
        )
        .order_by(sa.case((items.version == "1.0.0", 0), else_=1), items.id.desc())
        .limit(at_most)
    )
    return list(connection.scalars(query))
