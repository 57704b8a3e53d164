"""Shows the queue and its items: as Rich renderables for a terminal, and as plain JSON data.

Everything that a candidate, a model or a brief wrote goes through ``visible`` and into ``Text`` objects, so neither
control sequences nor Rich markup in it have an effect. Rich is imported when something is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from bootcamp_kit.errors import UsageError
from bootcamp_kit.report import Finding, to_json
from review import records
from review.decide import warnings
from review.item import QueueEntry, QueueItem
from review.measures import LevelRow, difficulty_rows, verdict_strip
from review.risk import word as risk_word
from review.trial import Trial
from review.visible import one_line, visible

if TYPE_CHECKING:
    from rich.console import Group, RenderableType
    from rich.table import Table
    from rich.text import Text

MAX_RULE_CHARS, MAX_PROMPT_CHARS, MAX_CODE_CHARS, MAX_FINDINGS = 3_000, 8_000, 200_000, 20
_STYLES = {
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


def reproduce_command(item: QueueEntry, finding: Finding) -> str:
    """The command that runs a finding's witness again."""
    return f"bootcamp check {item.ref} --replay {finding.id}"


def list_table(entries: Iterable[QueueEntry]) -> RenderableType:
    """The list, one line for each item."""
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    columns = (("risk", 4), ("item", 26), ("state", 10), ("report", 14), ("since", 10), ("title", 4), ("by", 4))
    for name, least in columns:
        table.add_column(name, no_wrap=True, min_width=least, overflow="fold" if name == "item" else "ellipsis")
    rows = 0
    for entry in entries:
        rows += 1
        counted = f", {entry.findings} found" if entry.findings else ""
        table.add_row(
            _word(f"{entry.risk:>3}", RISK_STYLES[risk_word(entry.risk)]),
            _word(entry.ref),
            _word(f"{entry.state} *" if entry.claimed_by else entry.state),
            _joined(_word(entry.verdict), _word(counted)),
            _word(entry.created[:10]),
            _word(one_line(entry.title, at_most=60)),
            _word(one_line(entry.author, at_most=40)),
        )
    return table if rows else _word("the queue is empty")


def item_page(item: QueueItem, *, trials: Sequence[Trial] = (), code: bool = False) -> RenderableType:
    """One item on a page: what it is, what was measured, what was found, cases, files, history."""
    from rich.console import Group

    return Group(
        *_head(item),
        *_section("verdict", _strip(item)),
        *_section("findings", _findings(item)),
        *_section("difficulty", _difficulty(item)),
        *(part for trial in trials for part in _section(f"case at level {trial.level}", trial_page(trial))),
        *_section("files", _files(item)),
        *(part for path in item.folder.files if code for part in _section(path, _code(item, path))),
        *_section("history", _history(item)),
    )


def trial_page(trial: Trial, *, prompt: bool = True) -> Group:
    """A case as a solver sees it, and what became of the response to it."""
    from rich.console import Group

    parts: list[RenderableType] = []
    if prompt:
        parts.append(_word(f"level {trial.level}, seed {trial.seed}", "dim"))
        parts.append(_word(visible(trial.prompt, at_most=MAX_PROMPT_CHARS)))
    if trial.response is not None and trial.malformed:
        parts.append(_pair("parsed", f"malformed: {one_line(trial.malformed)}"))
    elif trial.response is not None and not trial.problem.startswith("parse"):
        parts.append(_pair("parsed", one_line(repr(trial.parsed), at_most=500)))
    if trial.score is not None:
        parts.append(_pair("score", f"{trial.score.value:g}"))
        parts.append(_pair("outcome", trial.score.outcome.value))
        parts.append(_pair("reason", one_line(trial.score.reason, at_most=500)))
    if trial.problem:
        parts.append(_pair("fault of the task", one_line(trial.problem, at_most=1_000)))
    return Group(*parts)


def entry_to_json(entry: QueueEntry) -> dict[str, Any]:
    """One line of the list as plain data."""
    names = (*(field.name for field in fields(QueueEntry)), "ref")
    return {name: getattr(entry, name) for name in names}


def item_to_json(item: QueueItem) -> dict[str, Any]:
    """One item as plain data; file contents are left out, their sizes are in."""
    return {
        **entry_to_json(item),
        "brief": records.plain(item.brief),
        "lineage": records.plain(item.lineage),
        "strip": [asdict(measure) for measure in verdict_strip(item.report)],
        "difficulty": [asdict(row) for row in _rows(item)],
        "report": {**to_json(item.report), "verdict": item.report.verdict.value, "hash": item.report.hash},
        "findings_list": [
            {**to_json(finding), "id": finding.id, "reproduce": reproduce_command(item, finding)}
            for finding in item.report.findings
        ],
        "files": {path: len(data) for path, data in item.folder.files.items()},
        "intact": item.folder.content_hash == item.content_hash and item.origin_sound,
        "risk_reasons": list(item.risk_reasons),
        "warnings": list(warnings(item)),
        "events": [asdict(event) for event in item.events],
    }


