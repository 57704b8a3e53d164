"""The report of a run as one HTML file: pictures inside, no script, nothing loaded from elsewhere.

Reasons and ids are strangers' text; everything is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from authoring.reporting import pictures, words
from authoring.reporting.facts import RunFacts
from authoring.reporting.repairs import Round
from authoring.reporting.stages import NAMES
from sandbox.escaping import escaped

SHOWN_ROWS = 12
STYLE = """
:root { color-scheme: light dark; --ink: #1d2129; --soft: #5d6675; --page: #fbfbfa; --card: #ffffff; --line: #e6e8ec;
  --good: #00805f; --bad: #c9511f; --mid: #b8860b; --blue: #0072b2; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e7ec; --soft: #9aa3b2; --page: #14171c; --card: #1b1f26;
  --line: #2d333d; --good: #35b58f; --bad: #e5794b; --mid: #e0b23c; --blue: #56b4e9; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 74rem; padding: 2.2rem 1.4rem 4rem; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .2rem; overflow-wrap: anywhere; } h2 { font-size: 1.08rem; margin: 2.2rem 0 .7rem; }
p { margin: .3rem 0; } .soft, figcaption { color: var(--soft); font-size: .88rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .8rem; margin: 1.4rem 0; }
.tile, figure, .wide { background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.tile { padding: .8rem 1rem; } .tile b { display: block; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
.tile span { color: var(--soft); font-size: .84rem; }
.pictures { columns: 24rem; column-gap: 1rem; }
figure { margin: 0 0 1rem; padding: 1rem 1.1rem; break-inside: avoid; }
figure h3 { font-size: 1rem; margin: 0 0 .6rem; }
figure svg { display: block; width: 100%; height: auto; } figcaption { margin-top: .6rem; }
svg text { fill: var(--ink); font: 13px system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; }
svg .note { fill: var(--soft); } svg .axis { stroke: var(--soft); }
.key::before { content: ""; display: inline-block; width: .7em; height: .7em; border-radius: 2px; margin: 0 .35em 0 0;
  background: var(--of); } .key { margin-right: 1em; white-space: nowrap; }
.wide { overflow-x: auto; padding: .3rem .9rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { text-align: left; padding: .42rem .8rem .42rem 0; vertical-align: top; border-top: 1px solid var(--line); }
td { overflow-wrap: anywhere; min-width: 3.2rem; } td.long { min-width: 15rem; }
thead th { border-top: 0; color: var(--soft); font-weight: 600; white-space: nowrap; }
"""


def page(facts: RunFacts) -> str:
    """The whole page."""
    parts = [
        f"<h1>Run {_text(facts.run_id)}</h1>",
        f"<p class=soft>{_text(words.headline(facts))}</p>",
        _tiles(facts),
        '<div class="pictures">',
        *_pictures(facts),
        "</div>",
        *(_table(*table) for table in words.tables(facts) if table[2]),
    ]
    return _document(f"run {facts.run_id}", parts)


def _tiles(facts: RunFacts) -> str:
    done = facts.briefs - facts.counts.get("open", 0)
    rate = facts.briefs and facts.queued / facts.briefs
    tiles = [
        (str(facts.briefs), "briefs"),
        (str(facts.queued), f"queued, {words.percent(rate)} of all"),
        (str(done - facts.queued), "other ends"),
        (words.duration(facts.seconds), "first event to last"),
    ]
    if facts.spend is not None and facts.spend.paid_calls:
        each = words.money(facts.usd_each) if facts.usd_each is not None else "–"
        tiles += [
            (each, "for each queued candidate"),
            (words.money(facts.usd), f"in all, {facts.spend.tokens:,} tokens"),
        ]
    return '<div class="tiles">' + "".join(_tile(value, label) for value, label in tiles) + "</div>"


def _tile(value: str, label: str) -> str:
    return f'<div class="tile"><b>{escape(value)}</b><span>{escape(label)}</span></div>'


def _pictures(facts: RunFacts) -> Iterable[str]:
    funnel = [
        (NAMES.get(row.name, row.name), f"{row.through} of {row.briefs}", _went_on(row.through, row.briefs))
        for row in facts.funnel
    ]
    yield _figure(
        "How far briefs got",
        pictures.bars("Funnel by stage", funnel, whole=max(facts.briefs, 1)),
        _key(("--good", "went on"), ("--bad", "stopped there")),
    )
    if facts.compiler:
        rows = [(name, f"{refused}", [(refused, "--bad", f"{refused} refused")]) for name, refused, _ in facts.compiler]
        yield _figure(
            "Where the compiler refused", pictures.bars("Refusals by stage", rows), "In the order of its work."
        )
    if facts.by_origin:
        yields = [
            (row.name, f"{row.queued} of {row.briefs}", row.share.value, row.share.low, row.share.high)
            for row in facts.by_origin[:SHOWN_ROWS]
        ]
        yield _figure("Yield by source", pictures.intervals("Yield by source", yields), "Queued, with 95 % intervals.")
    if facts.reasons:
        yield _figure("Why briefs were not queued", pictures.bars("Reasons", _reasons(facts)), "The most frequent.")
    if facts.rounds:
        yield _figure(
            "What repair rounds brought",
            pictures.bars("Repair rounds", [_round(row) for row in facts.rounds]),
            _key(
                ("--good", "got further"),
                ("--blue", "fewer findings"),
                ("--mid", "as many"),
                ("--bad", "more, or none"),
            ),
        )
    if len(facts.line) > 1:
        yield _figure(
            "Ends over time",
            pictures.ends_over_time(facts.line, facts.seconds),
            _key(("--good", "queued"), ("--bad", "other ends")),
        )
    costs = _costs(facts)
    if costs:
        yield _figure("Cost by role", pictures.bars("Cost by role", costs), "Paid calls only.")
    if facts.times:
        spent = [
            (
                row.name,
                f"{words.duration(row.total)}, median {words.duration(row.median)}",
                [(row.total, "--blue", row.name)],
            )
            for row in facts.times
        ]
        yield _figure("Time by stage", pictures.bars("Time by stage", spent), "Sums over briefs that work at once.")


def _went_on(through: int, reached: int) -> list[pictures.Part]:
    return [(through, "--good", f"{through} went on"), (reached - through, "--bad", f"{reached - through} stopped")]


def _reasons(facts: RunFacts) -> list[tuple[str, str, list[pictures.Part]]]:
    rows = []
    for row in facts.reasons[:SHOWN_ROWS]:
        label = " · ".join(filter(None, (row.where, row.words))) or row.kind
        colour = "--mid" if row.kind == "refused" else "--bad"
        whole = escaped(f"{row.kind}: {label}", words.MAX_CELL)
        rows.append((escaped(label, 60), str(row.briefs), [(float(row.briefs), colour, whole)]))
    return rows


def _round(row: Round) -> tuple[str, str, list[pictures.Part]]:
    parts: list[pictures.Part] = [
        (row.passed, "--good", f"{row.passed} got further"),
        (row.fewer, "--blue", f"{row.fewer} with fewer findings"),
        (row.same, "--mid", f"{row.same} with as many"),
        (row.more + row.unusable, "--bad", f"{row.more} with more, {row.unusable} without a candidate"),
    ]
    return (f"turn {row.number}", f"{row.passed} of {row.asked} got further", parts)


def _costs(facts: RunFacts) -> list[tuple[str, str, list[pictures.Part]]]:
    lines = [line for line in facts.spend.lines if line.calls.answered] if facts.spend else []
    priced = all(line.usd is not None for line in lines)
    rows: dict[str, float] = {}
    for line in lines:
        usage = line.calls.usage
        amount = line.usd if priced and line.usd is not None else usage.input_tokens + usage.output_tokens
        rows[line.calls.role or "other"] = rows.get(line.calls.role or "other", 0.0) + amount
    return [
        (role, words.money(amount) if priced else f"{amount:,.0f} tokens", [(amount, "--blue", role)])
        for role, amount in sorted(rows.items(), key=lambda item: -item[1])
    ]


def _figure(title: str, svg: str, caption: str) -> str:
    return f"<figure><h3>{escape(title)}</h3>{svg}<figcaption>{caption}</figcaption></figure>"


def _key(*colours: tuple[str, str]) -> str:
    return "".join(
        f'<span class="key" style="--of: var({colour})">{escape(meaning)}</span>' for colour, meaning in colours
    )


def _table(heading: str, columns: Sequence[str], rows: Sequence[Sequence[str]], below: str) -> str:
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join("<tr>" + "".join(_cell(cell) for cell in row) + "</tr>" for row in rows)
    note = f"<p class=soft>{escape(below)}</p>" if below else ""
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<h2>{escape(heading)}</h2><div class="wide">{table}</div>{note}'


def _cell(text: str) -> str:
    return f"<td{' class=long' if len(text) > 40 else ''}>{_text(text)}</td>"


def _text(text: str) -> str:
    """Strangers' text: what a browser would obey is escaped, what hides or turns letters is spelt out."""
    return escape(escaped(text, words.MAX_CELL * 2), quote=True)


def _document(title: str, parts: Sequence[str]) -> str:
    head = f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    return head + view + f"<style>{STYLE}</style>\n</head>\n<body>\n" + "\n".join(parts) + "\n</body>\n</html>\n"
