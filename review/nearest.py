"""The nearest tasks that exist already: in the library, by code and by statement. Nothing is run.

What is covered: copies, copies with other names and numbers, the same statement retold closely. What is not: the same
idea in other words and other code; a reviewer who knows the library sees more.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.similarity import Shape, code_shape, likeness, text_shape
from review.item import QueueItem

MAX_COMPARED = 100
"""By their statements all tasks are compared; by their code so many, the nearest by statement first."""
CLOSE = 0.6
"""From this likeness on a task is called close; measured: different tasks of one compiler stay below 0.45."""
SHOWN = 3


@dataclass(frozen=True, slots=True)
class Neighbour:
    """One task of the library and how like it is, 0..1."""

    task_id: str
    path: Path
    statement: float
    code: float

    @property
    def likeness(self) -> float:
        """The larger of both."""
        return max(self.statement, self.code)

    @property
    def words(self) -> str:
        """In a line."""
        close = ", CLOSE" if self.likeness >= CLOSE else ""
        return f"{self.task_id}: statement {self.statement:.0%}, code {self.code:.0%} alike{close}"


def nearest(item: QueueItem, library: Path, *, at_most: int = SHOWN) -> tuple[Neighbour, ...]:
    """The tasks of a library that are most like an item, nearest first; the one that it replaces is left out."""
    statement = text_shape(item.brief.text)
    places = [
        path.parent
        for path in sorted(library.glob("*/*/card.toml"))
        if path.parent.name != item.task_id and not path.parent.name.startswith(".")
    ]
    by_words = sorted(((likeness(statement, _statement(path)), path) for path in places), key=lambda pair: -pair[0])
    code = code_shape(item.folder.sources)
    found = [
        Neighbour(path.name, path, round(alike, 4), round(likeness(code, _code(path)), 4))
        for alike, path in by_words[:MAX_COMPARED]
    ]
    return tuple(sorted(found, key=lambda one: (-one.likeness, one.task_id))[:at_most])


def _statement(path: Path) -> Shape:
    try:
        return _text(path / "brief.md", _changed(path / "brief.md"))
    except OSError:
        return Shape({})


def _code(path: Path) -> Shape:
    try:
        return _sources(path, tuple((one.name, *_changed(one)) for one in sorted(path.glob("*.py"))))
    except OSError:
        return Shape({})


def _changed(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_mtime_ns, found.st_size


@lru_cache(maxsize=20_000)
def _text(path: Path, changed: tuple[int, int]) -> Shape:
    """``changed`` keeps the cache honest."""
    page = path.read_bytes()[:400_000].decode("utf-8", "replace")
    return text_shape(page.rpartition("\n---\n\nSource: ")[0] or page)


@lru_cache(maxsize=4 * MAX_COMPARED)
def _sources(path: Path, changed: tuple[tuple[str, int, int], ...]) -> Shape:
    """``changed`` keeps the cache honest."""
    try:
        return code_shape(TaskFolder.read(path).sources)
    except UsageError:
        return Shape({})
