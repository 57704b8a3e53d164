"""The list of items: filters, order and search. Reads only the slim table."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import sqlalchemy as sa

from bootcamp_kit.errors import UsageError
from review import lookup, schema
from review.item import QueueEntry, State
from review.migrations import search_text

MAX_SEARCH_CHARS = 200


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
    """The wanted items: riskiest first, a share of low-risk ones among them, then the oldest first."""
    conditions = list(_conditions(wanted))
    items, claims = schema.items, schema.claims
    query = (
        sa.select(*lookup.LIST_COLUMNS)
        .select_from(items.outerjoin(claims, (claims.c.content_hash == items.c.content_hash) & (claims.c.until > now)))
        .where(*conditions)
        .order_by(items.c.rank.desc(), items.c.id)
        .limit(limit)
        .offset(offset or None)
    )
    with _collector_at_rest():
        entries = tuple(map(lookup.entry_of_list, connection.execute(query).all()))
    if limit is None and not offset:
        return Page(entries, len(entries))
    total = connection.scalar(sa.select(sa.func.count()).select_from(items).where(*conditions))
    return Page(entries, int(total or 0))


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
