"""The list of items: filters, order and search. Reads only the slim table."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import sqlalchemy as sa

from bootcamp_kit.errors import UsageError
from review import claims, lookup, schema
from review.item import DECISION_KINDS, QueueEntry, State
from review.migrations import search_text
from review.people import same_person
from review.states import ENDORSED

MAX_SEARCH_CHARS = 200
TURN = 100
MAX_NAMED = 500
"""So many items are asked for by name; for more, all events are read."""


@dataclass(frozen=True, slots=True)
class Filter:
    """What is wanted of the list; an empty value asks for nothing.

    Attributes:
        states: One of these.
        task_id: Exactly this one.
        family: Exactly this one.
        author: Its maker contains this, in any case.
        min_risk: At least so many points, 0 to 100.
        search: Every word is somewhere in id, family, title or author, in any case.

    Raises:
        UsageError: a risk outside 0…100, or an endless search.
    """

    states: tuple[State, ...] = ()
    task_id: str = ""
    family: str = ""
    author: str = ""
    min_risk: int = 0
    search: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "states", tuple(self.states))
        if not 0 <= self.min_risk <= 100:
            raise UsageError("listing the queue", f"a risk of {self.min_risk}", "risk goes from 0 to 100")
        if len(self.search) > MAX_SEARCH_CHARS or len(self.author) > MAX_SEARCH_CHARS:
            raise UsageError("listing the queue", "a very long search", f"use at most {MAX_SEARCH_CHARS} characters")


@dataclass(frozen=True, slots=True)
class Page:
    """A part of the list, and how long all of it is."""

    entries: tuple[QueueEntry, ...]
    total: int


def find(connection: sa.Connection, wanted: Filter, *, now: str, limit: int | None = None, offset: int = 0) -> Page:
    """The wanted items: riskiest first, a share of low-risk ones among them, then the oldest first.

    A search looks through every item, so how many it finds is counted in the same pass; without one an index counts.
    """
    conditions = list(_conditions(wanted))
    items = schema.items
    part = limit is not None or bool(offset)
    counted = part and bool(wanted.search or wanted.author)
    columns = (*lookup.LIST_COLUMNS, *([sa.func.count().over()] if counted else []))
    rank = items.c.rank if part else items.c.rank + 0  # all of it is sorted faster than followed through the index
    query = sa.select(*columns).where(*conditions).order_by(rank.desc(), items.c.id).limit(limit).offset(offset or None)
    held = claims.holding(connection, now)
    with _collector_at_rest():
        rows = connection.execute(query).all()
        entries = tuple([lookup.entry_of_list(row, held.get(row[4], claims.NOBODY)) for row in rows])
    if not part or (counted and rows):
        return Page(entries, rows[0][-1] if counted else len(entries))
    if counted and not offset:
        return Page(entries, 0)
    total = connection.scalar(sa.select(sa.func.count()).select_from(items).where(*conditions))
    return Page(entries, int(total or 0))


def in_turn(connection: sa.Connection, wanted: Filter, *, now: str, first: str) -> Iterator[QueueEntry]:
    """The wanted items that nobody else holds, those that ``first`` holds before the others; read as far as needed."""
    mine = {held for held, claim in claims.holding(connection, now).items() if same_person(claim.reviewer, first)}
    conditions = (*_conditions(wanted), schema.items.c.content_hash.in_(mine))
    query = sa.select(*lookup.LIST_COLUMNS).where(*conditions)
    query = query.order_by(schema.items.c.rank.desc(), schema.items.c.id)
    for row in connection.execute(query).all() if mine else ():
        yield lookup.entry_of_list(row, claims.NOBODY)
    offset = 0
    while True:
        entries = find(connection, wanted, now=now, limit=TURN, offset=offset).entries
        yield from (entry for entry in entries if not entry.claimed_by)
        if len(entries) < TURN:
            return
        offset += TURN


def first_approvals(connection: sa.Connection, hashes: Sequence[str] | None = None) -> dict[str, str]:
    """Content hash → who approved it, of those (of all) whose standing decision is the first of two approvals."""
    columns = schema.events.c
    few = hashes is not None and len(hashes) <= MAX_NAMED
    among = [columns.content_hash.in_(hashes or ())] if few else []
    once = sa.select(columns.content_hash).where(columns.kind == ENDORSED, *among)
    query = sa.select(columns.content_hash, columns.kind, columns.actor).where(columns.content_hash.in_(once))
    standing: dict[str, list[tuple[str, str]]] = {}
    for content_hash, kind, actor in connection.execute(query.order_by(columns.seq)):
        made = standing.setdefault(content_hash, [])
        if kind in DECISION_KINDS:
            made.append((kind, actor))
        elif kind == "withdrawn" and made:
            made.pop()
    found = {one: made[-1][1] for one, made in standing.items() if made and made[-1][0] == ENDORSED}
    return found if hashes is None else {one: found[one] for one in hashes if one in found}


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """100,000 lines are as many new objects, none of them garbage: looking for some took two fifths of the time."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _conditions(wanted: Filter) -> Iterable[sa.ColumnElement[bool]]:
    columns = schema.items.c
    if wanted.states:
        yield columns.state.in_([state.value for state in wanted.states])
    if wanted.task_id:
        yield columns.task_id == wanted.task_id
    if wanted.family:
        yield columns.family == wanted.family
    if wanted.author:
        yield sa.func.lower(columns.author).contains(wanted.author.lower(), autoescape=True)
    if wanted.min_risk:
        yield columns.risk >= wanted.min_risk
    for word in search_text(wanted.search).split():
        yield columns.search.contains(word, autoescape=True)
