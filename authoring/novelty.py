"""How near a candidate is to the tasks that are there already. Nothing is run and nothing is dropped: it is shown."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from bootcamp_kit.errors import BootcampError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import Json
from bootcamp_kit.library import Library
from bootcamp_kit.report import CheckResult, Finding, Severity, Status
from bootcamp_kit.similarity import Shape, code_shape, likeness, text_shape

CHECK, NEAR_DUPLICATE = "compare.novelty", "compare.near_duplicate"
SHOWN = 3
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
class _Known:
    task_id: str
    code: Shape
    statement: Shape


class Catalogue:
    """The library's shapes, read once."""

    def __init__(self, library: Library) -> None:
        self._known = [known for entry in library.scan()[0] if (known := _read(entry.path)) is not None]

    def nearest(self, folder: TaskFolder, threshold: float) -> Novelty:
        """The tasks most like a candidate; one of the same id is an earlier version and is left out."""
        mine = _known(folder)
        found = [
            Likeness(known.task_id, likeness(mine.code, known.code), likeness(mine.statement, known.statement))
            for known in self._known
            if known.task_id != mine.task_id
        ]
        found.sort(key=lambda item: (-item.most, item.task_id))
        return Novelty(tuple(found[:SHOWN]), len(found), threshold)


def _read(path: Any) -> _Known | None:
    try:
        return _known(TaskFolder.read(path))
    except (BootcampError, OSError):
        return None


def _known(folder: TaskFolder) -> _Known:
    sources = {name: folder.files[name] for name in COMPARED_FILES if name in folder.files}
    page = folder.files.get("brief.md", b"").decode("utf-8", "replace")
    statement = re.sub(r"\n---\n\nSource: .*", "", page, flags=re.DOTALL)
    return _Known(folder.card.id, code_shape(sources), text_shape(statement))
