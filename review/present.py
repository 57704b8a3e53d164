"""Shows the queue and its items as Rich renderables for a terminal; ``as_json.py`` gives the same as plain data.

Everything that a candidate, a model or a brief wrote goes through ``visible`` and into ``Text`` objects, so neither
control sequences nor Rich markup in it have an effect. Rich is imported when something is drawn.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import TYPE_CHECKING

from bootcamp_kit.errors import UsageError
from bootcamp_kit.report import Finding, Witness
from review import since
from review.alarms import alarms
from review.case_page import trial_page
from review.item import QueueEntry, QueueItem
from review.list_table import ListTable
from review.measures import NOT_MEASURED, LevelRow, difficulty_rows, verdict_strip
from review.opinions import seen, waiting
from review.rich_text import RISK_STYLES, ByWidth, OneLine, grid, joined, pair, section, word
from review.risk import word as risk_word
from review.trial import Trial
from review.visible import one_line, reflowed, visible
from review.worst import SHORT_TITLES, worst_rows
from sandbox.told import one_of_many
from sandbox.told import place as place_of

if TYPE_CHECKING:
    from rich.console import Group, RenderableType
    from rich.table import Table

NARROW_BELOW = 100
LABEL_WIDTH = 16
"""So much of a label stays in one line, however narrow the terminal is."""
MAX_RULE_CHARS, MAX_CODE_CHARS, MAX_FINDINGS = 3_000, 200_000, 20


def reproduce_command(item: QueueEntry, finding: Finding) -> str:
    """The command that runs a finding's witness again."""
    return f"bootcamp check {item.ref} --replay {finding.id}"


def list_table(entries: Iterable[QueueEntry], once: Container[str] = ()) -> RenderableType:
    """The list, one line for each item, in the width there is; ``once``: those that wait for a second person."""
    rows = list(entries)
    return ListTable(rows, once) if rows else word("the queue is empty")


Lines = Sequence[tuple[str, str]]
"""(label, text)."""


def item_page(
    item: QueueItem,
    *,
    trials: Sequence[Trial] = (),
    code: bool = False,
    context: Lines = (),
    told: bool = False,
) -> RenderableType:
    """One item on a page: what it is, what was measured, what was found, cases, files, history.

    ``told``: with a model's opinions.
    """
    from rich.console import Group

    item, held = seen(item, told)
    return Group(
        *_head(item, context),
        *section("verdict", strip_table(item)),
        *section("worst rows of evidence", worst_table(item)),
        *section("findings", _findings(item, held)),
        *section("difficulty", _difficulty(item)),
        *(part for trial in trials for part in section(f"case at level {trial.level}", trial_page(trial))),
        *section("files", _files(item)),
        *(part for path in item.folder.files if code for part in section(path, _code(item, path))),
        *section("history", _history(item)),
    )


def _head(item: QueueItem, context: Lines) -> list[RenderableType]:
    parts: list[RenderableType] = [
        word(f"{one_line(item.title)}   {item.family}/{item.task_id} {item.version}", "bold"),
        pair("item", item.ref),
        pair("state", item.state.value),
        pair("risk", one_line("; ".join((f"{item.risk}, {risk_word(item.risk)}", *item.risk_reasons)), at_most=600)),
        pair("made by", one_line(f"{item.lineage.author}, attempt {item.lineage.attempt}")),
        pair("from", one_line(item.origin, at_most=400)),
        *(pair(label, one_line(text, at_most=300)) for label, text in (*since.lines(item.report), *context)),
    ]
    return [
        *parts,
        *_alarms(item),
        *section("the rule, as handed in", word(visible(reflowed(item.brief.text), at_most=MAX_RULE_CHARS))),
        *_reader_said(item),
    ]


def _reader_said(item: QueueItem) -> list[RenderableType]:
    """What was cleaned, kept or left out when the rule was read."""
    notes = item.brief.notes
    said = "\n".join(one_line(note, at_most=300) for note in notes[:MAX_FINDINGS])
    more = f"\n… and {len(notes) - MAX_FINDINGS} more; --json shows all" if len(notes) > MAX_FINDINGS else ""
    return section("what the reader of the rule did", word(said + more)) if notes else []


def _alarms(item: QueueItem, reader: str = "") -> list[RenderableType]:
    return [word(one_line(found.text, at_most=600), _ALARM_STYLES[found.kind]) for found in alarms(item, reader)]


_ALARM_STYLES = {"": "", "grave": "bold red", "note": "yellow"}


def first_page(item: QueueItem, context: Lines = (), *, told: bool = False, reader: str = "") -> RenderableType:
    """What a person judges by, on one page: what it is, the strip, the worst rows, findings; then all the rest.

    ``told``: with a model's opinions; ``reader``: who looks at it. On a narrow terminal lines are cut rather than
    wrapped, so that the worst rows are on the first screen of 80×24; of a new version, of which more is to be told,
    they come before the verdict.
    """
    shown, held = seen(item, told)
    return ByWidth(lambda narrow: _first_page(shown, context, narrow, held, reader), NARROW_BELOW)


