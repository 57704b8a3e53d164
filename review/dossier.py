"""All there is to know about one candidate as one HTML file: no script, nothing loaded, good offline and on a phone.

Everything that a candidate, a model or a brief wrote goes through ``visible`` and then through HTML escaping. The page
forbids itself scripts and every load by a content security policy, should something slip through all the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from bootcamp_kit.counted import counted
from bootcamp_kit.errors import UsageError
from bootcamp_kit.report import Finding
from review import since
from review.alarms import alarms
from review.difference import Before, differences
from review.html_text import block, lines_of, page, pre, row, section, status, t
from review.item import QueueEntry, QueueItem
from review.measures import NOT_MEASURED, difficulty_rows, outcome, verdict_strip
from review.opinions import seen, waiting
from review.pair import Pair
from review.pictures import floor_bars, floor_picture, matrix_picture, matrix_rows
from review.present import place, reproduce_command
from review.risk import word as risk_word
from review.trial import Trial
from review.worst import worst_rows

MAX_CODE_LINES = 5_000
_WEIGHTS = {"blocker": "bad", "major": "bad", "minor": "warn", "note": "soft"}


def file_name(entry: QueueEntry) -> str:
    """The dossier's file: ``task_id@hash.html``."""
    return f"{entry.ref}.html"


def dossier(
    item: QueueItem,
    *,
    trials: Sequence[Trial] = (),
    pairs: Sequence[Pair] = (),
    before: Before | None = None,
    context: Sequence[tuple[str, str]] = (),
    told: bool = False,
) -> str:
    """The page.

    Args:
        item: What it is about.
        trials: Cases to show.
        pairs: Cases with two unlabelled answers; which is right is folded away.
        before: What a second look compares with, to show what changed.
        context: (label, text) of what is there already, e.g. the nearest task.
        told: With a model's opinions; a page cannot know whether its reader has judged.
    """
    whole = item.report
    item, held = seen(item, told)
    parts = [
        *_head(item, context),
        *section("The rule, as handed in", f'<div class="card">{pre(item.brief.text)}{_reader_said(item)}</div>'),
        *(section("Against the version that stands", _since(item)) if since.lines(item.report) else ()),
        *section("Verdict", _strip(item)),
        *section("The three worst rows of evidence", _worst(item)),
        *section("In pictures", _pictures(item)),
        *section(f"Findings ({len(item.report.findings)})", _findings(item, held)),
        *(part for pair in pairs for part in section(f"Which answer is right? Level {pair.level}", _pair(pair))),
        *(part for trial in trials for part in section(f"A case at level {trial.level}", _trial(trial))),
        *section("Difficulty", _difficulty(item)),
        *(section("What changed", _difference(before, item)) if before else ()),
        *section("Code, findings marked", "".join(_file(item, path) for path in item.folder.files)),
        *section("All checks", _checks(item, whole.hash)),
        *section("History", _history(item)),
    ]
    return page(f"{item.title} · {item.ref}", parts)


def index(entries: Iterable[QueueEntry]) -> str:
    """The page that leads to the dossiers."""
    rows = [
        f'<tr><td>{entry.risk}</td><td><a href="{escape(file_name(entry))}">{t(entry.title)}</a>'
        f'<br><span class="soft">{t(entry.ref)}</span></td><td>{t(entry.state)}</td>'
        f"<td>{status(entry.verdict)}</td><td>{t(entry.author)}</td></tr>"
        for entry in entries
    ]
    head = row(("risk", "task", "state", "report", "by"), "th")
    body = "".join(rows) or '<tr><td colspan="5">the queue is empty</td></tr>'
    return page(
        "Review queue",
        [
            "<h1>Review queue</h1>",
            f'<div class="card scroll"><table class="queue"><thead>{head}</thead>{body}</table></div>',
        ],
    )


def _head(item: QueueItem, context: Sequence[tuple[str, str]]) -> Iterable[str]:
    yield f"<h1>{t(item.title)}</h1>"
    yield f'<p class="soft"><code>{t(item.ref)}</code> · {t(item.family)} · version {t(item.version)}</p>'
    kind = {"low": "ok", "medium": "warn", "high": "bad"}[risk_word(item.risk)]
    chips = [
        f"report: {status(item.report.verdict)}",
        f"state: {t(item.state)}",
        f'risk: <span class="{kind}">{item.risk} {risk_word(item.risk)}</span>',
        f"made by {t(item.lineage.author)}, attempt {item.lineage.attempt}",
        f"licence {t(item.licence)}",
    ]
    yield '<ul class="chips">' + "".join(f"<li>{chip}</li>" for chip in chips) + "</ul>"
    yield f'<p class="soft">from {t(item.origin, 600)}</p>'
    for label, text in context:
        yield f'<p class="soft">{t(label)}: {t(text, 400)}</p>'
    for alarm in alarms(item):
        yield f'<p class="{"warning" if alarm.kind else "soft"}">{t(alarm.text, 600)}</p>'
    if item.risk_reasons:
        yield f'<p class="soft">risk because: {t("; ".join(item.risk_reasons), 1_000)}</p>'


