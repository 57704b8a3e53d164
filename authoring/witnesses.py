"""Findings in words an author can act on: what was found, with which case and response, and what would be right."""

from __future__ import annotations

from collections.abc import Sequence

from bootcamp_kit.report import Finding, Severity, Witness
from sandbox.escaping import escaped

MAX_MESSAGE_CHARS = 600
MAX_RESPONSE_CHARS = 800
MAX_SEEN_CHARS = 1_200


def describe(findings: Sequence[Finding], *, at_most: int) -> str:
    """The heaviest findings, numbered, each with its witness; notes are left out when something heavier is there."""
    heavy = [finding for finding in findings if finding.severity is not Severity.NOTE] or list(findings)
    heavy.sort(key=lambda finding: -finding.severity.rank)
    parts = [_described(number, finding) for number, finding in enumerate(_spread(heavy, at_most), 1)]
    if len(heavy) > len(parts):
        parts.append(f"… and {len(heavy) - len(parts)} more of these kinds.")
    return "\n\n".join(parts) or "(nothing was measured against it)"


def _spread(findings: Sequence[Finding], at_most: int) -> list[Finding]:
    """Of each code one first, then the rest, so that one noisy check does not hide the others."""
    seen: set[str] = set()
    first: list[Finding] = []
    more: list[Finding] = []
    for finding in findings:
        (more if finding.code in seen else first).append(finding)
        seen.add(finding.code)
    return (first + more)[:at_most]


def _described(number: int, finding: Finding) -> str:
    lines = [f"{number}. [{finding.severity}] {finding.code}: {escaped(finding.message, MAX_MESSAGE_CHARS)}"]
    if finding.witness:
        lines += [f"   {line}" for line in _witnessed(finding.witness)]
    if finding.hint:
        lines.append(f"   hint: {escaped(finding.hint, MAX_MESSAGE_CHARS)}")
    return "\n".join(lines)


def _witnessed(witness: Witness) -> list[str]:
    lines = []
    if witness.file:
        lines.append(f"place: {escaped(witness.file, 100)} line {witness.line}")
    if witness.level is not None:
        lines.append(f"case: level {witness.level}, seed {witness.seed}")
    if witness.response is not None:
        lines.append(f"response: {escaped(witness.response, MAX_RESPONSE_CHARS)}")
    if witness.expected:
        lines.append(f"expected: {escaped(witness.expected, MAX_SEEN_CHARS)}")
    if witness.seen:
        lines.append(f"seen: {escaped(witness.seen, MAX_SEEN_CHARS)}")
    return lines
