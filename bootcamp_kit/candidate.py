"""An unapproved task: its files, and who made which attempt from what."""

from __future__ import annotations

from dataclasses import dataclass

from bootcamp_kit.brief import Brief
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Report


@dataclass(frozen=True, slots=True)
class Lineage:
    """Who made a candidate from what.

    Attributes:
        author: ``compiler/VERSION``, ``PROVIDER:MODEL`` or a person's name.
        brief_hash: ``Brief.hash``.
        attempt: 1 for the first draft, one more after each repair.
        index: which of the N parallel candidates.
        parent: content hash of the attempt this one repairs, or "".
        prompts: prompt file → its SHA-256, for a model author.
        run: id of the authoring run.
    """

    author: str
    brief_hash: str
    attempt: int = 1
    index: int = 0
    parent: str = ""
    prompts: tuple[tuple[str, str], ...] = ()
    run: str = ""

    def __post_init__(self) -> None:
        if self.attempt < 1 or self.index < 0 or not self.author:
            raise UsageError(
                "lineage", f"attempt {self.attempt}, index {self.index}, author {self.author!r}", "count from 1, 0"
            )


@dataclass(frozen=True, slots=True)
class Candidate:
    """One attempt at a task."""

    folder: TaskFolder
    lineage: Lineage

    @property
    def content_hash(self) -> str:
        """The folder's content hash; a candidate is named by it."""
        return self.folder.content_hash


@dataclass(frozen=True, slots=True)
class Submission:
    """What authoring hands to review: a candidate, its brief, and the report of its gate."""

    candidate: Candidate
    brief: Brief
    report: Report

    def __post_init__(self) -> None:
        if self.report.content_hash != self.candidate.content_hash:
            raise UsageError(
                "submitting a candidate", "the report is about other bytes", "run the gate on this candidate"
            )
