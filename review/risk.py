"""How likely a candidate is to be wrong although its checks pass: points and reasons, from plain facts.

The points order the queue and decide where one pair of eyes is not enough; they are no probability. ``rank`` mixes a
fixed share of low-risk items among the risky ones, so that reviewers also see what everybody believes to be good.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bootcamp_kit.candidate import Lineage
from bootcamp_kit.counted import counted
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.python_source import parse_python
from bootcamp_kit.report import Report, Severity, Verdict
from bootcamp_kit.versions import CHANGES_CHECK

LOW, HIGH = 20, 50
"""Below LOW is low; HIGH and above wants two people."""
MIXED_IN_PERCENT = 8
"""Share of low-risk items that is shown among the risky ones."""
BIG_LINES, HUGE_LINES = 300, 800
LEAST_RECORD = 5
BAD_RECORD = 0.3
RULES = "floor.rules"
"""One-line rules over the numbers shown: they make a task easy, not wrong, and are no blind answer."""
SURVIVING = "surviving"
"""The mutation test's figure: how many careless versions of the verifier nothing noticed."""
_READERS_MODULE = "bootcamp_kit.answers"
_NOT_THE_TASKS = ("reference.py",)


@dataclass(frozen=True, slots=True)
class RiskFacts:
    """All that the judgement looks at.

    Attributes:
        readable: Whether the card can be read.
        majors, minors: Findings of those severities.
        undecided: Wrong-looking answers that were accepted and that no check could decide.
        survivors: Verifier mutants that no answer killed; None when not measured.
        floor: Best mean score of a response that solves nothing.
        floor_allowed: What the card declares as chance.
        solutions, answer_kind, tolerance: From the card.
        kind_known: Whether an approved task has this kind of answer already.
        partial_credit: Whether the code can give partial credit.
        own_parser: Whether ``parse`` does without the kit's readers.
        lines: Lines of code that were written for this task.
        by_model: Whether a model wrote it.
        attempt: 1 for a first draft.
        weak: Whether the sandbox was weak.
        flips, other_questions: Verdicts, and cases or prompts, that differ from the version that stands.
        kit: The kit it was measured under: version and hash.
        decided, turned_down: The author's record in this queue.
    """

    readable: bool = True
    verdict: Verdict = Verdict.PASS
    majors: int = 0
    minors: int = 0
    undecided: int = 0
    survivors: int | None = None
    floor: float = 0.0
    floor_allowed: float = 0.0
    solutions: str = "unique"
    answer_kind: str = "integer"
    kind_known: bool = True
    tolerance: float = 0.0
    partial_credit: bool = False
    own_parser: bool = False
    lines: int = 0
    by_model: bool = False
    attempt: int = 1
    weak: bool = False
    flips: int = 0
    other_questions: int = 0
    kit: str = ""
    decided: int = LEAST_RECORD
    turned_down: int = 0


@dataclass(frozen=True, slots=True)
class Risk:
    """Points from 0 to 100, and why: the heaviest reason first, each with its points."""

    points: int
    reasons: tuple[str, ...]

    @property
    def word(self) -> str:
        """``low``, ``medium`` or ``high``."""
        return word(self.points)


def word(points: int) -> str:
    """The points in a word."""
    return "low" if points < LOW else "medium" if points < HIGH else "high"


def risk(facts: RiskFacts) -> Risk:
    """Judge the facts."""
    found = [(points, why) for points, why in _reasons(facts) if points]
    found.sort(key=lambda pair: -pair[0])
    total = min(100, sum(points for points, _ in found))
    return Risk(total, tuple(f"{why} (+{points})" for points, why in found))


def _reasons(facts: RiskFacts) -> list[tuple[int, str]]:
    return [
        (60 * (not facts.readable), "its card cannot be read"),
        (30 * (facts.verdict is Verdict.FAIL), "its report says fail"),
        (20 * (facts.verdict is Verdict.INCONCLUSIVE), "its report is inconclusive"),
        (min(30, 15 * facts.majors), counted(facts.majors, "major finding")),
        (min(9, 3 * facts.minors), counted(facts.minors, "minor finding")),
        (
            min(25, 10 + facts.undecided) * bool(facts.undecided),
            f"{counted(facts.undecided, 'accepted answer')} undecided",
        ),
        (
            min(25, 5 * (facts.survivors or 0)),
            counted(facts.survivors or 0, "verifier mutant survives", "verifier mutants survive"),
        ),
        (10 * (facts.floor - facts.floor_allowed >= 0.15), f"a blind answer scores {facts.floor:.2f} on average"),
        (25 * facts.partial_credit, "partial credit"),
        (15 * (facts.tolerance > 0), f"tolerance {facts.tolerance:g}"),
        (15 * (facts.solutions == "optimal"), "asks for the best of many answers"),
        (10 * (facts.solutions == "any"), "several answers are right"),
        (8 * (not facts.kind_known), f"first task with an answer of kind {facts.answer_kind}"),
        (10 * facts.own_parser, "reads answers with code of its own"),
        (8 * (facts.lines > BIG_LINES) + 8 * (facts.lines > HUGE_LINES), f"{counted(facts.lines, 'line')} of code"),
        (12 * facts.by_model, "written by a model"),
        (4 * (facts.attempt > 1), f"attempt {facts.attempt}"),
        (10 * facts.weak, "checked in a weak sandbox"),
        (
            min(20, 5 + facts.flips) * bool(facts.flips),
            counted(facts.flips, "verdict differs", "verdicts differ") + " from the version that stands",
        ),
        (
            5 * bool(facts.other_questions),
            counted(facts.other_questions, "case or prompt differs", "cases or prompts differ") + " from it",
        ),
        _record(facts),
    ]


