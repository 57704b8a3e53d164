"""Findings as SARIF 2.1.0, so that a code review shows them at their place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bootcamp_kit import __version__
from bootcamp_kit.report import Finding, Severity

_LEVELS = {Severity.BLOCKER: "error", Severity.MAJOR: "error", Severity.MINOR: "warning", Severity.NOTE: "note"}


def sarif(tasks: Iterable[tuple[str, Iterable[Finding]]]) -> dict[str, Any]:
    """One run with all findings.

    Args:
        tasks: (folder or name of a task, its findings).
    """
    results: list[dict[str, Any]] = []
    rules: dict[str, dict[str, Any]] = {}
    for name, findings in tasks:
        for finding in findings:
            rules.setdefault(finding.code, {"id": finding.code, "shortDescription": {"text": finding.code}})
            results.append(_result(name, finding))
    driver = {"name": "bootcamp audit", "version": __version__, "rules": sorted(rules.values(), key=lambda r: r["id"])}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }


def _result(name: str, finding: Finding) -> dict[str, Any]:
    witness = finding.witness
    file = witness.file if witness and witness.file else "bootcamp.py"
    place: dict[str, Any] = {"artifactLocation": {"uri": f"{name.strip('/')}/{file}"}}
    if witness and witness.kind == "source" and witness.line > 0:
        place["region"] = {"startLine": witness.line}
    text = finding.message
    if witness and witness.kind != "source":
        text += f"\nlevel {witness.level}, seed {witness.seed}; expected: {witness.expected}; seen: {witness.seen}"
    return {
        "ruleId": finding.code,
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{text}\nreplay: bootcamp check {name} --replay {finding.id}"},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"bootcampFinding/v1": finding.id},
    }
