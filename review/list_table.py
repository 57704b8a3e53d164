"""The list of items as a table that fits any terminal: what a person needs is never cut, the rest gives way."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import TYPE_CHECKING

from bootcamp_kit.counted import counted
from review.item import QueueEntry
from review.rich_text import RISK_STYLES, joined, word
from review.risk import word as risk_word
from review.visible import one_line

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.table import Table

GAP, RISK, STATE, LEAST_TITLE, LEAST_ITEM = 2, 4, 10, 18, 24
ONCE = "1/2"
COUNTED, WITH_MAKER = 96, 112
"""From these widths on the number of findings is told, and who made it."""


class ListTable:
    """A renderable: risk, item, state and report always; findings, title and maker as there is room.

    ``once`` holds the content hashes of those that one person approved and that wait for a second.

    A reference that is too long loses the middle of its task id; its hash stays, and names the item alone.
    """

    def __init__(self, entries: Sequence[QueueEntry], once: Container[str] = ()) -> None:
        self.entries, self.once = entries, once

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        """Drawn for the width there is."""
        yield self.table(options.max_width)

    def table(self, width: int) -> Table:
        """Drawn for this width."""
        from rich.table import Table

        reports = [self._report(entry, told=width >= COUNTED) for entry in self.entries]
        report = max(len("report"), *(len(text) + len(more) for text, more in reports))
        maker = 8 if width < WITH_MAKER else min(28, max(len("by"), *(len(one.author) for one in self.entries)))
        states = [state_words(entry, self.once) for entry in self.entries]
        state = max(STATE, *map(len, states))
        fixed = [RISK, state, report, *([maker] if width >= WITH_MAKER else [])]
        left = width - sum(fixed) - GAP * (len(fixed) + 1)
        item = min(max(len(entry.ref) for entry in self.entries), max(LEAST_ITEM, left - LEAST_TITLE))
        title = left - item
        drawn = Table(box=None, header_style="bold", pad_edge=False, padding=(0, GAP, 0, 0))
        columns = [("risk", RISK), ("item", item), ("state", state), ("report", report)]
        columns += [("title", title)] if title >= LEAST_TITLE // 2 else []
        columns += [("by", maker)] if width >= WITH_MAKER else []
        for name, size in columns:
            drawn.add_column(name, width=size, no_wrap=True, overflow="ellipsis")
        for entry, stands, (verdict, more) in zip(self.entries, states, reports, strict=True):
            cells = {
                "risk": word(f"{entry.risk:>3}", RISK_STYLES[risk_word(entry.risk)]),
                "item": word(short_ref(entry, item)),
                "state": word(stands),
                "report": joined(word(verdict), word(more)),
                "title": word(one_line(entry.title, at_most=max(8, title))),
                "by": word(one_line(entry.author, at_most=maker)),
            }
            drawn.add_row(*(cells[name] for name, _ in columns))
        return drawn

    @staticmethod
    def _report(entry: QueueEntry, *, told: bool) -> tuple[str, str]:
        more = f", {counted(entry.findings, 'finding')}" if entry.findings and told else ""
        return entry.verdict.value, more


def state_words(entry: QueueEntry, once: Container[str] = ()) -> str:
    """The state, ``1/2`` after the first of two approvals, and a star where somebody is looking at it."""
    half = ONCE if entry.content_hash in once else ""
    return " ".join(filter(None, (entry.state.value, half, "*" if entry.claimed_by else "")))


def short_ref(entry: QueueEntry, width: int) -> str:
    """The reference in so many characters; its hash whole."""
    if len(entry.ref) <= width:
        return entry.ref
    name, _, mark = entry.ref.rpartition("@")
    kept = max(1, width - len(mark) - 2)
    return f"{name[:kept]}…@{mark}"
