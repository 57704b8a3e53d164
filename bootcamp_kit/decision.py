"""What a person decided about a candidate, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bootcamp_kit.brief import Brief
from bootcamp_kit.candidate import Candidate
from bootcamp_kit.errors import ReviewRuleError
from bootcamp_kit.report import Finding


class Choice(StrEnum):
    """The three things a reviewer can do."""

    APPROVE = "approve"
    REJECT = "reject"
    RETURN = "return"


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision by one person, bound to the bytes and the report that were looked at.

    Attributes:
        reviewer: ``Name <mail>`` from the git identity or given by name.
        at: UTC, ISO 8601 with seconds.

    Raises:
        ReviewRuleError: no reviewer, the author reviewing their own work, or no reason to reject or return.
    """

    choice: Choice
    reviewer: str
    author: str
    content_hash: str
    report_hash: str
    at: str
    reason: str = ""

    def __post_init__(self) -> None:
        if not self.reviewer.strip():
            raise ReviewRuleError(f"{self.choice} a task", "no reviewer is named", "set git's user.name and user.email")
        if self.reviewer.strip() == self.author.strip():
            raise ReviewRuleError(f"{self.choice} a task", "the reviewer is its author", "somebody else decides")
        if self.choice is not Choice.APPROVE and not self.reason.strip():
            raise ReviewRuleError(f"{self.choice} a task", "no reason is given", "say why: --reason TEXT")


@dataclass(frozen=True, slots=True)
class Approval:
    """Leave to merge; valid while the folder's hash is the one that was approved."""

    decision: Decision

    def holds_for(self, content_hash: str) -> bool:
        """Whether these are the approved bytes."""
        return self.decision.choice is Choice.APPROVE and self.decision.content_hash == content_hash


@dataclass(frozen=True, slots=True)
class RepairOrder:
    """A candidate to mend, why, and the brief it came from: carried from review or audit back to authoring."""

    brief: Brief
    candidate: Candidate
    findings: tuple[Finding, ...]
    reason: str
