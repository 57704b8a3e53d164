"""What voices beside the author said on a candidate: findings, of which some are confirmed, and figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from bootcamp_kit.jsondata import Json
from bootcamp_kit.report import CheckResult, Finding, Severity, Status

SHOWN_CODES = 8


@dataclass(frozen=True, slots=True)
class Testimony:
    """Kept by the candidate's content hash.

    Attributes:
        findings: Confirmed ones (blocker) and objections (major), and what is told beside.
        figures: How many of what was tried; see docs/workflow.md.
    """

    check: ClassVar[str]
    """Under which name it stands in a report."""
    findings: tuple[Finding, ...]
    figures: dict[str, Json]

    @property
    def confirmed(self) -> int:
        """Findings that two voices agree on, or a credible second judge."""
        return sum(finding.severity is Severity.BLOCKER for finding in self.findings)

    @property
    def objections(self) -> int:
        """Findings of severity major or blocker."""
        return sum(finding.severity.rank >= Severity.MAJOR.rank for finding in self.findings)

    def result(self) -> CheckResult:
        """As part of a report."""
        return CheckResult(self.check, Status.FAIL if self.findings else Status.PASS, "", self.findings, self.figures)


def codes(findings: Sequence[Finding]) -> str:
    """The codes of findings, each once."""
    found = list(dict.fromkeys(finding.code for finding in findings))
    return ", ".join(found[:SHOWN_CODES]) + (", …" if len(found) > SHOWN_CODES else "")