def _reader_said(item: QueueItem) -> str:
    """What was cleaned, kept or left out when the rule was read."""
    notes = "".join(f"<li>{t(note, 600)}</li>" for note in item.brief.notes)
    return f"<p>What the reader cleaned, kept or left out:</p><ul>{notes}</ul>" if notes else ""


def _strip(item: QueueItem) -> str:
    tiles = [
        f'<div class="card is-{escape(measure.status or "none")}"><b>{status(measure.status)} {t(measure.label)}</b>'
        f"<p>{t(measure.text, 400)}</p></div>"
        for measure in verdict_strip(item.report)
    ]
    return f'<div class="strip">{"".join(tiles)}</div>'


def _since(item: QueueItem) -> str:
    """What it changes, and each verdict that flipped."""
    pairs = "".join(f"<dt>{t(label)}</dt><dd>{t(text, 600)}</dd>" for label, text in since.lines(item.report))
    head = row(("level", "seed", "before", "now", "response"), "th")
    flips = [finding.witness for finding in since.flips(item.report) if finding.witness]
    rows = "".join(row((str(w.level), str(w.seed), w.expected, w.seen, (w.response or "")[:400])) for w in flips)
    told = sum((since.figures(item.report) or {}).get("changed", {}).values())
    more = f'<p class="soft">{len(flips)} of {told} are listed.</p>' if told > len(flips) else ""
    table = f'<div class="scroll"><table><thead>{head}</thead>{rows}</table></div>' if flips else ""
    return f'<div class="card"><dl>{pairs}</dl>{table}{more}</div>'


def _pictures(item: QueueItem) -> str:
    try:
        answer = item.folder.card.answer
        declared = max(answer.floor, 1 / len(answer.choices) if answer.kind == "choice" else 0.0)
    except UsageError:
        declared = 0.0
    bars, rows = floor_bars(item.report), matrix_rows(item.report)
    cards = []
    if bars:
        cards.append(("What answers earn that solve nothing", floor_picture(bars, declared)))
    if rows:
        cards.append(("Accepted and rejected", matrix_picture(rows)))
    if not cards:
        return '<p class="soft">nothing was measured that could be drawn</p>'
    return '<div class="pair">' + "".join(f'<div class="card"><h3>{a}</h3>{b}</div>' for a, b in cards) + "</div>"


def _worst(item: QueueItem) -> str:
    found = []
    for worst in worst_rows(item.report):
        again = f"<p><code>{t(reproduce_command(item, worst.finding))}</code></p>" if worst.finding else ""
        kind, word, edge = ("bad", "found", "fail") if worst.bad else ("ok", "none found", "pass")
        if worst.text == NOT_MEASURED:
            kind, word, edge = "soft", "not looked for", "none"
        found.append(
            f'<div class="card is-{edge}"><h3>{t(worst.title)}: <span class="{kind}">{word}</span></h3>'
            f"<p>{t(worst.text, 600)}</p>{again}</div>"
        )
    return f'<div class="strip">{"".join(found)}</div>'


def _findings(item: QueueItem, held: int) -> str:
    kept_back = f'<p class="soft">{t(waiting(held))}</p>' if held else ""
    shown = "".join(_finding(item, finding) for finding in item.report.findings)
    return shown + kept_back or '<p class="soft">none</p>'


def _finding(item: QueueItem, finding: Finding) -> str:
    witness = finding.witness
    pairs: list[tuple[str, str]] = []
    if witness is not None:
        pairs = [
            ("witness", place(finding.code, witness)),
            ("response", witness.response or ""),
            ("expected", witness.expected),
            ("seen", witness.seen),
        ]
    if finding.hint:
        pairs.append(("hint", finding.hint))
    rows = "".join(f"<dt>{name}</dt><dd>{block(text)}</dd>" for name, text in pairs if text)
    again = f"<p><code>{t(reproduce_command(item, finding))}</code></p>" if witness is not None else ""
    kind = _WEIGHTS[finding.severity.value]
    return (
        f'<div class="card"><h3><span class="{kind}">{finding.severity.value}</span> {t(finding.code)}</h3>'
        f"<p>{t(finding.message, 600)}</p><dl>{rows}</dl>{again}</div>"
    )


