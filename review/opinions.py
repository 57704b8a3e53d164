"""Which findings are a model's opinion: one voice that nothing confirmed. They wait until a person has judged blind.

Whoever reads first what a model says of an answer no longer judges it for themselves. So an unconfirmed objection of an
opponent, and what came of asking opponents at all, are counted and kept back, in every form a report is shown in, until
the person has said of a pair of answers which is right, or the item is decided. What two voices or the sandbox
confirmed is evidence and is shown at once; how many cases a panel solved is a measurement.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bootcamp_kit.counted import counted
from bootcamp_kit.report import CheckResult, Finding, Report, Severity, Status
from review.states import State

if TYPE_CHECKING:
    from review.item import QueueItem

VOICES = ("oppose.", "calibrate.panel_agrees_otherwise")
ASKED = "oppose.voices"
"""The check that says what came of asking opponents."""
OPENED = "a model's opinion"
JUDGED = "pair at level"
"""How what a person said of a pair begins in the record of what was opened."""
UNTIL = "told after you judged a pair of answers"


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
    return f"{counted(count, 'opinion')} of a model: {UNTIL}"


def has_any(report: Report) -> bool:
    """Whether there is something to keep back."""
    return any(result.check == ASKED or any(map(is_opinion, result.findings)) for result in report.results)


def evidence(report: Report) -> Report:
    """The report without opinions. Its hash is another one: show the submitted report's instead."""
    return replace(report, results=tuple(map(_evidence, report.results)))


def _evidence(result: CheckResult) -> CheckResult:
    kept = tuple(finding for finding in result.findings if not is_opinion(finding))
    if result.check != ASKED and len(kept) == len(result.findings):
        return result
    return CheckResult(result.check, Status.SKIP, f"a model's opinion: {UNTIL}", kept)


def may_be_told(item: QueueItem, judged: bool) -> bool:
    """Whether opinions on an item may be shown to somebody who has, or has not, judged a pair of it."""
    return judged or item.state is not State.QUEUED


def seen(item: QueueItem, told: bool) -> tuple[QueueItem, int]:
    """The item as it may be shown, and how many opinions are kept back."""
    if told or not has_any(item.report):
        return item, 0
    return replace(item, report=evidence(item.report)), len(split(item.report)[1])
