"""How near a candidate is to the tasks that are there already. Nothing is run and nothing is dropped: it is shown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bootcamp_kit.errors import BootcampError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import Json
from bootcamp_kit.library import Library
from bootcamp_kit.report import CheckResult, Finding, Severity, Status
from bootcamp_kit.similarity import Shape, code_shape, likeness, text_shape

CHECK, NEAR_DUPLICATE = "compare.novelty", "compare.near_duplicate"
SHOWN, COMPARED_WHOLE, SAMPLED = 3, 20, 64
COMPARED_FILES = ("bootcamp.py", "oracle.py")


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike a candidate and one task of the library are, 0 … 1."""

    task_id: str
    code: float
    statement: float

    @property
    def most(self) -> float:
        """The larger of the two."""
        return max(self.code, self.statement)


@dataclass(frozen=True, slots=True)
class Novelty:
    """The nearest tasks, nearest first, of ``compared`` that were looked at."""

    nearest: tuple[Likeness, ...]
    compared: int
    threshold: float

    def result(self) -> CheckResult:
        """As part of a report: near duplicates are minor findings, for the reviewer to judge."""
        near = [item for item in self.nearest if item.most >= self.threshold]
        findings = tuple(
            Finding(
                NEAR_DUPLICATE,
                Severity.MINOR,
                f"it is much like {item.task_id} of the library: code {item.code:.2f}, statement {item.statement:.2f}",
                None,
                "see whether it asks anything new",
            )
            for item in near
        )
        return CheckResult(CHECK, Status.FAIL if near else Status.PASS, "", findings, self.figures)

    @property
    def words(self) -> str:
        """The nearest in a line."""
        if not self.nearest:
            return "nothing to compare with"
        first = self.nearest[0]
        return f"nearest of {self.compared}: {first.task_id}, code {first.code:.2f}, statement {first.statement:.2f}"

    @property
    def figures(self) -> dict[str, Json]:
        """For report and event."""
        first = self.nearest[0] if self.nearest else Likeness("", 0.0, 0.0)
        return {
            "nearest": first.task_id,
            "code": round(first.code, 4),
            "statement": round(first.statement, 4),
            "compared": self.compared,
            "others": [[item.task_id, round(item.code, 4), round(item.statement, 4)] for item in self.nearest[1:]],
        }

    def to_json(self) -> dict[str, Any]:
        """For the run folder."""
        return {
            "nearest": [[item.task_id, item.code, item.statement] for item in self.nearest],
            "compared": self.compared,
            "threshold": self.threshold,
        }

    @classmethod
    def from_json(cls, raw: dict[str, Any]) -> Novelty:
        """Rebuild."""
        return cls(tuple(Likeness(*item) for item in raw["nearest"]), raw["compared"], raw["threshold"])


@dataclass(frozen=True, slots=True)
class _Shapes:
    code: Shape
    statement: Shape


@dataclass(frozen=True, slots=True)
class _Known:
    """One task by a sample of its shapes: whole shapes of ten thousand tasks would take most of a gigabyte."""

    task_id: str
    path: Path
    code: frozenset[int]
    statement: frozenset[int]


class Catalogue:
    """The library's tasks, read once; kept are samples, and the nearest by them are read again and compared whole."""

    def __init__(self, library: Library) -> None:
        self._known = [known for entry in library.scan()[0] if (known := _known(entry.card.id, entry.path)) is not None]

    def nearest(self, folder: TaskFolder, threshold: float) -> Novelty:
        """The tasks most like a candidate; one of the same id is an earlier version and is left out."""
        task_id, mine = folder.card.id, _shapes(folder)
        code, statement = _sample(mine.code), _sample(mine.statement)
        others = [known for known in self._known if known.task_id != task_id]
        others.sort(
            key=lambda known: (
                -max(_overlap(code, known.code), _overlap(statement, known.statement)),
                known.task_id,
            )
        )
        found = []
        for known in others[:COMPARED_WHOLE]:
            theirs = _read(known.path)
            if theirs is not None:
                alike = (likeness(mine.code, theirs.code), likeness(mine.statement, theirs.statement))
                found.append(Likeness(known.task_id, *alike))
        found.sort(key=lambda item: (-item.most, item.task_id))
        return Novelty(tuple(found[:SHOWN]), len(others), threshold)


def _known(task_id: str, path: Path) -> _Known | None:
    shapes = _read(path)
    return _Known(task_id, path, _sample(shapes.code), _sample(shapes.statement)) if shapes else None


def _sample(shape: Shape) -> frozenset[int]:
    """The smallest hashes: equal parts of two shapes are sampled alike."""
    return frozenset(sorted(shape.runs)[:SAMPLED])


def _overlap(first: frozenset[int], second: frozenset[int]) -> float:
    return len(first & second) / max(1, min(len(first), len(second)))


def _read(path: Path) -> _Shapes | None:
    try:
        return _shapes(TaskFolder.read(path))
    except (BootcampError, OSError):
        return None


def _shapes(folder: TaskFolder) -> _Shapes:
    sources = {name: folder.files[name] for name in COMPARED_FILES if name in folder.files}
    page = folder.files.get("brief.md", b"").decode("utf-8", "replace")
    statement = re.sub(r"\n---\n\nSource: .*", "", page, flags=re.DOTALL)
    return _Shapes(code_shape(sources), text_shape(statement))
