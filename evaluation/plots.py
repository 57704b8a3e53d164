"""Pictures as SVG text: no window, no global state, the same bytes for the same numbers.

Ink is ``currentColor``, so that one picture suits a light and a dark page; data colours are from the Okabe-Ito palette,
which the colour-blind can tell apart.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from evaluation.compare import Comparison, Paired
from evaluation.statistics import Interval
from evaluation.summary import OUTCOMES, Row, Summary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK = "#010203"
"""A colour nobody would choose, replaced by ``currentColor``."""
COLOURS = {
    "correct": "#009E73",
    "partial": "#E6C229",
    "wrong": "#D55E00",
    "malformed": "#CC79A7",
    "unscored": "#8A8F98",
}
SERIES = ("#2F8FD0", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
MOST_TASKS = 40
MOST_LINES = 6


def by_level(summary: Summary) -> str:
    """Mean score against level; one line for each task, or one for all when there are many tasks."""
    groups = _lines(summary)
    figure, axes = _figure(6.4, 3.4)
    for index, (name, rows) in enumerate(groups):
        known = [(int(row.name.rpartition("/")[2]), row.score) for row in rows if not math.isnan(row.score.value)]
        shift = (index - (len(groups) - 1) / 2) * 0.05
        axes.errorbar(
            [level + shift for level, _ in known],
            [score.value for _, score in known],
            yerr=_arms([score for _, score in known]),
            marker="o",
            markersize=5,
            linewidth=1.6,
            elinewidth=1.1,
            capsize=2.5,
            color=SERIES[index % len(SERIES)],
            label=name,
        )
    axes.set_xticks(sorted({int(row.name) for row in summary.levels}))
    axes.set_xlabel("level")
    axes.set_ylabel("mean score")
    axes.set_ylim(-0.03, 1.03)
    if len(groups) > 1:
        axes.legend(frameon=False, fontsize=8.5, labelcolor=INK, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return _svg(figure)


def by_task(summary: Summary) -> str:
    """What became of each task's rollouts, as shares; unscored ones shown as such. The hardest tasks first."""
    rows = sorted(summary.tasks, key=lambda row: -1.0 if math.isnan(row.score.value) else row.score.value)[:MOST_TASKS]
    figure, axes = _figure(6.4, 1.0 + 0.3 * len(rows))
    places = list(range(len(rows)))
    left = [0.0] * len(rows)
    for kind in (*OUTCOMES, "unscored"):
        shares = [_share(row, kind) for row in rows]
        axes.barh(places, shares, left=left, height=0.72, color=COLOURS[kind], label=kind)
        left = [start + wide for start, wide in zip(left, shares, strict=True)]
    axes.set_yticks(places, [_short(row.name) for row in rows])
    axes.set_xlim(0, 1)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlabel("share of stored rollouts")
    axes.grid(visible=False, axis="y")
    figure.legend(loc="outside upper center", ncols=5, frameon=False, fontsize=8.5, labelcolor=INK, columnspacing=1.2)
    return _svg(figure)


def differences(comparison: Comparison) -> str:
    """B - A by task with intervals, the whole at the top."""
    rows: list[Paired] = [comparison.total, *sorted(comparison.tasks, key=lambda row: -row.difference.value)]
    rows = rows[: MOST_TASKS + 1]
    figure, axes = _figure(6.4, 0.9 + 0.3 * len(rows))
    for place, row in enumerate(rows):
        colour = SERIES[0] if place else INK
        axes.errorbar(
            [row.difference.value],
            [place],
            xerr=_arms([row.difference]),
            marker="D" if place == 0 else "o",
            markersize=6,
            color=colour,
            capsize=2.5,
            elinewidth=1.3,
        )
    axes.axvline(0, color=INK, linewidth=0.9)
    axes.set_yticks(range(len(rows)), [_short(row.name) for row in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlabel("difference of mean scores, B − A")
    return _svg(figure)


def _lines(summary: Summary) -> list[tuple[str, Sequence[Row]]]:
    if len(summary.tasks) > MOST_LINES:
        return [("all tasks", summary.levels)]
    return [
        (_short(task.name), [row for row in summary.task_levels if row.name.rpartition("/")[0] == task.name])
        for task in summary.tasks
    ]


def _share(row: Row, kind: str) -> float:
    stored = row.scored + sum(row.unscored.values())
    count = sum(row.unscored.values()) if kind == "unscored" else row.outcomes[kind]
    return count / stored if stored else 0.0


def _arms(intervals: Sequence[Interval]) -> list[list[float]]:
    return [
        [max(0.0, item.value - item.low) for item in intervals],
        [max(0.0, item.high - item.value) for item in intervals],
    ]


def _short(name: str) -> str:
    return name if len(name) <= 34 else name[:33] + "…"


def _figure(wide: float, high: float) -> tuple[Figure, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(wide, high), layout="constrained", facecolor="none")
    axes = figure.add_subplot(facecolor="none")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(INK)
        axes.spines[side].set_alpha(0.45)
    axes.tick_params(colors=INK, labelsize=8.5, length=3)
    axes.xaxis.label.set_color(INK)
    axes.yaxis.label.set_color(INK)
    axes.grid(visible=True, color=INK, alpha=0.13, linewidth=0.8)
    axes.set_axisbelow(True)
    return figure, axes


def _svg(figure: Figure) -> str:
    import matplotlib as mpl
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    out = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "bootcamp", "font.family": "sans-serif"}):
        FigureCanvasSVG(figure).print_svg(  # type: ignore[no-untyped-call]
            out, metadata={"Date": None, "Creator": None}
        )
    text = out.getvalue()
    text = text[text.index("<svg") :].replace(INK, "currentColor")
    return re.sub(
        r'<svg([^>]*?) width="[^"]*"',
        r"<svg\1",
        re.sub(r'<svg([^>]*?) height="[^"]*"', r"<svg\1", text, count=1),
        count=1,
    )
