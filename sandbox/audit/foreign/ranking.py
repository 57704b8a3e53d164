"""The library report: tasks worst first, counts by kind of finding; Markdown and one self-contained page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from bootcamp_kit.counted import counted
from sandbox.audit.page import STYLE

SEVERITIES = ("blocker", "major", "minor", "note")
Rows = Sequence[Mapping[str, Any]]
_WIDTHS = (
    ".tasks{table-layout:fixed}.tasks td{overflow-wrap:anywhere}"
    ".tasks th:nth-child(1){width:26%}.tasks th:nth-child(2){width:70px}"
)


def kinds(rows: Rows) -> list[tuple[str, str, int]]:
    """(severity, code, tasks that have it), heaviest and most frequent first."""
    counts = Counter((found["severity"], found["code"]) for item in rows for found in _once(item))
    ordered = sorted(counts.items(), key=lambda pair: (SEVERITIES.index(pair[0][0]), -pair[1], pair[0][1]))
    return [(severity, code, count) for (severity, code), count in ordered]


def _once(item: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """One finding of each code."""
    return list({found["code"]: found for found in reversed(item["findings"])}.values())


def totals(rows: Rows) -> dict[str, int]:
    """Tasks by verdict, and how many have a finding from major on."""
    found = Counter(str(item["verdict"]) for item in rows)
    serious = sum(any(one["severity"] in SEVERITIES[:2] for one in item["findings"]) for item in rows)
    return {"tasks": len(rows), **dict(sorted(found.items())), "major or worse": serious}


def markdown(library: str, rows: Rows) -> str:
    """The report as Markdown."""
    lines = [f"# {_line(library)}: {counted(len(rows), 'task')}, worst first", ""]
    lines += [" · ".join(f"{name}: {count}" for name, count in totals(rows).items()), ""]
    lines += ["| severity | finding | tasks |", "|---|---|---|"]
    lines += [f"| {severity} | `{code}` | {count} |" for severity, code, count in kinds(rows)]
    lines += ["", "| task | verdict | findings |", "|---|---|---|"]
    for item in rows:
        told = "<br>".join(
            f"{one['severity']} `{one['code']}` {one['id']}: {_line(one['message'])}" for one in item["findings"]
        )
        lines.append(f"| {_line(item['task'])} | {item['verdict']} | {told or _line(item['reason'])} |")
    lines += [
        "",
        "Each finding's witness (case number and response) is in the JSON Lines beside this file;",
        "`bootcamp audit --foreign … --out FOLDER --replay ID` repeats it.",
        "",
    ]
    return "\n".join(lines)


def _line(text: str) -> str:
    """Untrusted text inside a Markdown table."""
    plain = escape(str(text)[:300], quote=False).replace("|", "\\|").replace("`", "'")
    return " ".join(plain.split())


def page(library: str, rows: Rows) -> str:
    """The report as one page without scripts or addresses."""
    text = _text
    head = f"{text(library)}: {counted(len(rows), 'task')}, worst first"
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8>",
        "<meta name=viewport content='width=device-width,initial-scale=1'>",
        f"<title>{head}</title><style>{STYLE}{_WIDTHS}</style><main><h1>{head}</h1><div class=facts>",
        *(f"<div class=fact><b>{count}</b><span>{text(name)}</span></div>" for name, count in totals(rows).items()),
        "</div><h2>Kinds of findings</h2><div class=wide><table><tr><th>severity<th>finding<th>tasks</tr>",
        *(f"<tr><td>{text(one)}<td>{text(code)}<td>{count}</tr>" for one, code, count in kinds(rows)),
        "</table></div><h2>Tasks</h2><div class=wide><table class=tasks><tr><th>task<th>verdict<th>findings</tr>",
    ]
    for item in rows:
        found = "<br>".join(
            f"<b>{text(one['severity'])}</b> {text(one['code'])} {text(one['id'])}: {text(one['message'][:300])}"
            + _witness(one["witness"])
            for one in item["findings"]
        )
        told = found or text(item["reason"][:300])
        parts.append(
            f"<tr><td>{text(item['task'])}<td class='{text(item['verdict'])}'>{text(item['verdict'])}<td>{told}</tr>"
        )
    return "\n".join([*parts, "</table></div></main></html>\n"])


def _witness(witness: Mapping[str, Any] | None) -> str:
    if not witness or witness["seed"] is None:
        return ""
    response = _text((witness["response"] or "")[:120])
    return f" <span class=soft>case {_text(witness['seed'])}: <code>{response}</code></span>"


def _text(value: Any) -> str:
    return escape(str(value), quote=True)
