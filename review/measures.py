"""What a report measured, in the few lines a reviewer judges by. Plain data out of a report; nothing is made up.

A line says ``not measured`` where the report holds nothing about it, and why where a check did not run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bootcamp_kit.card import Card
from bootcamp_kit.counted import counted
from bootcamp_kit.jsondata import Json
from bootcamp_kit.report import CheckResult, Report, Severity, Status
from review.risk import RULES

NOT_MEASURED = "not measured"
PANEL, VOICES, MUTANTS = "calibrate.panel", "oppose.voices", "mutation.verifier"
ECHO = "floor.echo"


@dataclass(frozen=True, slots=True)
class Measure:
    """One line of the verdict strip: what was asked, how it ended, and the figures behind it."""

    label: str
    status: str
    text: str


@dataclass(frozen=True, slots=True)
class LevelRow:
    """One line of the difficulty table; "" where nothing was measured."""

    level: int
    params: Mapping[str, Json]
    distinct: str
    top_answer: str
    prompt_characters: str


def verdict_strip(report: Report) -> list[Measure]:
    """Oracle, floor, near misses, hedges, rewrites, determinism, distinct cases, examples: one line each."""
    results = {result.check: result for result in report.results}
    return [
        _one(results, "oracle scores 1", ["oracle.scores_one"], _oracle),
        _one(results, "one constant answer", ["floor.constants"], _floor),
        _floors(results),
        _one(results, "near misses accepted", ["near_miss.answers"], _near_misses),
        _one(results, "hedged answers accepted", ["near_miss.reading"], _near_misses),
        _one(results, "right rewrites rejected", ["still_right.declared"], _rewrites),
        _one(
            results,
            "same in two containers",
            ["determinism.payload", "determinism.prompt", "determinism.score"],
            _same,
        ),
        _one(results, "different cases", ["generator.distinct"], _distinct),
        _one(results, "its own examples hold", ["examples.hold"], _plain),
        *([_one(results, "verifier mutants noticed", [MUTANTS], _mutants)] if MUTANTS in results else []),
        *([_one(results, "held against opponents", [VOICES], _voices)] if VOICES in results else []),
        *([_one(results, "solved by a panel", [PANEL], _panel)] if PANEL in results else []),
        _rest(report),
    ]


def difficulty_rows(card: Card, report: Report) -> list[LevelRow]:
    """What each level sets, and what was measured there."""
    distinct = report.figure("generator.distinct", "levels") or {}
    answers = report.figure("generator.answers", "levels") or {}
    sizes = report.figure("generator.size", "prompt_characters") or {}
    rows = []
    for level in card.difficulty.levels:
        cases, top, size = (_at(figures, level) for figures in (distinct, answers, sizes))
        rows.append(
            LevelRow(
                level,
                card.difficulty.params(level),
                f"{cases['distinct']} of {cases['n']}" if _has(cases, "distinct", "n") else "",
                f"{top['top_share']:.0%} of {top['n']}" if _has(top, "top_share", "n") else "",
                f"{size:,}" if isinstance(size, int) else "",
            )
        )
    return rows


_LIGHT = (Severity.MAJOR.value, Severity.MINOR.value, Severity.NOTE.value)
_OUTCOMES = (Status.PASS.value, Status.FAIL.value, *_LIGHT, Status.SKIP.value, Status.ERROR.value)

Words = Callable[[Mapping[str, Any]], str]


def _one(results: Mapping[str, CheckResult], label: str, checks: Sequence[str], words: Words) -> Measure:
    found = [results[name] for name in checks if name in results]
    if not found:
        return Measure(label, "", NOT_MEASURED)
    worst = max(found, key=_weight)
    said = [words(result.figures) for result in found if result.figures and result.status in _RAN]
    reasons = [result.reason for result in found if result.reason]
    return Measure(label, outcome(worst), "; ".join(dict.fromkeys(filter(None, [*said, *reasons]))))


_RAN = (Status.PASS, Status.FAIL)
_WEIGHT = {Status.PASS: 0, Status.SKIP: 1, Status.ERROR: 2, Status.FAIL: 3}


def _weight(result: CheckResult) -> tuple[int, int]:
    return _WEIGHT[result.status], max((finding.severity.rank for finding in result.findings), default=3)


def outcome(result: CheckResult) -> str:
    """How a check ended, in a word: ``fail`` only where it refuses the task, else how much its findings weigh."""
    heaviest = max((finding.severity for finding in result.findings), key=lambda one: one.rank, default=None)
    if result.status is not Status.FAIL or heaviest in (None, Severity.BLOCKER):
        return result.status.value
    return str(heaviest)


def _floors(results: Mapping[str, CheckResult]) -> Measure:
    """The best of the other responses that solve nothing."""
    label = "other empty responses"
    apart = ("floor.constants", RULES)
    found = [result for name, result in results.items() if name.startswith("floor.") and name not in apart]
    measured = [result for result in found if result.figures and "mean" in result.figures]
    if not measured:
        return Measure(label, "", NOT_MEASURED)
    best = max(measured, key=lambda result: float((result.figures or {})["mean"]))
    worst = max(measured, key=_weight)
    name = best.check.removeprefix("floor.").replace("_", " ")
    echo = results.get(ECHO)
    echoed = f"; echo {echo.figures['mean']:.2f}" if echo in measured and echo is not best and echo.figures else ""
    return Measure(label, outcome(worst), f"best kind: {name}, {_floor(best.figures or {})}{echoed}")


def _rest(report: Report) -> Measure:
    counts = Counter(map(outcome, report.results))
    said = ", ".join(
        f"{counts[word]} {word}{' (refuses nothing)' if word in _LIGHT else ''}" for word in _OUTCOMES if counts[word]
    )
    weak = f"; weak sandbox: {', '.join(report.environment.weak)}" if report.environment.weak else ""
    return Measure(f"all checks ({report.tier})", report.verdict.value, f"{said}{weak}")


def _oracle(figures: Mapping[str, Any]) -> str:
    if not _has(figures, "wrong", "n"):
        return _plain(figures)
    return (
        f"{figures['n'] - figures['wrong']} of {counted(figures['n'], 'case')}{_bound(figures, 'false_reject_below')}"
    )


def _panel(figures: Mapping[str, Any]) -> str:
    if not _has(figures, "solved", "asked", "low", "high"):
        return _plain(figures)
    return f"{figures['solved']} of {figures['asked']} ({figures['low']:.0%} to {figures['high']:.0%}, 95 %)"


def _mutants(figures: Mapping[str, Any]) -> str:
    if not _has(figures, "killed", "surviving", "not_distinguished"):
        return _plain(figures)
    told = figures["killed"] + figures["surviving"]
    score = f", score {figures['killed'] / told:.2f}" if told else ""
    alike = counted(figures["not_distinguished"], "judges", "judge")
    return f"{figures['killed']} of {told}{score}; {alike} all answers alike"


def _voices(figures: Mapping[str, Any]) -> str:
    if not _has(figures, "second", "attacks", "believed", "blind", "blind_right"):
        return _plain(figures)
    return (
        f"second judge {figures['second']}, {figures['believed']} of {counted(figures['attacks'], 'attack')} hold, "
        f"{figures['blind_right']} of {counted(figures['blind'], 'blind answer')} right"
    )


def _floor(figures: Mapping[str, Any]) -> str:
    if not _has(figures, "best", "mean", "n"):
        return _plain(figures)
    return f"{figures['best']} scores {figures['mean']:.2f} on average (n = {figures['n']})"


def _near_misses(figures: Mapping[str, Any]) -> str:
    if not _has(figures, "accepted", "n", "classes"):
        return _plain(figures)
    text = f"{figures['accepted']} of {figures['n']} in {counted(figures['classes'], 'class', 'classes')}"
    if figures.get("undecided"):
        text += f", {figures['undecided']} undecided"
    return text + _bound(figures, "worst_class_false_accept_below", " in the worst class")


def _rewrites(figures: Mapping[str, Any]) -> str:
    classes = figures.get("rejected_of")
    if not isinstance(classes, Mapping) or not _has(figures, "n"):
        return _plain(figures)
    rejected = sum(counts[0] for counts in classes.values())
    text = f"{rejected} of {figures['n']} in {counted(len(classes), 'class', 'classes')}"
    return text + _bound(figures, "worst_class_false_reject_below", " in the worst class")


def _same(figures: Mapping[str, Any]) -> str:
    return f"{figures['n'] - figures['different']} of {figures['n']}" if _has(figures, "different", "n") else ""


def _distinct(figures: Mapping[str, Any]) -> str:
    levels = figures.get("levels")
    if not isinstance(levels, Mapping) or not all(_has(level, "distinct", "n") for level in levels.values()):
        return _plain(figures)
    counts = {(level["distinct"], level["n"]) for level in levels.values()}
    if len(levels) > 1 and len(counts) == 1:
        distinct, tried = counts.pop()
        return f"{distinct} of {tried} at each of {len(levels)} levels"
    return ", ".join(f"level {name}: {level['distinct']} of {level['n']}" for name, level in levels.items())


def _bound(figures: Mapping[str, Any], name: str, where: str = "") -> str:
    return f"; rate below {figures[name]:.1%}{where} (95 %)" if isinstance(figures.get(name), float) else ""


def _plain(figures: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in figures.items() if isinstance(value, str | int | float))


def _at(figures: Any, level: int) -> Any:
    return figures.get(str(level)) if isinstance(figures, Mapping) else None


def _has(figures: Any, *names: str) -> bool:
    return isinstance(figures, Mapping) and all(name in figures for name in names)