def _record(facts: RiskFacts) -> tuple[int, str]:
    if facts.decided < LEAST_RECORD:
        return 5, f"its author has {counted(facts.decided, 'decided candidate')}"
    share = facts.turned_down / facts.decided
    return 15 * (share > BAD_RECORD), f"{facts.turned_down} of its author's {facts.decided} were turned down"


def rank(points: int, content_hash: str) -> int:
    """Where the item stands in the list, highest first: its risk, but for the low-risk items that are mixed in.

    Which ones, and how high, follows from the content hash alone: the same in every process, and nobody's choice.
    """
    if points >= LOW or not content_hash:
        return points
    drawn = int(content_hash[:12], 16)
    return LOW + (drawn // 100) % (101 - LOW) if drawn % 100 < MIXED_IN_PERCENT else points


def facts_of(
    folder: TaskFolder,
    report: Report,
    lineage: Lineage,
    *,
    kind_known: bool = True,
    decided: int = LEAST_RECORD,
    turned_down: int = 0,
) -> RiskFacts:
    """Read the facts off a candidate and its report. The code is parsed, never run."""
    rank_of = [finding.severity for finding in report.findings]
    try:
        card = folder.card
    except UsageError:
        return RiskFacts(readable=False, verdict=report.verdict, kit=report.environment.kit_version)
    code = {path: data for path, data in folder.files.items() if path.endswith(".py") and path not in _NOT_THE_TASKS}
    trees = {path: tree for path, data in code.items() if (tree := _tree(data)) is not None}
    return RiskFacts(
        verdict=report.verdict,
        majors=sum(severity.rank >= Severity.MAJOR.rank for severity in rank_of),
        minors=sum(severity is Severity.MINOR for severity in rank_of),
        undecided=_count(report, "near_miss.", "undecided") or 0,
        survivors=_count(report, "mutation.", SURVIVING),
        floor=_floor(report),
        floor_allowed=card.answer.floor,
        solutions=card.solutions,
        answer_kind=card.answer.kind,
        kind_known=kind_known,
        tolerance=card.answer.tolerance,
        partial_credit=any(_gives_partial(tree) for path, tree in trees.items() if path != "oracle.py"),
        own_parser=not _uses_readers(trees.get("bootcamp.py")),
        lines=sum(data.count(b"\n") for data in code.values()),
        by_model=":" in lineage.author,
        attempt=lineage.attempt,
        weak=bool(report.environment.weak),
        flips=_changed(report, "changed"),
        other_questions=_changed(report, "cases_changed") + _changed(report, "prompts_changed"),
        kit=report.environment.kit_version,
        decided=decided,
        turned_down=turned_down,
    )


def _count(report: Report, prefix: str, name: str) -> int | None:
    found = [
        int(value)
        for result in report.results
        if result.check.startswith(prefix) and isinstance(value := (result.figures or {}).get(name), int)
    ]
    return sum(found) if found else None


def _changed(report: Report, name: str) -> int:
    """A count of the comparison with the version that stands; a sum where it is counted by source."""
    found = report.figure(CHANGES_CHECK, name)
    values = found.values() if isinstance(found, Mapping) else [found]
    return sum(value for value in values if isinstance(value, int))


def _floor(report: Report) -> float:
    figures: list[Mapping[str, Any]] = [
        result.figures
        for result in report.results
        if result.check.startswith("floor.") and result.check != RULES and result.figures
    ]
    means = [float(item["mean"]) for item in figures if isinstance(item.get("mean"), int | float)]
    return max(means, default=0.0)


def _tree(data: bytes) -> ast.Module | None:
    try:
        return parse_python(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _gives_partial(tree: ast.Module) -> bool:
    """``Score.partial(…)``, ``Outcome.PARTIAL`` or a bare ``Score(…)``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ("partial", "PARTIAL"):
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Score":
            return True
    return False


def _uses_readers(tree: ast.Module | None) -> bool:
    """Whether ``parse`` calls one of the names imported from the kit's readers, other than ``last_answer``."""
    if tree is None:
        return False
    names = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == _READERS_MODULE
        for alias in node.names
    } - {"last_answer"}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == "parse":
            called = {
                call.func.id
                for call in ast.walk(node)
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
            }
            return bool(called & names)
    return False