def _first_page(item: QueueItem, context: Lines, narrow: bool, held: int, reader: str) -> Group:
    from rich.console import Group

    risky = "; ".join((f"{item.risk}, {risk_word(item.risk)}", *item.risk_reasons))
    one = OneLine if narrow else lambda part: part
    lines = (*since.lines(item.report), *context)
    rule = " ".join(item.brief.text.split())
    verdict = section("verdict", one(strip_table(item)), tight=narrow)
    worst_title = "worst rows of evidence: 1, 2, 3 run one again"
    worst = section(worst_title, one(worst_table(item, short=narrow)), tight=narrow)
    evidence = (*worst, *verdict) if narrow and len(lines) > 2 else (*verdict, *worst)
    return Group(
        word(f"{one_line(item.title)}   {item.family}/{item.task_id} {item.version}", "bold"),
        one(
            joined(
                *(pair("state", item.state.value), word("   "), pair("made by", one_line(item.lineage.author))),
                *(word("   "), pair("from", one_line(item.origin, at_most=200))),
            )
        ),
        one(pair("risk", one_line(risky, at_most=400), RISK_STYLES[risk_word(item.risk)])),
        *map(one, _alarms(item, reader)),
        *(one(pair(label, one_line(text, at_most=300))) for label, text in lines),
        pair("rule", one_line(rule, at_most=140 if narrow else 230)),
        *evidence,
        *section("findings", _findings(item, held)),
        *section("the whole rule, as handed in", word(visible(reflowed(item.brief.text), at_most=MAX_RULE_CHARS))),
        *_reader_said(item),
        *section("difficulty", _difficulty(item)),
        *section("files: press c to read them", _files(item)),
        *section("history", _history(item)),
    )


def code_page(item: QueueItem) -> RenderableType:
    """All files with line numbers."""
    from rich.console import Group

    return Group(*(part for path in item.folder.files for part in section(path, _code(item, path))))


def worst_table(item: QueueItem, *, short: bool = False) -> Table:
    """The three worst rows, numbered; ``short`` leaves more room for what was found."""
    table = grid(3)
    for number, row in enumerate(worst_rows(item.report), 1):
        said = "found" if row.bad else "not looked for" if row.text == NOT_MEASURED else "none found"
        title = SHORT_TITLES[row.key] if short else row.title
        text = row.finding.message if short and row.finding else row.text
        table.add_row(
            word(str(number), "bold"),
            word(f"{title}: {said}", "bold red" if row.bad else ""),
            word(one_line(text, at_most=300)),
        )
    return table


def strip_table(item: QueueItem) -> RenderableType:
    """The verdict strip."""
    table = grid(3)
    table.columns[0].min_width = LABEL_WIDTH
    for measure in verdict_strip(item.report):
        table.add_row(word(measure.label), word(measure.status), word(one_line(measure.text, at_most=300)))
    return table


def _findings(item: QueueItem, held: int) -> RenderableType:
    from rich.console import Group
    from rich.padding import Padding

    findings = item.report.findings
    if not findings and not held:
        return word("none")
    parts: list[RenderableType] = [word(waiting(held), "yellow")] if held else []
    for finding in findings[:MAX_FINDINGS]:
        parts.append(joined(word(finding.severity.value), word(f"  {finding.code}  {one_line(finding.message)}")))
        details = _witness(finding)
        if finding.hint:
            details.append(f"hint: {one_line(finding.hint)}")
        if finding.witness is not None and finding.witness.kind != "review":
            details.append(f"again: {reproduce_command(item, finding)}")
        if details:
            parts.append(Padding(word("\n".join(details), "dim"), (0, 0, 0, 4)))
    if len(findings) > MAX_FINDINGS:
        parts.append(word(f"… and {len(findings) - MAX_FINDINGS} more; --json shows all"))
    return Group(*parts)


def place(code: str, witness: Witness) -> str:
    """What kind of witness it is, and where; of an average it is one response."""
    kind = f"{witness.kind} of one of the responses, not their average" if one_of_many(code) else witness.kind
    return ", ".join(filter(None, (kind, place_of(witness.file, witness.line, witness.level, witness.seed))))


def _witness(finding: Finding) -> list[str]:
    witness = finding.witness
    if witness is None:
        return []
    lines = [f"witness: {one_line(place(finding.code, witness))}"]
    if witness.response is not None:
        lines.append(f"response: {one_line(witness.response)}")
    said = (("expected", witness.expected), ("seen", witness.seen))
    return [*lines, *(f"{label}: {one_line(text)}" for label, text in said if text)]


def _difficulty(item: QueueItem) -> RenderableType:
    from rich.table import Table

    rows = level_rows(item)
    if not rows:
        return word("the card cannot be read")
    axes = list(rows[0].params)
    table = Table(box=None, header_style="dim", pad_edge=False)
    for name in ("level", *axes, "different cases", "top answer", "longest prompt"):
        table.add_column(word(name))
    for row in rows:
        params = [one_line(str(row.params[axis]), at_most=40) for axis in axes]
        cells = (str(row.level), *params, row.distinct, row.top_answer, row.prompt_characters)
        table.add_row(*map(word, cells))
    return table


def level_rows(item: QueueItem) -> list[LevelRow]:
    """What each level sets and what was measured there; nothing where the card cannot be read."""
    try:
        return difficulty_rows(item.folder.card, item.report)
    except UsageError:
        return []


def _files(item: QueueItem) -> RenderableType:
    table = grid(2)
    for path, data in item.folder.files.items():
        table.add_row(word(path), word(f"{len(data):,} bytes"))
    return table


def _code(item: QueueItem, path: str) -> RenderableType:
    text = visible(item.folder.files[path].decode("utf-8", "replace"), at_most=MAX_CODE_CHARS)
    lines = text.split("\n")
    width = len(str(len(lines)))
    return word("\n".join(f"{number:>{width}}  {line}" for number, line in enumerate(lines, 1)))


def _history(item: QueueItem) -> RenderableType:
    table = grid(4)
    for event in item.events:
        reason = one_line(str(event.data.get("reason", "")), at_most=500)
        table.add_row(word(event.at), word(event.kind), word(one_line(event.actor)), word(reason))
    return table
