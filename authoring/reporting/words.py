"""The report of a run in Markdown, and the phrases that the page shares with it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence

from authoring.reporting.facts import RunFacts
from authoring.reporting.sources import Yield
from authoring.reporting.stages import NAMES, StageRow
from bootcamp_kit.counted import counted
from evaluation.statistics import Interval
from sandbox.escaping import escaped

MAX_REASONS = 25
MAX_CODES = 20
MAX_CELL = 300

Table = tuple[str, Sequence[str], Sequence[Sequence[str]], str]
"""Heading, columns, rows, and a sentence below."""


def markdown(facts: RunFacts) -> str:
    """The whole report."""
    parts = [f"# Run {facts.run_id}", "", headline(facts), ""]
    for heading, columns, rows, below in tables(facts):
        if not rows:
            continue
        parts += [f"## {heading}", "", _line(columns), _line(["---"] * len(columns)), *map(_line, rows), ""]
        parts += [below, ""] if below else []
    return "\n".join(parts).rstrip("\n") + "\n"


def headline(facts: RunFacts) -> str:
    """What the run came to in one sentence or two."""
    ends = ", ".join(f"{count} {kind}" for kind, count in facts.counts.items())
    text = f"{counted(facts.briefs, 'brief')} by {facts.author}, started {facts.created}, {facts.state}: {ends}."
    if facts.spend is not None and facts.spend.paid_calls:
        text += f" {counted(facts.spend.paid_calls, 'paid call')}, {facts.spend.tokens:,} tokens, {money(facts.usd)}"
        text += f", {money(facts.usd_each)} for each queued candidate." if facts.usd_each is not None else "."
    return f"{text} {duration(facts.seconds)} from the first event to the last."


def tables(facts: RunFacts) -> Iterable[Table]:
    """Every table of the report, in order; one without rows is left out."""
    yield (
        "Funnel by stage",
        ("stage", "briefs that reached it", "went on", "turns", "results"),
        [_stage(row) for row in facts.funnel],
        "A brief went on where at least one of its candidates did, at any turn.",
    )
    yield (
        "Where the compiler refused",
        ("stage", "refused", "left"),
        [(name, str(refused), str(left)) for name, refused, left in facts.compiler],
        "",
    )
    for heading, rows in (("Yield by source", facts.by_origin), ("Yield by family", facts.by_family)):
        columns = ("source" if rows is facts.by_origin else "family", "briefs", "queued", "yield", "other ends", "cost")
        shown = rows if rows is facts.by_origin or len(rows) > 1 else ()
        yield (heading, columns, [_yield(row) for row in shown], "Intervals: 95 %, Wilson.")
    yield (
        "Why briefs were not queued",
        ("outcome", "where", "reason", "briefs", "for example"),
        [
            (row.kind, row.where, row.words, str(row.briefs), ", ".join(row.examples))
            for row in facts.reasons[:MAX_REASONS]
        ],
        _more(len(facts.reasons), MAX_REASONS) or "A brief with several findings counts at each of them.",
    )
    yield (
        "Repair rounds",
        ("turn", "asked", "got further", "fewer findings", "as many", "more", "no candidate"),
        [
            tuple(map(str, (row.number, row.asked, row.passed, row.fewer, row.same, row.more, row.unusable)))
            for row in facts.rounds
        ],
        "",
    )
    yield (
        "What repairs mended",
        ("finding", "asked about", "gone the next turn"),
        [
            (row.code, str(row.asked), f"{row.gone} ({percent(row.gone / row.asked)})")
            for row in facts.codes[:MAX_CODES]
        ],
        _more(len(facts.codes), MAX_CODES),
    )
    yield ("Cost", ("role", "model", "calls", "from cache", "failed", "tokens", "cost"), list(_spend(facts)), "")
    yield (
        "Time",
        ("stage", "times", "in all", "median", "95 of 100 below"),
        [
            (row.name, str(row.times), duration(row.total), duration(row.median), duration(row.most))
            for row in facts.times
        ],
        "Stages of several briefs work at once: their sum can be longer than the run.",
    )


def _stage(row: StageRow) -> tuple[str, ...]:
    results = ", ".join(f"{count} {what}" for what, count in row.results.items())
    return (NAMES.get(row.name, row.name), str(row.briefs), str(row.through), str(row.turns), results)


def _yield(row: Yield) -> tuple[str, ...]:
    others = ", ".join(f"{count} {kind}" for kind, count in sorted(row.counts.items()) if kind != "queued")
    return (row.name, str(row.briefs), str(row.queued), interval(row.share), others, money(row.usd) if row.usd else "")


def _spend(facts: RunFacts) -> Iterable[tuple[str, ...]]:
    for line in facts.spend.lines if facts.spend else ():
        calls = line.calls
        tokens = calls.usage.input_tokens + calls.usage.output_tokens
        counts = (calls.answered, calls.cached, calls.failed)
        yield (calls.role or "–", calls.model, *map(str, counts), f"{tokens:,}", money(line.usd))


def _more(count: int, shown: int) -> str:
    return f"{count - shown} more are not shown." if count > shown else ""


def _line(cells: Sequence[str] | Mapping[str, str]) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(text: str) -> str:
    """One line that can end no cell and begin no markup."""
    line = " ".join(escaped(text, MAX_CELL).split())
    return re.sub(r"[\\|`*<>\[\]]|(?<!\w)_|_(?!\w)", lambda found: f"\\{found[0]}", line)


def percent(value: float) -> str:
    """A share in whole percents."""
    return f"{value * 100:.0f} %"


def interval(found: Interval) -> str:
    """A share with its interval."""
    if math.isnan(found.value):
        return "–"
    return f"{percent(found.value)} ({percent(found.low)}–{percent(found.high)})"


def money(usd: float | None) -> str:
    """Dollars; a price that is not known is said."""
    return "price not known" if usd is None else f"${usd:,.4f}" if usd < 1 else f"${usd:,.2f}"


def duration(seconds: float) -> str:
    """Seconds as people say them."""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 120:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
