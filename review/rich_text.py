"""Pieces of terminal text that take what anybody wrote literally. Rich is imported when something is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from review.visible import one_line, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment
    from rich.table import Table
    from rich.text import Text

MAX_CHARS = 200_000
PADDING, LINE = 2, "\n"
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


def section(title: str, body: RenderableType, *, tight: bool = False) -> list[RenderableType]:
    """A headed part; ``tight`` leaves no line free above it."""
    from rich.padding import Padding

    return [word(f"{'' if tight else LINE}{one_line(title)}", "bold cyan"), Padding(body, (0, 0, 0, 2))]


def grid(columns: int) -> Table:
    """A table without lines."""
    from rich.table import Table

    table = Table.grid(padding=(0, PADDING))
    for _ in range(columns):
        table.add_column(overflow="fold")
    return table


class ByWidth:
    """Something drawn in one way on narrow terminals and in another on the rest."""

    def __init__(self, draw: Callable[[bool], RenderableType], narrow_below: int) -> None:
        self.draw, self.narrow_below = draw, narrow_below

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """As the width asks."""
        yield self.draw(options.max_width < self.narrow_below)


class OneLine:
    """A text, or a table, whose lines are cut at the right end instead of wrapped."""

    def __init__(self, inner: RenderableType) -> None:
        self.inner = inner

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType | Segment]:
        """The last column of a table gives way, the others stay."""
        from rich.table import Table
        from rich.text import Text

        if not isinstance(self.inner, Table):
            yield from console.render(self.inner, options.update(no_wrap=True, overflow="ellipsis"))
            return
        *others, last = self.inner.columns
        kept = sum(max((cell.cell_len for cell in one.cells if isinstance(cell, Text)), default=0) for one in others)
        last.max_width = max(8, options.max_width - kept - PADDING * len(others))
        for column in (*others, last):
            column.no_wrap, column.overflow = True, "ellipsis"
        yield self.inner


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
