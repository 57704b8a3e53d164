"""Small pictures as inline SVG; colours are the page's variables, so that they follow light and dark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

LABEL, ROW = 300, 24
_LINES = ("var(--blue)", "var(--good)", "var(--mid)", "var(--bad)")


def bars(rows: Sequence[tuple[str, float, str]], *, mark: float = 0.0, width: int = 960) -> str:
    """Horizontal bars of values in [0, 1].

    Args:
        rows: (label, value, note).
        mark: A vertical line at this value.
        width: Of the picture.
    """
    room, height = width - LABEL - 130, ROW * len(rows) + 26

    def parts() -> Iterator[str]:
        for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
            x = LABEL + room * tick
            yield f"<line class=axis x1='{x:.0f}' x2='{x:.0f}' y1='0' y2='{height - 22}'/>"
            yield _label(x, height - 6, f"{tick:g}", "middle", soft=True)
        for place, (label, value, note) in enumerate(rows):
            y = place * ROW + 3
            colour = "var(--bad)" if value >= 0.9 else "var(--mid)" if value > mark + 0.15 else "var(--blue)"
            yield _label(LABEL - 8, y + 13, label, "end")
            yield f"<rect x='{LABEL}' y='{y}' width='{max(1.0, room * value):.1f}' height='16' fill='{colour}' rx='2'/>"
            yield _label(LABEL + room * value + 8, y + 13, f"{value:.3f}  {note}", "start", soft=True)
        if mark:
            x = LABEL + room * mark
            yield f"<line class=mark x1='{x:.1f}' x2='{x:.1f}' y1='0' y2='{height - 22}'/>"

    return _svg(width, height, "Guess floor", parts())


def matrix(columns: Sequence[str], rows: Mapping[str, Sequence[Mapping[str, Any] | None]]) -> str:
    """Classes against levels: each cell is hits of n; the worst classes stand first."""
    cell, top = 92, 24
    ordered = sorted(rows, key=lambda name: (-sum(item["hits"] for item in rows[name] if item), name))
    width, height = LABEL + cell * len(columns) + 10, top + ROW * len(ordered) + 4

    def parts() -> Iterator[str]:
        for place, column in enumerate(columns):
            yield _label(LABEL + cell * place + cell / 2, 16, f"level {column}", "middle", soft=True)
        for line, name in enumerate(ordered):
            y = top + line * ROW
            yield _label(LABEL - 8, y + 16, name[:46], "end")
            for place, item in enumerate(rows[name]):
                x = LABEL + cell * place + 1
                colour, depth = _shade(item)
                yield (
                    f"<rect x='{x}' y='{y + 1}' width='{cell - 2}' height='{ROW - 2}' fill='{colour}'"
                    f" fill-opacity='{depth:.2f}' rx='2'/>"
                )
                text = f"{item['hits']} / {item['n']}" if item else "–"
                yield _label(x + cell / 2 - 1, y + 16, text, "middle", soft=item is None)

    return _svg(width, height, "By class and level", parts())


def _shade(item: Mapping[str, Any] | None) -> tuple[str, float]:
    if not item or not item["n"]:
        return "var(--line)", 0.3
    if item["hits"]:
        return "var(--bad)", 0.35 + 0.5 * item["hits"] / item["n"]
    return "var(--good)", 0.12 + 0.33 * (1 - min(1.0, float(item["below"])))


def curves(columns: Sequence[str], lines: Mapping[str, Sequence[float]], *, width: int = 960) -> str:
    """One curve for each name over the levels, each drawn against its own largest value, which its label gives."""
    height, room, tall = 210, 560, 160

    def x_of(place: int) -> float:
        return 30 + (room - 40) * (place / max(1, len(columns) - 1))

    def parts() -> Iterator[str]:
        yield f"<line class=axis x1='20' x2='{room}' y1='{tall + 14}' y2='{tall + 14}'/>"
        for place, column in enumerate(columns):
            yield _label(x_of(place), tall + 32, f"level {column}", "middle", soft=True)
        for number, (name, values) in enumerate(lines.items()):
            most = max(values, default=0.0) or 1.0
            colour = _LINES[number % len(_LINES)]
            points = [(x_of(place), 12 + tall * (1 - value / most)) for place, value in enumerate(values)]
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
            yield f"<polyline points='{path}' fill='none' stroke='{colour}' stroke-width='2'/>"
            yield from (f"<circle cx='{x:.1f}' cy='{y:.1f}' r='3' fill='{colour}'/>" for x, y in points)
            y = 22 + number * 22
            yield f"<rect x='{room + 24}' y='{y - 10}' width='12' height='12' fill='{colour}' rx='2'/>"
            first, last = (f"{value:,.0f}" for value in (values[0], values[-1]))
            yield _label(room + 42, y, f"{name}: {first} … {last}", "start")

    return _svg(width, height, "Difficulty by level", parts())


def _label(x: float, y: float, text: str, anchor: str, *, soft: bool = False) -> str:
    kind = " class=soft" if soft else ""
    return f"<text{kind} x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}'>{escape(text, quote=True)}</text>"


def _svg(width: float, height: float, title: str, parts: Iterator[str]) -> str:
    head = f"<svg viewBox='0 0 {width:.0f} {height:.0f}' width='{width:.0f}' height='{height:.0f}' role='img'>"
    return f"{head}<title>{escape(title)}</title>{''.join(parts)}</svg>"
