"""The report's figures as small SVG pictures: what blind answers earn, and what was accepted and rejected.

Colours are CSS classes of the page around them, so they follow its light and dark form. 360 units wide, so that their
letters keep their size on a phone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from bootcamp_kit.report import Report
from review.visible import one_line
from sandbox.checks.policy import default_policy

WIDTH = 360
_LEFT, _RIGHT = 118, 60
_BAR, _STEP = 14, 30


@dataclass(frozen=True, slots=True)
class Bar:
    """One kind of blind answer: its best response, mean score, n, and what the true mean is above at 95 %."""

    kind: str
    best: str
    mean: float
    n: int
    above: float = 0.0


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One class of answers: how many were accepted of how many, and what should have happened."""

    name: str
    accepted: int
    n: int
    should_accept: bool


def floor_bars(report: Report) -> list[Bar]:
    """What blind answers earned, best first."""
    bars = []
    for result in report.results:
        figures = result.figures or {}
        if result.check.startswith("floor.") and _numbers(figures, "mean", "n"):
            kind = result.check.removeprefix("floor.").replace("_", " ")
            above = float(figures["above"]) if _numbers(figures, "above") else 0.0
            bars.append(Bar(kind, str(figures.get("best", "")), float(figures["mean"]), int(figures["n"]), above))
    return sorted(bars, key=lambda bar: -bar.mean)


def matrix_rows(report: Report) -> list[MatrixRow]:
    """Right answers by class, then wrong ones by class, as far as the report tells them apart."""
    figures = {result.check: result.figures or {} for result in report.results}
    rows = []
    oracle = figures.get("oracle.scores_one", {})
    if _numbers(oracle, "wrong", "n"):
        rows.append(MatrixRow("oracle's answers", oracle["n"] - oracle["wrong"], oracle["n"], True))
    for check in ("still_right.declared", "still_right.universal"):
        classes = figures.get(check, {}).get("rejected_of")
        for name, counts in sorted(classes.items()) if isinstance(classes, Mapping) else ():
            rejected, tried = int(counts[0]), int(counts[1])
            if tried:
                rows.append(MatrixRow(f"{name}, rewritten", tried - rejected, tried, True))
    for check, name in (("near_miss.answers", "near misses"), ("near_miss.reading", "hedges and bare answers")):
        found = figures.get(check, {})
        if _numbers(found, "accepted", "n"):
            rows.append(MatrixRow(name, found["accepted"], found["n"], False))
        if _numbers(found, "worst_class_accepted", "worst_class_n"):
            worst = f"· worst: {found.get('worst_class', '?')}"
            rows.append(MatrixRow(worst, found["worst_class_accepted"], found["worst_class_n"], False))
    return rows


def floor_picture(bars: Sequence[Bar], declared: float) -> str:
    """Horizontal bars from 0 to 1, the declared chance level, and the limit above which the gate finds a fault."""
    policy = default_policy()
    wins = policy.threshold("floor_wins")
    limit = min(declared + policy.threshold("floor_margin"), policy.threshold("floor_ceiling"))
    height = _STEP * len(bars) + 50
    room = WIDTH - _LEFT - _RIGHT
    parts = [_open(height, "Mean score of answers that solve nothing: " + "; ".join(map(_bar_words, bars)))]
    for value, kind in ((limit, "limit"), (declared, "chance")):
        if value > 0:
            x = _LEFT + room * value
            parts.append(f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="4" y2="{height - 38}"/>')
    parts.append(_text(_LEFT + room * limit, height - 26, f"{limit:.2f}", "tick", "middle"))
    chance = f"; declared chance {declared:.2f}" if declared > 0 else ""
    words = f"a finding where surely above {limit:.2f} (95 %), refused from {wins:g}{chance}"
    parts.append(_text(0, height - 8, words, "tick"))
    parts.append(_text(_LEFT, height - 26, "0", "tick", "middle"))
    for place, bar in enumerate(bars):
        y = 8 + place * _STEP
        length = max(1.5, room * bar.mean)
        judged = bar.kind != "rules"  # a rule that reads the numbers is no blind answer
        kind = "bad" if judged and bar.mean >= wins else "warn" if judged and bar.above > limit else "ok"
        parts.append(_text(0, y + 11, bar.kind, "label"))
        parts.append(f'<rect class="track" x="{_LEFT}" y="{y}" width="{room}" height="{_BAR}" rx="3"/>')
        parts.append(f'<rect class="{kind}" x="{_LEFT}" y="{y}" width="{length:.1f}" height="{_BAR}" rx="3"/>')
        parts.append(_text(WIDTH, y + 11, f"{bar.mean:.2f}", "value", "end"))
        parts.append(_text(_LEFT, y + 24, f"{one_line(bar.best, at_most=30)} · n = {bar.n}", "tick"))
    return "".join((*parts, "</svg>"))


def matrix_picture(rows: Sequence[MatrixRow]) -> str:
    """One line for each class: accepted and rejected, coloured by what should have happened."""
    height = 22 * len(rows) + 26
    first, second, cell = 196, 280, 76
    parts = [_open(height, "Answers accepted and rejected by class: " + "; ".join(map(_row_words, rows)))]
    parts += [_text(first + cell / 2, 14, "accepted", "tick", "middle")]
    parts += [_text(second + cell / 2, 14, "rejected", "tick", "middle")]
    for place, row in enumerate(rows):
        y = 22 + place * 22
        parts.append(_text(0, y + 14, one_line(row.name, at_most=32), "label"))
        for x, count, wanted in (
            (first, row.accepted, row.should_accept),
            (second, row.n - row.accepted, not row.should_accept),
        ):
            kind = "track" if not count else "ok" if wanted else "bad"
            parts.append(f'<rect class="{kind}" x="{x}" y="{y}" width="{cell}" height="18" rx="3"/>')
            parts.append(_text(x + cell / 2, y + 13, str(count), "value" if kind == "track" else "on", "middle"))
    return "".join((*parts, "</svg>"))


def _bar_words(bar: Bar) -> str:
    return f"{bar.kind} {bar.mean:.2f}"


def _row_words(row: MatrixRow) -> str:
    return f"{row.name} {row.accepted} of {row.n} accepted"


def _open(height: int, words: str) -> str:
    label = escape(one_line(words, at_most=1_000))
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{label}">'


def _text(x: float, y: float, text: str, kind: str, anchor: str = "start") -> str:
    shown = escape(one_line(text))
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{shown}</text>'


def _numbers(figures: Mapping[str, Any], *names: str) -> bool:
    return all(isinstance(figures.get(name), int | float) for name in names)
