"""What was measured about a task: findings with witnesses, results, and the report that holds them all.

All types convert to and from plain JSON with :func:`to_json` and :func:`Report.from_json`; the report's hash is over
everything but its timings, so the same measurement twice gives the same hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import Json, canonical, digest

REPORT_SCHEMA = 1


class Severity(StrEnum):
    """How much a finding weighs, lightest first."""

    NOTE = "note"
    MINOR = "minor"
    MAJOR = "major"
    BLOCKER = "blocker"

    @property
    def rank(self) -> int:
        """0 for a note … 3 for a blocker."""
        return list(Severity).index(self)


class Status(StrEnum):
    """What became of one check. ``error`` is our machinery's fault, never the task's."""

    PASS = "pass"
    FAIL = "fail"
    SKIP = "skip"
    ERROR = "error"


class Verdict(StrEnum):
    """The report in a word."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Witness:
    """What reproduces a finding.

    Attributes:
        kind: How to replay it: ``source`` (a place in the code), ``generate`` (make the case), ``prompt``, ``solve``,
            ``score`` (score ``response`` on the case), ``parse``, ``determinism`` (make the case under both
            ``hash_seeds``), ``load``, ``relabel`` (score it under the seed in ``line``, payload kept), ``second`` (ask
            the second oracle), ``review`` (a reviewer's words in ``seen``: nothing to run).
        level, seed: The case; None for ``source`` and ``load``.
        response: The text that was scored or parsed, whole.
        hash_seeds: PYTHONHASHSEED of each container involved.
        file, line: For ``source``; ``line`` also for ``relabel``.
        expected, seen: In words or as a score; what should have come and what came. At most 2,000 characters each.
    """

    kind: str
    level: int | None = None
    seed: int | None = None
    response: str | None = None
    hash_seeds: tuple[int, ...] = ()
    file: str = ""
    line: int = 0
    expected: str = ""
    seen: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One defect. From severity major on it carries a witness."""

    code: str
    severity: Severity
    message: str
    witness: Witness | None = None
    hint: str = ""

    def __post_init__(self) -> None:
        if self.severity.rank >= Severity.MAJOR.rank and self.witness is None:
            raise UsageError(
                f"finding {self.code}", f"severity {self.severity} without a witness", "name what reproduces it"
            )

    @property
    def id(self) -> str:
        """``F-`` and 8 hex digits over code and witness; stable between runs."""
        return "F-" + digest(canonical([self.code, asdict(self.witness) if self.witness else self.message]))[:8]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One check's outcome.

    Attributes:
        check: Its name, e.g. ``floor.constants``.
        status: What became of it.
        reason: Why it was skipped or could not run; else "".
        findings: What it found.
        figures: What it measured, JSON numbers and strings; each rate with its n.
        rfc008: OpenEnv RFC 008's name for it, or "".
    """

    check: str
    status: Status
    reason: str = ""
    findings: tuple[Finding, ...] = ()
    figures: Mapping[str, Json] | None = None
    rfc008: str = ""

    def __post_init__(self) -> None:
        if self.status in (Status.SKIP, Status.ERROR) and not self.reason:
            raise UsageError(f"check {self.check}", f"{self.status} without a reason", "say why it did not run")


@dataclass(frozen=True, slots=True)
class Environment:
    """What the report was measured on."""

    image_digest: str
    backend: str
    engine: str
    kit_version: str
    policy_version: str
    python: str
    limits: Mapping[str, Json]
    weak: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """All results for one content hash.

    Attributes:
        seconds: Wall time of the whole measurement and of each check; outside the hash.
    """

    task_id: str
    content_hash: str
    tier: str
    environment: Environment
    results: tuple[CheckResult, ...]
    seconds: Mapping[str, float]
    schema: int = REPORT_SCHEMA

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, heaviest first, then by check."""
        found = [finding for result in self.results for finding in result.findings]
        return tuple(sorted(found, key=lambda finding: -finding.severity.rank))

    @property
    def verdict(self) -> Verdict:
        """Any blocker → fail; else any check that could not run → inconclusive; else pass."""
        if any(finding.severity is Severity.BLOCKER for finding in self.findings):
            return Verdict.FAIL
        if any(result.status is Status.ERROR for result in self.results) or not self.results:
            return Verdict.INCONCLUSIVE
        return Verdict.PASS

    @property
    def hash(self) -> str:
        """Hex SHA-256 over everything but the timings."""
        return digest(canonical(to_json(replace(self, seconds={}))))

    def figure(self, check: str, name: str) -> Json:
        """One measured figure, or None."""
        for result in self.results:
            if result.check == check and result.figures:
                return result.figures.get(name)
        return None

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Report:
        """Rebuild from :func:`to_json`'s data.

        Raises:
            UsageError: another schema version, or not a report.
        """
        if not isinstance(raw, Mapping) or raw.get("schema") != REPORT_SCHEMA:
            raise UsageError("reading a report", "it is of another schema version", "run `bootcamp check` again")
        try:
            return cls(
                task_id=raw["task_id"],
                content_hash=raw["content_hash"],
                tier=raw["tier"],
                environment=Environment(**{**raw["environment"], "weak": tuple(raw["environment"]["weak"])}),
                results=tuple(_result(item) for item in raw["results"]),
                seconds=dict(raw["seconds"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError("reading a report", f"not a report: {error!r}", "run `bootcamp check` again") from error


def to_json(value: Any) -> dict[str, Any]:
    """Any of this module's types as plain JSON data (enumerations as their words, tuples as lists)."""
    import json

    plain: dict[str, Any] = json.loads(json.dumps(asdict(value)))
    return plain


def _result(raw: Mapping[str, Any]) -> CheckResult:
    return CheckResult(
        check=raw["check"],
        status=Status(raw["status"]),
        reason=raw["reason"],
        findings=tuple(finding_from_json(item) for item in raw["findings"]),
        figures=raw["figures"],
        rfc008=raw["rfc008"],
    )


def finding_from_json(raw: Mapping[str, Any]) -> Finding:
    """Rebuild one finding."""
    witness = raw["witness"]
    return Finding(
        code=raw["code"],
        severity=Severity(raw["severity"]),
        message=raw["message"],
        witness=Witness(**{**witness, "hash_seeds": tuple(witness["hash_seeds"])}) if witness else None,
        hint=raw["hint"],
    )
