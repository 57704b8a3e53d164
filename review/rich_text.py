"""Pieces of terminal text that take what anybody wrote literally. Rich is imported when something is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from review.visible import one_line, visible

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

MAX_CHARS = 200_000
STYLES = {
    "pass": "green",
    "approved": "green",
    "merged": "green",
    "correct": "green",
    "fail": "bold red",
    "rejected": "red",
    "wrong": "red",
    "blocker": "bold red",
    "malformed": "red",
    "major": "red",
    "error": "bold yellow",
    "inconclusive": "bold yellow",
    "returned": "yellow",
    "minor": "yellow",
    "partial": "yellow",
    "superseded": "dim",
    "skip": "dim",
    "note": "dim",
}


RISK_STYLES = {"low": "", "medium": "yellow", "high": "bold red"}


def section(title: str, body: RenderableType) -> list[RenderableType]:
    """A headed part."""
    from rich.padding import Padding

    return [word(f"\n{one_line(title)}", "bold cyan"), Padding(body, (0, 0, 0, 2))]


def grid(columns: int) -> Table:
    """A table without lines."""
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    for _ in range(columns):
        table.add_column(overflow="fold")
    return table


def pair(label: str, value: str, style: str = "") -> Text:
    """A label and its value."""
    return joined(word(f"{label}: ", "dim"), word(value, style))


def joined(*parts: Text) -> Text:
    """Several texts as one."""
    from rich.text import Text

    return Text.assemble(*parts)


def word(text: str, style: str = "") -> Text:
    """Text that is taken literally; words of the product get their colour."""
    from rich.text import Text

    return Text(visible(text, at_most=MAX_CHARS), style=style or STYLES.get(text, ""))