def _pair(pair: Pair) -> str:
    if pair.problem:
        return f'<p class="warning">{t(pair.problem, 600)}</p>{pre(pair.prompt)}'
    answers = "".join(
        f'<div class="card"><h3>Answer {number}</h3>{pre(response, 4_000)}</div>'
        for number, response in zip("12", pair.responses, strict=True)
    )
    told = f"<details><summary>Say which first, then look</summary><p>Answer {pair.right + 1} is right.</p></details>"
    return f'<div class="card">{pre(pair.prompt)}</div><div class="pair">{answers}</div>{told}'


def _trial(trial: Trial) -> str:
    problem = f'<p class="warning">{t(trial.problem, 1_000)}</p>' if trial.problem else ""
    place = f'<p class="soft">level {trial.level}, seed {trial.seed}</p>'
    return f'<div class="card">{place}{problem}{pre(trial.prompt)}</div>'


def _difficulty(item: QueueItem) -> str:
    try:
        rows = difficulty_rows(item.folder.card, item.report)
    except UsageError as error:
        return f'<p class="warning">the card cannot be read: {t(error.found)}</p>'
    axes = list(rows[0].params)
    head = row(("level", *axes, "different cases", "top answer", "longest prompt"), "th")
    lines = [
        row(
            (
                str(level.level),
                *(str(level.params[axis]) for axis in axes),
                level.distinct,
                level.top_answer,
                level.prompt_characters,
            )
        )
        for level in rows
    ]
    return f'<div class="card scroll"><table><thead>{head}</thead>{"".join(lines)}</table></div>'


def _difference(before: Before, item: QueueItem) -> str:
    parts = [f'<p class="soft">against {t(before.words)}</p>']
    for one in differences(before.files, item.folder.files):
        shown = "\n".join(map(_diff_line, one.lines))
        label = f"{one.path} +{one.added} −{one.removed}"
        parts.append(f'<details><summary>{t(label)}</summary><pre class="diff">{shown}</pre></details>')
    return "".join(parts)


def _diff_line(line: str) -> str:
    tag = {"+": "ins", "-": "del"}.get(line[:1])
    shown = t(line, 2_000, fold=False)
    return f"<{tag}>{shown}</{tag}>" if tag else shown


def _file(item: QueueItem, path: str) -> str:
    marked: dict[int, list[Finding]] = {}
    for finding in item.report.findings:
        if finding.witness is not None and finding.witness.file == path:
            marked.setdefault(finding.witness.line, []).append(finding)
    lines = lines_of(item.folder.files[path])
    shown = []
    for number, line in enumerate(lines[:MAX_CODE_LINES], 1):
        found = marked.get(number, [])
        kind = ' class="marked"' if found else ""
        shown.append(f"<div{kind}>{t(line, 2_000, fold=False)}</div>")
        shown += [f"<p>{finding.severity.value} {t(finding.code)}: {t(finding.message, 400)}</p>" for finding in found]
    if len(lines) > MAX_CODE_LINES:
        shown.append(f"<p>… {counted(len(lines) - MAX_CODE_LINES, 'more line')}</p>")
    opened = " open" if marked else ""
    note = f" · {counted(sum(map(len, marked.values())), 'finding')}" if marked else ""
    size = f'<span class="soft">{len(item.folder.files[path]):,} bytes{note}</span>'
    code = f'<div class="code">{"".join(shown)}</div>'
    return f'<details class="card"{opened}><summary>{t(path)} {size}</summary>{code}</details>'


def _checks(item: QueueItem, report_hash: str) -> str:
    lines = []
    for result in item.report.results:
        figures = ", ".join(f"{key} {value}" for key, value in (result.figures or {}).items())
        cells = (
            f"<td>{t(result.check)}</td>",
            f"<td>{status(outcome(result))}</td>",
            f"<td>{t(result.reason or figures, 300)}</td>",
        )
        lines.append(f"<tr>{''.join(cells)}</tr>")
    about = item.report.environment
    said = f"image {about.image_digest[:19]} · {about.engine} · Python {about.python} · kit {about.kit_version}"
    hashes = f"content {item.content_hash} · report {report_hash}"
    table = f"<table><thead>{row(('check', 'status', 'measured'), 'th')}</thead>{''.join(lines)}</table>"
    count = counted(len(lines), "check")
    return (
        f'<details class="card"><summary>{count}</summary><div class="scroll">{table}</div></details>'
        f'<p class="soft">{t(said, 400)}</p><p class="soft">{t(hashes)}</p>'
    )


def _history(item: QueueItem) -> str:
    lines = [row((event.at, event.kind, event.actor, str(event.data.get("reason", "")))) for event in item.events]
    head = row(("when", "what", "who", "why"), "th")
    return f'<div class="card scroll"><table><thead>{head}</thead>{"".join(lines)}</table></div>'
