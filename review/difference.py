"""What differs between an item and something that was there before: lines, file by file.

Before means, in this order: the attempt of the same task that this reviewer saw last; the attempt it was repaired from;
the newest other attempt in the queue; the version that stands in the library. Without any of these, on request, the
nearest task.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bootcamp_kit.counted import counted
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from review.html_text import lines_of
from review.item import QueueItem, State
from review.nearest import nearest
from review.people import same_person
from review.queue import Queue
from review.visible import visible

if TYPE_CHECKING:
    from rich.text import Text

MAX_LINES, MAX_LINE_CHARS = 600, 2_000
_DECIDED = (State.RETURNED, State.SUPERSEDED, State.REJECTED, State.MERGED, State.APPROVED)


@dataclass(frozen=True, slots=True)
class Before:
    """Something to compare with, and what it is in words."""

    words: str
    files: Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class FileDifference:
    """One file: lines added, lines taken away, and the difference as unified lines."""

    path: str
    added: int
    removed: int
    lines: tuple[str, ...]


def before_of(queue: Queue, item: QueueItem, reviewer: str, library: Path | None = None) -> Before | None:
    """What the item is to be compared with on a second look; None for what nobody has seen anything of."""
    earlier = [
        queue.item(entry.content_hash)
        for entry in queue.items(states=_DECIDED, task_id=item.task_id, limit=50)
        if entry.content_hash != item.content_hash
    ]
    earlier.sort(key=lambda one: one.events[0].seq, reverse=True)
    mine = [one for one in earlier if any(same_person(event.actor, reviewer) for event in one.decision_events)]
    parent = [one for one in earlier if one.content_hash == item.lineage.parent]
    for words, found in (("what you decided on", mine), ("what it was repaired from", parent), ("before", earlier)):
        if found:
            return Before(f"{words}: {found[0].ref}, {found[0].state}", found[0].folder.files)
    return standing_before(item, library)


def standing_before(item: QueueItem, library: Path | None) -> Before | None:
    """The version of the task that stands in the library."""
    path = library / item.family / item.task_id if library else None
    if path is None or not path.is_dir():
        return None
    try:
        folder = TaskFolder.read(path)
        words = f"version {folder.card.version} in the library"
    except UsageError:
        return None
    return Before(words, folder.files) if folder.content_hash != item.content_hash else None


def nearest_before(item: QueueItem, library: Path | None) -> Before | None:
    """The most alike task of the library."""
    for near in nearest(item, library, at_most=1) if library else ():
        try:
            return Before(near.words, TaskFolder.read(near.path).files)
        except UsageError:
            continue
    return None


def differences(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> list[FileDifference]:
    """Every file that differs: code first, and of each kind the most changed first."""
    found = list(_differences(old, new))
    return sorted(found, key=lambda one: (not one.path.endswith(".py"), -(one.added + one.removed), one.path))


def _differences(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> Iterator[FileDifference]:
    for path in sorted({*old, *new}):
        if old.get(path) == new.get(path):
            continue
        before, after = (lines_of(files[path]) if path in files else [] for files in (old, new))
        lines = list(difflib.unified_diff(before, after, lineterm="", n=2))[2:]
        added, removed = (sum(line.startswith(sign) for line in lines) for sign in "+-")
        cut = [f"… {counted(len(lines) - MAX_LINES, 'more line')}"] if len(lines) > MAX_LINES else []
        yield FileDifference(path, added, removed, (*lines[:MAX_LINES], *cut))


def summary(found: list[FileDifference]) -> str:
    """In a line: files with their counts."""
    return ", ".join(f"{one.path} +{one.added} −{one.removed}" for one in found) or "nothing"


def page(before: Before, new: Mapping[str, bytes]) -> Text:
    """The differences as terminal text; nothing in them has an effect."""
    from rich.text import Text

    found = differences(before.files, new)
    text = Text(f"against {before.words}\n{summary(found)}\n")
    for one in found:
        text.append(f"\n{one.path}\n", style="bold cyan")
        for line in one.lines:
            style = {"+": "green", "-": "red", "@": "dim"}.get(line[:1], "")
            text.append(visible(line, at_most=MAX_LINE_CHARS) + "\n", style=style)
    return text
