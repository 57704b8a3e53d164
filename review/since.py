"""What a candidate changes against the version of its task that stands in the library, read out of its report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bootcamp_kit.counted import counted
from bootcamp_kit.report import Finding, Report
from bootcamp_kit.versions import CHANGED_VERDICT, CHANGES_CHECK
from review.visible import one_line


def figures(report: Report) -> Mapping[str, Any] | None:
    """The comparison's figures; None where the report holds none: a new task, or one that was not compared."""
    found = (result.figures for result in report.results if result.check == CHANGES_CHECK)
    return next((item for item in found if item and {"asked", "changed", "size"} <= set(item)), None)


def flips(report: Report) -> tuple[Finding, ...]:
    """The verdicts that changed, as far as they are listed."""
    return tuple(finding for finding in report.findings if finding.code == CHANGED_VERDICT)


def lines(report: Report) -> list[tuple[str, str]]:
    """(label, text) for a page; empty where nothing was compared."""
    found = figures(report)
    if found is None:
        return []
    asked, changed = sum(found["asked"].values()), sum(found["changed"].values())
    parts = ", ".join(f"{name} {found['changed'].get(name, 0)} of {n:,}" for name, n in found["asked"].items())
    prompts = counted(found["prompts_changed"], "prompt")
    data = f"{counted(found['cases_changed'], 'case')} and {prompts} of {found['cases']}"
    unplaced = ""
    if found.get("unplaced"):
        words = counted(found["unplaced"], "stored rollout has", "stored rollouts have")
        unplaced = f"; {words} no case any more"
    return [
        (
            "replaces",
            one_line(f"version {found['since']} ({str(found['since_content'])[:12]}); a {found['size']} step"),
        ),
        ("verdicts changed", f"{changed} of {asked:,}, the others stayed ({parts}){unplaced}"),
        ("questions changed", data),
        ("files changed", one_line(", ".join(map(str, found["files"])), at_most=300)),
    ]