def _head(item: QueueItem) -> list[RenderableType]:
    source = item.brief.source
    parts: list[RenderableType] = [
        _word(f"{one_line(item.title)}   {item.family}/{item.task_id} {item.version}", "bold"),
        _pair("item", item.ref),
        _pair("state", item.state.value),
        _pair("risk", one_line("; ".join((f"{item.risk}, {risk_word(item.risk)}", *item.risk_reasons)), at_most=600)),
        _pair("made by", one_line(f"{item.lineage.author}, attempt {item.lineage.attempt}")),
        _pair("from", one_line(", ".join(filter(None, (source.name, f"licence {item.licence}", source.url))))),
    ]
    if item.claimed_by:
        parts.append(_pair("claimed by", one_line(f"{item.claimed_by} until {item.claimed_until}")))
    if item.folder.content_hash != item.content_hash or not item.origin_sound:
        parts.append(_word("CHANGED IN THE QUEUE: what is stored is not what was submitted", "bold red"))
    parts += [_word(f"note: {warning}", "yellow") for warning in warnings(item)]
    return [*parts, *_section("the rule, as handed in", _word(visible(item.brief.text, at_most=MAX_RULE_CHARS)))]


def _strip(item: QueueItem) -> RenderableType:
    table = _grid(3)
    for measure in verdict_strip(item.report):
        table.add_row(_word(measure.label), _word(measure.status), _word(one_line(measure.text, at_most=300)))
    return table


def _findings(item: QueueItem) -> RenderableType:
    from rich.console import Group
    from rich.padding import Padding

    findings = item.report.findings
    if not findings:
        return _word("none")
    parts: list[RenderableType] = []
    for finding in findings[:MAX_FINDINGS]:
        parts.append(_joined(_word(finding.severity.value), _word(f"  {finding.code}  {one_line(finding.message)}")))
        details = _witness(finding)
        if finding.hint:
            details.append(f"hint: {one_line(finding.hint)}")
        details.append(f"again: {reproduce_command(item, finding)}")
        parts.append(Padding(_word("\n".join(details), "dim"), (0, 0, 0, 4)))
    if len(findings) > MAX_FINDINGS:
        parts.append(_word(f"… and {len(findings) - MAX_FINDINGS} more; --json shows all"))
    return Group(*parts)


def _witness(finding: Finding) -> list[str]:
    witness = finding.witness
    if witness is None:
        return []
    place = f"{witness.file}:{witness.line}" if witness.file else f"level {witness.level}, seed {witness.seed}"
    lines = [f"witness: {witness.kind}, {one_line(place)}"]
    if witness.response is not None:
        lines.append(f"response: {one_line(witness.response)}")
    said = (("expected", witness.expected), ("seen", witness.seen))
    return [*lines, *(f"{label}: {one_line(text)}" for label, text in said if text)]


def _difficulty(item: QueueItem) -> RenderableType:
    from rich.table import Table

    rows = _rows(item)
    if not rows:
        return _word("the card cannot be read")
    axes = list(rows[0].params)
    table = Table(box=None, header_style="dim", pad_edge=False)
    for name in ("level", *axes, "different cases", "top answer", "longest prompt"):
        table.add_column(_word(name))
    for row in rows:
        params = [one_line(str(row.params[axis]), at_most=40) for axis in axes]
        cells = (str(row.level), *params, row.distinct, row.top_answer, row.prompt_characters)
        table.add_row(*map(_word, cells))
    return table


def _rows(item: QueueItem) -> list[LevelRow]:
    try:
        return difficulty_rows(item.folder.card, item.report)
    except UsageError:
        return []


def _files(item: QueueItem) -> RenderableType:
    table = _grid(2)
    for path, data in item.folder.files.items():
        table.add_row(_word(path), _word(f"{len(data):,} bytes"))
    return table


def _code(item: QueueItem, path: str) -> RenderableType:
    text = visible(item.folder.files[path].decode("utf-8", "replace"), at_most=MAX_CODE_CHARS)
    lines = text.split("\n")
    width = len(str(len(lines)))
    return _word("\n".join(f"{number:>{width}}  {line}" for number, line in enumerate(lines, 1)))


def _history(item: QueueItem) -> RenderableType:
    table = _grid(4)
    for event in item.events:
        reason = one_line(str(event.data.get("reason", "")), at_most=500)
        table.add_row(_word(event.at), _word(event.kind), _word(one_line(event.actor)), _word(reason))
    return table


def _section(title: str, body: RenderableType) -> list[RenderableType]:
    from rich.padding import Padding

    return [_word(f"\n{one_line(title)}", "bold cyan"), Padding(body, (0, 0, 0, 2))]


def _grid(columns: int) -> Table:
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    for _ in range(columns):
        table.add_column(overflow="fold")
    return table


def _pair(label: str, value: str) -> Text:
    return _joined(_word(f"{label}: ", "dim"), _word(value))


def _joined(*parts: Text) -> Text:
    from rich.text import Text

    return Text.assemble(*parts)


def _word(text: str, style: str = "") -> Text:
    """Text that is taken literally; words of the product get their colour."""
    from rich.text import Text

    return Text(visible(text, at_most=MAX_CODE_CHARS), style=style or _STYLES.get(text, ""))
