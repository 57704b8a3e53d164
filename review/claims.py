"""Who is looking at what: claims that expire by themselves, and the record of what was looked at.

A claim says "I am on it" so that two people do not read the same candidate by accident. It is a courtesy with teeth:
while it holds nobody else can decide. It ends with a decision, with ``release``, or by the clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import sqlalchemy as sa

from bootcamp_kit.errors import ReviewRuleError
from review import schema
from review.opinions import JUDGED
from review.people import is_person, same_person

CLAIM_MINUTES = 30
MAX_CLAIM_MINUTES = 24 * 60
MAX_PAUSE_SECONDS = 5 * 60
_LAYOUT = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True, slots=True)
class Claim:
    """Somebody's hold on an item until a moment (UTC, ISO 8601)."""

    reviewer: str
    until: str


@dataclass(frozen=True, slots=True)
class Looked:
    """What one person looked at before deciding.

    Attributes:
        seconds: From the first look to now, each pause counted as five minutes at most; 0 without a look.
        opened: Names of what was opened, in order, each once.
    """

    seconds: int = 0
    opened: tuple[str, ...] = ()


def timestamp(moment: datetime) -> str:
    """UTC, ISO 8601 with seconds; sorts by time."""
    return moment.astimezone(UTC).strftime(_LAYOUT)


def holder(connection: sa.Connection, content_hash: str, now: datetime) -> Claim | None:
    """The claim that holds now, if any."""
    claims = schema.claims.c
    row = connection.execute(
        sa.select(claims.reviewer, claims.until).where(
            claims.content_hash == content_hash, claims.until > timestamp(now)
        )
    ).first()
    return Claim(row.reviewer, row.until) if row else None


NOBODY = Claim("", "")


def holding(connection: sa.Connection, now: str) -> dict[str, Claim]:
    """Content hash → the claim that holds now; there are as many as people at work."""
    claims = schema.claims.c
    rows = connection.execute(sa.select(claims.content_hash, claims.reviewer, claims.until).where(claims.until > now))
    return {row.content_hash: Claim(row.reviewer, row.until) for row in rows}


def take(connection: sa.Connection, content_hash: str, reviewer: str, now: datetime, minutes: int, ref: str) -> Claim:
    """Claim an item, or prolong one's own claim, inside a write transaction.

    Raises:
        ReviewRuleError: not a person, a silly duration, or somebody else holds it.
    """
    asked = f"claiming {ref}"
    if not is_person(reviewer):
        raise ReviewRuleError(asked, f"{reviewer[:80]!r} is not a named person", "set git's user.name and user.email")
    if not 1 <= minutes <= MAX_CLAIM_MINUTES:
        raise ReviewRuleError(asked, f"for {minutes} minutes", f"claim for 1 to {MAX_CLAIM_MINUTES} minutes")
    held = holder(connection, content_hash, now)
    if held and not same_person(held.reviewer, reviewer):
        raise ReviewRuleError(asked, f"{held.reviewer} has it until {held.until}", "take another, or wait")
    claim = Claim(reviewer.strip(), timestamp(now + timedelta(minutes=minutes)))
    drop(connection, content_hash)
    connection.execute(
        schema.claims.insert().values(content_hash=content_hash, reviewer=claim.reviewer, until=claim.until)
    )
    return claim


def drop(connection: sa.Connection, content_hash: str) -> None:
    """End a claim, whoever's it is."""
    connection.execute(schema.claims.delete().where(schema.claims.c.content_hash == content_hash))


def note(connection: sa.Connection, content_hash: str, reviewer: str, now: datetime, what: str) -> None:
    """Record that a person opened something of an item."""
    connection.execute(
        schema.looks.insert().values(
            content_hash=content_hash, reviewer=reviewer.strip(), at=timestamp(now), what=what[:80]
        )
    )


def looked(connection: sa.Connection, content_hash: str, reviewer: str, now: datetime, since: str = "") -> Looked:
    """What this person opened of this item since a moment."""
    columns = schema.looks.c
    rows = connection.execute(
        sa.select(columns.at, columns.what, columns.reviewer)
        .where(columns.content_hash == content_hash, columns.at >= since)
        .order_by(columns.id)
    ).all()
    mine = [row for row in rows if same_person(row.reviewer, reviewer)]
    if not mine:
        return Looked()
    moments = [*(datetime.strptime(row.at, _LAYOUT).replace(tzinfo=UTC) for row in mine), now]
    pauses = ((later - earlier).total_seconds() for earlier, later in pairwise(moments))
    seconds = sum(max(0, min(int(pause), MAX_PAUSE_SECONDS)) for pause in pauses)
    return Looked(seconds, tuple(dict.fromkeys(row.what for row in mine)))


def judged(connection: sa.Connection, content_hash: str, reviewer: str) -> tuple[str, ...]:
    """What this person said of pairs of answers of this item, oldest first, as it was noted."""
    columns = schema.looks.c
    rows = connection.execute(
        sa.select(columns.what, columns.reviewer)
        .where(columns.content_hash == content_hash, columns.what.startswith(JUDGED, autoescape=True))
        .order_by(columns.id)
    ).all()
    return tuple(row.what for row in rows if same_person(row.reviewer, reviewer))
