"""Cases as export items: made in this process from approved tasks, distinct by payload, every seed accounted for."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import count

from bootcamp_kit import __version__
from bootcamp_kit.card import Card
from bootcamp_kit.case import Case
from bootcamp_kit.errors import MachineError, UsageError
from bootcamp_kit.jsondata import Json
from bootcamp_kit.library import Task
from evaluation.curriculum import Curriculum
from evaluation.export.licences import refusal
from evaluation.export.shards import json_text

PATIENCE = 20
"""Seeds tried for each wanted case before a generator counts as unable to supply more."""


@dataclass(frozen=True, slots=True)
class Item:
    """One case on its way out."""

    task: Task
    case: Case
    key: str
    prompt: str

    @property
    def name(self) -> str:
        """``task/level/seed``."""
        return f"{self.case.task_id}/{self.case.level}/{self.case.seed}"

    def identity(self) -> str:
        """What a reward function needs to score a response, as one JSON text: the same columns for every task."""
        return identity_text(self.case, self.task.content_hash)

    def lineage(self) -> dict[str, Json]:
        """Where the case comes from; only text and integers, the same keys for every task."""
        return lineage(self.task.card, self.task.content_hash, self.case, self.key)


def identity_text(case: Case, content_hash: str) -> str:
    """See :meth:`Item.identity`."""
    value = {
        "task_id": case.task_id,
        "content_hash": content_hash,
        "level": case.level,
        "seed": case.seed,
        "params": dict(case.params),
        "payload": case.payload,
    }
    return json_text(value)


def lineage(card: Card, content_hash: str, case: Case, key: str) -> dict[str, Json]:
    """See :meth:`Item.lineage`."""
    return {
        "task_id": card.id,
        "task_version": card.version,
        "content_hash": content_hash,
        "family": card.family,
        "level": case.level,
        "seed": case.seed,
        "key": key,
        "licence": card.source.licence,
        "source_name": card.source.name,
        "source_url": card.source.url,
        "attribution": card.source.attribution,
        "kit_version": __version__,
    }


@dataclass(frozen=True, slots=True)
class Selection:
    """Which cases.

    Attributes:
        levels: None takes all of each task.
        start, end: Seeds; ``end`` None is endless (or as far as ``per_level`` needs).
        per_level: Stop a level after so many distinct cases; None takes every seed of the range.
        excluded: Marks of cases that must not go out.
    """

    levels: tuple[int, ...] | None
    start: int
    end: int | None
    per_level: int | None = None
    excluded: Set[bytes] = frozenset()

    def seeds(self) -> Iterator[int]:
        """The seeds of one level, in order."""
        if self.per_level is None:
            return iter(range(self.start, self.end)) if self.end is not None else count(self.start)
        reach = self.start + PATIENCE * self.per_level
        return iter(range(self.start, reach if self.end is None else min(self.end, reach)))


@dataclass(slots=True)
class Counts:
    """What became of the seeds: ``asked`` is always the sum of the rest."""

    asked: int = 0
    written: int = 0
    duplicates: int = 0
    excluded: int = 0
    failed: dict[str, int] = field(default_factory=dict)
    short: dict[str, int] = field(default_factory=dict)

    @property
    def adds_up(self) -> bool:
        """Nothing was dropped silently."""
        return self.asked == self.settled

    @property
    def settled(self) -> int:
        """Seeds of which something became."""
        return self.written + self.duplicates + self.excluded + sum(self.failed.values())

    @property
    def words(self) -> str:
        """The sum for people."""
        failed = sum(self.failed.values())
        parts = f"{self.written} written + {self.duplicates} duplicates + {self.excluded} excluded + {failed} failed"
        return f"{self.asked} seeds asked = {parts}"

    def to_json(self) -> dict[str, Json]:
        """Plain data."""
        return {
            "asked": self.asked,
            "written": self.written,
            "duplicates": self.duplicates,
            "excluded": self.excluded,
            "failed": dict(sorted(self.failed.items())),
            "short": dict(sorted(self.short.items())),
        }


def case_mark(task_id: str, key: str) -> bytes:
    """SHA-256 of ``task_id/key``: equal for equal payloads of one task, whatever the seed."""
    return hashlib.sha256(f"{task_id}/{key}".encode()).digest()


def require_licences(tasks: Sequence[Task], allowed: Sequence[str] = ()) -> None:
    """Refuse before anything is written.

    Raises:
        UsageError: names every task that may not go out, and why.
    """
    refused = [(task.card.id, why) for task in tasks if (why := refusal(task.card.source.licence, allowed))]
    if refused:
        words = "; ".join(f"{name}: {why}" for name, why in refused[:10])
        raise UsageError(
            f"exporting {len(refused)} of {len(tasks)} tasks", words, "leave them out, or --allow-licence NAME"
        )


def require_levels(tasks: Sequence[Task], levels: Sequence[int] | None) -> None:
    """Refuse a level that a task lacks, before anything is written.

    Raises:
        UsageError: names the task.
    """
    for task in tasks:
        for level in levels or ():
            if level not in task.card.difficulty.levels:
                last = task.card.difficulty.levels[-1]
                raise UsageError(f"level {level} of {task.card.id}", f"its levels run from 1 to {last}", "name these")


def items(tasks: Sequence[Task], selection: Selection, counts: Counts) -> Iterator[Item]:
    """Distinct items in the order task, level, seed; ``counts`` is filled on the way.

    An item counts as written when it is handed out. Memory: 16 bytes of key for each case of one task.
    """
    for task in tasks:
        seen: set[bytes] = set()
        for level in selection.levels if selection.levels is not None else task.card.difficulty.levels:
            wanted = selection.per_level
            for seed in selection.seeds():
                if wanted == 0:
                    break
                item = _item(task, level, seed, selection, seen, counts)
                if item:
                    wanted = None if wanted is None else wanted - 1
                    yield item
            if wanted:
                counts.short[f"{task.card.id}/{level}"] = wanted


def mixed_items(
    tasks: Sequence[Task], curriculum: Curriculum, rows: int | None, selection: Selection, counts: Counts
) -> Iterator[Item]:
    """Distinct items as a curriculum draws them, ``rows`` of them or without end; ``counts`` is filled on the way.

    Ends early when :data:`PATIENCE` draws for each wanted row were not enough: ``counts.short`` says by how much.
    Memory: 16 bytes of key for each case.
    """
    by_id = {task.card.id: task for task in tasks}
    seen: dict[str, set[bytes]] = {name: set() for name in by_id}
    left = rows
    for number in count():
        if left == 0:
            return
        if rows is not None and number >= PATIENCE * rows:
            counts.short["mix"] = left or 0
            return
        draw = curriculum.draw()
        item = _item(by_id[draw.task_id], draw.level, draw.seed, selection, seen[draw.task_id], counts)
        if item:
            left = None if left is None else left - 1
            yield item


def _item(task: Task, level: int, seed: int, selection: Selection, seen: set[bytes], counts: Counts) -> Item | None:
    counts.asked += 1
    try:
        case = task.case(level, seed)
        key, prompt = case.key, task.prompt(case)
        prompt.encode("utf-8", "strict")
    except MachineError:  # the sandbox that makes a foreign task's cases: says nothing about this seed
        counts.asked -= 1
        raise
    except Exception as error:  # noqa: BLE001  (the boundary to task code: a seed that fails is counted, not hidden)
        name = f"{task.card.id}: {type(error).__name__}"
        counts.failed[name] = counts.failed.get(name, 0) + 1
        return None
    if selection.excluded and case_mark(task.card.id, key) in selection.excluded:
        counts.excluded += 1
        return None
    mark = bytes.fromhex(key)[:16]
    if mark in seen:
        counts.duplicates += 1
        return None
    seen.add(mark)
    counts.written += 1
    return Item(task, case, key, prompt)
