"""Pictures as SVG text: narrow enough for a phone; colours are the page's variables, which follow light and dark."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from authoring.reporting.times import Point
from authoring.reporting.words import duration

WIDTH, ROW, BAR = 440, 40, 14
MAX_CHARS = 58
"""Of label and note together."""

Part = tuple[float, str, str]
"""Length, colour variable, and what it stands for."""


def bars(title: str, rows: Sequence[tuple[str, str, Sequence[Part]]], *, whole: float | None = None) -> str:
    """Horizontal bars, each under its label.

    Args:
        title: For those who cannot see it.
        rows: (label, note at the right, parts).
        whole: The length of a full row; the longest row by default.
    """
    longest = whole or max((sum(part[0] for part in parts) for _, _, parts in rows), default=1.0) or 1.0
    drawn: list[str] = []
    for place, (label, note, parts) in enumerate(rows):
        y = place * ROW
        drawn.append(f"<text x='0' y='{y + 15}'>{_short(label, note)}</text>")
        drawn.append(f"<text class=note x='{WIDTH}' y='{y + 15}' text-anchor='end'>{escape(note)}</text>")
        drawn.append(f"<rect x='0' y='{y + 21}' width='{WIDTH}' height='{BAR}' rx='3' fill='var(--line)'/>")
        x = 0.0
        for length, colour, meaning in parts:
            wide = WIDTH * length / longest
            if wide <= 0:
                continue
            drawn.append(
                f"<rect x='{x:.1f}' y='{y + 21}' width='{max(wide, 1.5):.1f}' height='{BAR}' rx='2'"
                f" fill='var({colour})'><title>{escape(meaning)}</title></rect>"
            )
            x += wide
    return _svg(title, ROW * len(rows), drawn)


def intervals(title: str, rows: Sequence[tuple[str, str, float, float, float]]) -> str:
    """Shares with their intervals on a scale from 0 to 1: (label, note, value, low, high)."""
    drawn: list[str] = []
    for place, (label, note, value, low, high) in enumerate(rows):
        y = place * ROW
        middle = y + 21 + BAR / 2
        drawn.append(f"<text x='0' y='{y + 15}'>{_short(label, note)}</text>")
        drawn.append(f"<text class=note x='{WIDTH}' y='{y + 15}' text-anchor='end'>{escape(note)}</text>")
        drawn.append(f"<rect x='0' y='{y + 21}' width='{WIDTH}' height='{BAR}' rx='3' fill='var(--line)'/>")
        left, right = WIDTH * low, WIDTH * max(high, low + 0.004)
        drawn.append(
            f"<rect x='{left:.1f}' y='{middle - 3}' width='{right - left:.1f}' height='6' rx='3' fill='var(--good)'"
            " fill-opacity='0.45'/>"
        )
        drawn.append(
            f"<circle cx='{min(max(WIDTH * value, 5), WIDTH - 5):.1f}' cy='{middle}' r='5' fill='var(--good)'/>"
        )
    return _svg(title, ROW * len(rows), drawn)


def ends_over_time(points: Sequence[Point], seconds: float) -> str:
    """How many briefs had come to an end, queued below and others above."""
    height, left, low = 190, 34, 22
    room, tall = WIDTH - left - 6, height - low - 12
    most = max(point.queued + point.other for point in points)
    span = max(seconds, points[-1].at) or 1.0

    def steps(counts: Sequence[tuple[float, int]]) -> str:
        path, last = [f"{left},{height - low}"], float(height - low)
        for at, count in counts:
            x, y = left + room * at / span, height - low - tall * count / most
            path += [f"{x:.1f},{last:.1f}", f"{x:.1f},{y:.1f}"]
            last = y
        return " ".join([*path, f"{left + room},{last:.1f}", f"{left + room},{height - low}"])

    every = [(point.at, point.queued + point.other) for point in points]
    queued = [(point.at, point.queued) for point in points]
    drawn = [
        f"<polygon points='{steps(every)}' fill='var(--bad)' fill-opacity='0.55'><title>other ends</title></polygon>",
        f"<polygon points='{steps(queued)}' fill='var(--good)'><title>queued</title></polygon>",
        f"<line class=axis x1='{left}' y1='{height - low}' x2='{WIDTH - 6}' y2='{height - low}'/>",
        f"<text class=note x='{left - 6}' y='20' text-anchor='end'>{most}</text>",
        f"<text class=note x='{left - 6}' y='{height - low}' text-anchor='end'>0</text>",
        f"<text class=note x='{left}' y='{height - 5}'>0</text>",
        f"<text class=note x='{WIDTH - 6}' y='{height - 5}' text-anchor='end'>{duration(span)}</text>",
    ]
    return _svg("Briefs that came to an end over time", height, drawn)


def _short(label: str, note: str) -> str:
    room = MAX_CHARS - len(note)
    return escape(label if len(label) <= room else label[: room - 1] + "…")


def _svg(title: str, height: int, drawn: Sequence[str]) -> str:
    return (
        f"<svg viewBox='0 0 {WIDTH} {height}' role='img' aria-label='{escape(title, quote=True)}'>"
        + "".join(drawn)
        + "</svg>"
    )
