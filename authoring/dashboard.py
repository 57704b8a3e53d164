"""Progress of a run: a live table on a terminal, one plain line per thing worth knowing when piped."""

from __future__ import annotations

import sys
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
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
        briefs, before: How many those are, and how many of them ended in earlier processes.
        tokens, usd: Spent on the briefs that ended; ``usd`` is None once a price was not known.
        begun, latest: UTC of the run's first event and of the last end of a brief, ISO 8601.
        note: What the run says about itself, e.g. that it is stopping.
    """

    active: dict[str, dict[int, str]] = field(default_factory=dict)
    ended: deque[tuple[str, str, str]] = field(default_factory=lambda: deque(maxlen=SHOWN_ENDED))
    counts: Counter[str] = field(default_factory=Counter)
    total: str = ""
    note: str = ""
    briefs: int = 0
    before: int = 0
    tokens: int = 0
    usd: float | None = 0.0
    begun: str = ""
    latest: str = ""

    def take_in(self, event: Event) -> None:
        """Follow one event."""
        if event.node == "run":
            if event.what == "started":
                self.total, self.begun = event.detail, event.at
                self.briefs, self.before = event.figures.get("briefs", 0), event.figures.get("done", 0)
            self.note = "" if event.what in ("started", "finished") else f"{event.what}: {event.detail}"
        elif ended(event):
            self.active.pop(event.brief, None)
            self.ended.append((event.brief, event.what, event.detail))
            self.counts[event.what] += 1
            self.latest = event.at
            self.tokens += event.figures.get("tokens", 0)
            usd = event.figures.get("usd", 0.0)
            self.usd = None if usd is None or self.usd is None else self.usd + usd
        elif event.index is not None:
            doing = event.node if event.what == "started" else f"{event.node}: {event.what}"
            self.active.setdefault(event.brief, {})[event.index] = doing
        elif event.node == "brief":
            self.active.setdefault(event.brief, {})

    @property
    def words(self) -> str:
        """Counts, yield, spend, and how long it will take if it goes on like this."""
        done = self.counts.total()
        parts = [self.total, "  ".join(f"{count} {kind}" for kind, count in self.counts.items())]
        if done:
            parts.append(f"yield {self.counts['queued'] / done:.0%}")
        if self.tokens:
            parts.append(f"{self.tokens:,} tokens" + (f" ${self.usd:,.2f}" if self.usd else ""))
        if left := self._seconds_left(done):
            parts.append(f"about {left / 60:.0f} min left" if left >= 90 else f"about {left:.0f} s left")
        return "   ".join(filter(None, parts))

    def _seconds_left(self, done: int) -> float:
        """0 where there is nothing to go by."""
        todo = self.briefs - self.before - done
        if todo <= 0 or not done:
            return 0.0
        spent = datetime.fromisoformat(self.latest) - datetime.fromisoformat(self.begun)
        return spent.total_seconds() / done * todo


def ended(event: Event) -> bool:
    """Whether a brief came to an end with this event."""
    return event.index is None and event.node in ("finish", "brief") and event.what in set(OutcomeKind)


def line(event: Event) -> str:
    """One event as a plain line, or "" for what a log need not hold."""
    if event.what == "started" and event.node not in ("run", "brief"):
        return ""
    where = f"{event.brief} " if event.brief else ""
    which = f"#{event.index} " if event.index is not None else ""
    found = ", with findings that refuse nothing" if (event.node, event.what) == ("check", "passed") else ""
    said = f"{found}: {event.detail}" if event.detail else ""
    return f"{event.at[:19]}Z {where}{which}{event.node} {event.what}{said}".replace("\n", " ")


class _Table:
    """Draws a :class:`Progress`; text of strangers is never read as markup."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.table import Table
        from rich.text import Text

        progress = self.progress
        table = Table(expand=True, title=Text(progress.words), title_justify="left")
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
    with Live(
        _Table(progress), console=Console(file=stream, emoji=False), refresh_per_second=4, transient=True
    ) as live:
        yield _follow(progress, live)


def _follow(progress: Progress, live: Live) -> Listener:
    def listen(event: Event) -> None:
        progress.take_in(event)
        if event.node == "run":
            live.refresh()

    return listen
