"""Who writes: the protocol, what it is given, what it may give back; and the compiler as an author."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from authoring.runs import RunFolder
from bootcamp_kit.brief import Brief
from bootcamp_kit.candidate import Candidate
from bootcamp_kit.report import Finding


@dataclass(frozen=True, slots=True)
class Assignment:
    """One turn's work.

    Attributes:
        index: Which of the N candidates.
        number: Which turn on it, from 1; corrections of unusable replies count as well as repairs.
        complaint: Why the reply of the turn before could not be used, or "".
        run: For transcripts.
        specification: What an analyst made of the brief, as text; "" for none.
    """

    brief: Brief
    index: int
    number: int
    run: RunFolder
    complaint: str = ""
    specification: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """The author will not do it, and asking again would not help."""

    stage: str
    reason: str


@dataclass(frozen=True, slots=True)
class Unusable:
    """A reply without usable files; the author may be told why and asked again."""

    reason: str


Draft: TypeAlias = Candidate | Refused | Unusable


class Author(Protocol):
    """Writes candidates. Every method may be called again with the same assignment after a crash."""

    @property
    def name(self) -> str:
        """For lineage and card: ``compiler/VERSION`` or ``PROVIDER:MODEL``."""

    @property
    def deterministic(self) -> bool:
        """Whether asking twice gives the same: then one candidate and no repairs."""

    async def draft(self, work: Assignment) -> Draft:
        """Write a task from a brief.

        Raises:
            ProviderError: the model could not be asked.
            MachineError: the sandbox or the disk failed.
        """

    async def repair(self, work: Assignment, candidate: Candidate, findings: Sequence[Finding], reason: str) -> Draft:
        """Mend a candidate; the smallest change.

        Args:
            work: The turn.
            candidate: What is to be mended.
            findings: What was measured against it, with witnesses.
            reason: What a reviewer said, or "".

        Raises:
            ProviderError: the model could not be asked.
        """

    async def close(self) -> None:
        """Give connections back; called when a run stops, in the loop it ran in. The author may be used again."""
