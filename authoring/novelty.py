"""How near a candidate is to the tasks that are there already. Nothing is dropped: it is shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bootcamp_kit.errors import BootcampError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import Json
from bootcamp_kit.library import Library
from bootcamp_kit.report import CheckResult, Finding, Severity, Status
from bootcamp_kit.similarity import Shape, code_shape, likeness, text_shape
from evaluation.statistics import share

CHECK, NEAR_DUPLICATE, SOLVED_ALREADY = "compare.novelty", "compare.near_duplicate", "compare.solver_transfer"
SHOWN, COMPARED_WHOLE, SAMPLED = 3, 20, 64
CHANCE = 0.5
"""A solver that is right on half of the cases may be a coin's throw on a yes or no."""
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
class Transfer:
    """How far one task's solver gets on another's cases.

    Attributes:
        task_id: Whose solver.
        solved: Cases that the new task's verifier gives full marks for.
        asked: Cases in all.
        names: (key of the library's payload, key of the new one's), those that differ.
    """

    task_id: str
    solved: int
    asked: int
    names: tuple[tuple[str, str], ...] = ()

    def certain(self, floor: float) -> bool:
        """Whether it solves more than guessing would: the whole interval lies above half, and above the guess floor."""
        return share(self.solved, self.asked).low > max(CHANCE, floor)

    @property
    def words(self) -> str:
        """In a line."""
        read = ", ".join(f"{new} as {known}" for known, new in self.names)
        return f"the reference solver of {self.task_id} solves {self.solved} of {self.asked} cases of this task" + (
            f" (it reads {read})" if read else ""
        )

    def to_json(self) -> dict[str, Any]:
        """For the run folder."""
        return {
            "task": self.task_id,
            "solved": self.solved,
            "asked": self.asked,
            "names": [list(p) for p in self.names],
        }

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Transfer:
        """Rebuild."""
        names = tuple((str(known), str(new)) for known, new in raw["names"])
        return cls(raw["task"], raw["solved"], raw["asked"], names)


@dataclass(frozen=True, slots=True)
class Novelty:
    """The nearest tasks, nearest first, of ``compared`` that were looked at.

    Attributes:
        transfers: How far the solvers of the nearest get on the candidate's cases.
        floor: The candidate's guess floor, which a solver has to beat to count.
        not_tried: Why no solver was tried, or "".
    """

    nearest: tuple[Likeness, ...]
    compared: int
    threshold: float
    transfers: tuple[Transfer, ...] = ()
    floor: float = 0.0
    not_tried: str = ""

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
        ) + tuple(
            Finding(
                SOLVED_ALREADY, Severity.MINOR, item.words, None, "see whether a model trained on that task learns more"
            )
            for item in self.transfers
            if item.certain(self.floor)
        )
        return CheckResult(CHECK, Status.FAIL if findings else Status.PASS, "", findings, self.figures)

    def with_transfers(self, found: tuple[Transfer, ...], floor: float, not_tried: str = "") -> Novelty:
        """The same with what solvers came to."""
        return replace(self, transfers=found, floor=floor, not_tried=not_tried)

    @property
    def words(self) -> str:
        """The nearest in a line."""
        if not self.nearest:
            return "nothing to compare with"
        first = self.nearest[0]
        told = f"nearest of {self.compared}: {first.task_id}, code {first.code:.2f}, statement {first.statement:.2f}"
        return "; ".join([told, *(item.words for item in self.transfers), *filter(None, [self.not_tried])])

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
            "transfers": [[item.task_id, item.solved, item.asked] for item in self.transfers],
            "not_tried": self.not_tried,
        }

    def to_json(self) -> dict[str, Any]:
        """For the run folder."""
        return {
            "nearest": [[item.task_id, item.code, item.statement] for item in self.nearest],
            "compared": self.compared,
            "threshold": self.threshold,
            "transfers": [item.to_json() for item in self.transfers],
            "floor": self.floor,
            "not_tried": self.not_tried,
        }

    @classmethod
    def from_json(cls, raw: dict[str, Any]) -> Novelty:
        """Rebuild."""
        return cls(
            tuple(Likeness(*item) for item in raw["nearest"]),
            raw["compared"],
            raw["threshold"],
            tuple(Transfer.from_json(item) for item in raw.get("transfers", ())),
            raw.get("floor", 0.0),
            raw.get("not_tried", ""),
        )


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

    def folder(self, task_id: str) -> TaskFolder | None:
        """The files of one of the tasks, or None where they can no longer be read."""
        path = next((known.path for known in self._known if known.task_id == task_id), None)
        try:
            return TaskFolder.read(path) if path else None
        except (BootcampError, OSError):
            return None


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
