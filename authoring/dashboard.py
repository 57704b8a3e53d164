"""Progress of a run: a live table on a terminal, one plain line per thing worth knowing when piped."""

from __future__ import annotations

import sys
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TextIO

from authoring.events import Event, Listener
from authoring.outcomes import OutcomeKind

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.live import Live

SHOWN_ENDED = 12
SHOWN_ACTIVE = 24
MAX_CELL = 100
_STYLES = {
    "over budget": "magenta",
    "interrupted": "magenta",
    "queued": "green",
    "refused": "yellow",
    "exhausted": "yellow",
    "failed": "red",
}


@dataclass
class Progress:
    """What the events told so far; bounded, however many briefs there are.

    Attributes:
        active: Brief id → candidate index → what its node does.
        ended: The last briefs that ended: id, kind, reason.
        counts: How many ended in each way.
        total: Briefs of the run, in words of the run's first event.
        note: What the run says about itself, e.g. that it is stopping.
    """

    active: dict[str, dict[int, str]] = field(default_factory=dict)
    ended: deque[tuple[str, str, str]] = field(default_factory=lambda: deque(maxlen=SHOWN_ENDED))
    counts: Counter[str] = field(default_factory=Counter)
    total: str = ""
    note: str = ""

    def take_in(self, event: Event) -> None:
        """Follow one event."""
        if event.node == "run":
            self.total = event.detail if event.what == "started" else self.total
            self.note = "" if event.what in ("started", "finished") else f"{event.what}: {event.detail}"
        elif ended(event):
            self.active.pop(event.brief, None)
            self.ended.append((event.brief, event.what, event.detail))
            self.counts[event.what] += 1
        elif event.index is not None:
            doing = event.node if event.what == "started" else f"{event.node}: {event.what}"
            self.active.setdefault(event.brief, {})[event.index] = doing
        elif event.node == "brief":
            self.active.setdefault(event.brief, {})


def ended(event: Event) -> bool:
    """Whether a brief came to an end with this event."""
    return event.index is None and event.node in ("finish", "brief") and event.what in set(OutcomeKind)


def line(event: Event) -> str:
    """One event as a plain line, or "" for what a log need not hold."""
    if event.what == "started" and event.node not in ("run", "brief"):
        return ""
    where = f"{event.brief} " if event.brief else ""
    which = f"#{event.index} " if event.index is not None else ""
    said = f": {event.detail}" if event.detail else ""
    return f"{event.at[:19]}Z {where}{which}{event.node} {event.what}{said}".replace("\n", " ")


class _Table:
    """Draws a :class:`Progress`; text of strangers is never read as markup."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.table import Table
        from rich.text import Text

        progress = self.progress
        counts = "  ".join(f"{count} {kind}" for kind, count in progress.counts.items())
        table = Table(expand=True, title=Text(f"{progress.total}   {counts}".strip()), title_justify="left")
        for column in ("brief", "state", "what"):
            table.add_column(column, overflow="ellipsis", no_wrap=True)
        for brief, kind, reason in progress.ended:
            table.add_row(Text(brief), Text(kind, style=_STYLES.get(kind, "")), Text(reason[:MAX_CELL]))
        for brief, candidates in list(progress.active.items())[:SHOWN_ACTIVE]:
            doing = "  ".join(f"#{index} {what}" for index, what in sorted(candidates.items()))
            table.add_row(Text(brief), Text("at work", style="cyan"), Text(doing[:MAX_CELL]))
        yield table
        if progress.note:
            yield Text(progress.note[: 2 * MAX_CELL], style="bold magenta")


@contextmanager
def dashboard(stream: TextIO | None = None) -> Iterator[Listener]:
    """Give a listener that shows progress on ``stream`` (default: stderr) until the block ends."""
    stream = stream or sys.stderr
    if not stream.isatty():

        def write(event: Event) -> None:
            if text := line(event):
                stream.write(text + "\n")
                stream.flush()

        yield write
        return
    from rich.console import Console
    from rich.live import Live

    progress = Progress()
    with Live(_Table(progress), console=Console(file=stream), refresh_per_second=4, transient=True) as live:
        yield _follow(progress, live)


def _follow(progress: Progress, live: Live) -> Listener:
    def listen(event: Event) -> None:
        progress.take_in(event)
        if event.node == "run":
            live.refresh()

    return listen
