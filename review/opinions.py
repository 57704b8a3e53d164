"""Which findings are a model's opinion: one voice that nothing confirmed. They wait until a person has judged blind.

Whoever reads first what a model says of an answer no longer judges it for themselves. So an unconfirmed objection of an
opponent is counted on the page and told after the person has judged a pair of answers, or asked for it, which is
recorded. What two voices or the sandbox confirmed is evidence and is shown at once.
"""

from __future__ import annotations

from bootcamp_kit.report import Finding, Report, Severity

VOICES = ("oppose.", "calibrate.panel_agrees_otherwise")
OPENED = "a model's opinion"


def is_opinion(finding: Finding) -> bool:
    """Whether one model says so, and nothing confirmed it."""
    return finding.code.startswith(VOICES) and finding.severity is not Severity.BLOCKER


def split(report: Report) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """What is evidence, and what is an opinion; each heaviest first."""
    found = report.findings
    return tuple(one for one in found if not is_opinion(one)), tuple(one for one in found if is_opinion(one))


def waiting(count: int) -> str:
    """What stands in their place; "" where there are none."""
    if not count:
        return ""
    return f"{count} {'opinion' if count == 1 else 'opinions'} of a model: told after you judged a pair of answers"
