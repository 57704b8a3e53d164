"""The certificate as one self-contained HTML page: text that stands on its own, and pictures drawn as inline SVG.

No script, no font, no address: the page says the same offline. Everything that came out of a task is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from bootcamp_kit.counted import counted
from sandbox.audit.figures import at_least, at_most, bounded, clipped, percent, told_apart, too_few
from sandbox.audit.page_truth import opponent_section, search_section, truth_section
from sandbox.audit.pictures import bars, curves, matrix
from sandbox.told import place

SHOWN_FINDINGS = 40
LONG = 40
"""Characters; a longer cell of a table is text."""
STYLE = """
:root{--paper:#fff;--ink:#1b1d21;--soft:#5d6470;--line:#d9dde3;--good:#2f7d4f;--bad:#b3372c;--mid:#b07a1e;--blue:#2f5f9e;
--tint:#f4f6f8;color-scheme:light dark}
@media(prefers-color-scheme:dark){:root{--paper:#15171a;--ink:#e7e9ec;--soft:#9aa3af;--line:#343a42;--good:#5cb883;
--bad:#e3786d;--mid:#d9a84e;--blue:#7fade6;--tint:#1e2126}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:1040px;margin:0 auto;padding:28px 20px 60px}
h1{font-size:26px;margin:0}h2{font-size:18px;margin:34px 0 8px}
p{margin:6px 0;overflow-wrap:anywhere}.soft{color:var(--soft)}.verdict{font-weight:700}
.pass{color:var(--good)}.fail{color:var(--bad)}
.inconclusive{color:var(--mid)}code,pre{font:13px/1.45 ui-monospace,monospace}
pre{background:var(--tint);padding:10px 12px;overflow-x:auto;border-radius:6px;margin:6px 0}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:5px 10px 5px 0;vertical-align:top;
border-bottom:1px solid var(--line)}td{overflow-wrap:anywhere;min-width:4em}td.word{white-space:nowrap}
td.text{min-width:16em}th{color:var(--soft);font-weight:600}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(200px,1fr));gap:12px;margin-top:18px}
.fact{overflow-wrap:anywhere;border:1px solid var(--line);border-radius:8px;padding:10px 14px}
.fact b{display:block;font-size:22px}
.bad b{color:var(--bad)}
.fact span{color:var(--soft);font-size:13px}.wide{overflow-x:auto}
svg text{fill:var(--ink);font:12px system-ui,sans-serif}svg .soft{fill:var(--soft)}
svg .axis{stroke:var(--line)}svg .mark{stroke:var(--ink);stroke-dasharray:3 3}
"""


def page(certificate: Mapping[str, Any]) -> str:
    """The whole page."""
    task = certificate["task"]
    parts = [
        "<!doctype html><html lang=en><meta charset=utf-8>",
        "<meta name=viewport content='width=device-width,initial-scale=1'>",
        f"<title>{_text(task['id'])}: certificate</title><style>{STYLE}</style><main>",
        f"<h1>{_text(task['id'])}</h1>",
        f"<p class=soft>version {_text(task.get('version', '?'))} · content {_text(task['content_hash'][:12])} ·"
        f" policy {_text(certificate['policy_version'])} · certificate {_text(certificate['hash'][:12])}</p>",
        f"<p>Verdict: <span class='verdict {_text(certificate['verdict'])}'>{_text(certificate['verdict'])}</span>,"
        f" {counted(len(certificate['findings']), 'finding')}. Bounds are exact (Clopper–Pearson), one-sided, 95 %, for"
        " one class alone; classes are never pooled, and the mutants of one answer are not independent trials.</p>",
    ]
    if "all_levels" in certificate:
        parts += _facts(certificate)
    parts += _findings(certificate)
    if "all_levels" in certificate:
        parts += [*_pictures(certificate), *_capacity(certificate)]
    parts += [
        *truth_section(certificate["truth"]),
        *search_section(certificate["adversary"]),
        *opponent_section(certificate["opponents"]),
        *_mutation(certificate["mutation"]),
        *_not_measured(certificate),
    ]
    return "\n".join([*parts, "</main></html>\n"])


def _text(value: Any) -> str:
    return escape(str(value), quote=True)


def _facts(certificate: Mapping[str, Any]) -> Iterable[str]:
    measured, mutation = certificate["all_levels"], certificate["mutation"]
    yield "<div class=facts>"
    for label, worst in (
        ("wrong answers accepted", measured["false_accept"]["worst"]),
        ("odd responses accepted", measured["garbage"]["worst"]),
        ("right answers rejected", measured["false_reject"]["worst"]),
    ):
        if worst:
            seen = f"{worst['hits']} of {worst['n']} ({worst['class']}){at_least(worst)}"
            yield _fact(
                bounded(worst),
                f"{label}, worst of {counted(worst['classes'], 'class', 'classes')}: {seen}",
                bad=worst["hits"] > 0,
            )
    best = measured["floor"]["best"]
    if best:
        yield _fact(percent(best[0]["mean"]), f"guess floor: {clipped(best[0]['strategy'], 60)} (n = {best[0]['n']})")
    search = certificate["adversary"]
    if search["status"] in ("pass", "fail"):
        top = search["best_for_all"][:1]
        note = f"wrong answers accepted, found by search among {counted(search['responses'], 'response')}"
        yield _fact(str(search["wrong_accepted"]), note, bad=search["wrong_accepted"] > 0)
        if top:
            note = f"mean of the best response for all cases that the search found (n = {top[0]['n']})"
            yield _fact(percent(top[0]["mean"]), note)
    if mutation.get("score") is not None:
        told = mutation["killed"] + mutation["surviving"]
        note = f"of {told} careless verifiers" if too_few(mutation) == "" else "careless verifiers"
        note += f" noticed; {mutation['not_distinguished']} more not distinguished{too_few(mutation)}"
        yield _fact(told_apart(mutation), note)
    determinism = certificate["determinism"]["payloads"]
    yield _fact(
        f"{determinism['hits']} of {determinism['n']}",
        f"cases differ under another hash seed (true rate {at_most(determinism['below'])})",
        bad=determinism["hits"] > 0,
    )
    if measured["rates"]:
        rates = measured["rates"]
        yield _fact(
            f"{rates['j']:.3f}", f"J = TPR + TNR − 1 of the worst classes (n = {rates['tpr_n']}, {rates['tnr_n']})"
        )
    yield "</div>"


def _fact(big: str, small: str, *, bad: bool = False) -> str:
    return f"<div class='fact{' bad' if bad else ''}'><b>{_text(big)}</b><span>{_text(small)}</span></div>"


def _pictures(certificate: Mapping[str, Any]) -> Iterable[str]:
    levels = certificate["levels"]
    floor = certificate["all_levels"]["floor"]
    if floor["best"]:
        yield "<h2>Guess floor</h2><p class=soft>Mean score of responses that solve nothing; the mark is the floor"
        yield f" the card declares ({percent(floor['declared'])}). Best of {floor['strategies']} strategies.</p>"
        rows = [(f"all: {clipped(item['strategy'], 34)}", item["mean"], f"n = {item['n']}") for item in floor["best"]]
        for level, item in levels.items():
            if item["floor"]["best"]:
                top = item["floor"]["best"][0]
                rows.append((f"level {level}: {clipped(top['strategy'], 30)}", top["mean"], f"n = {top['n']}"))
        yield _wide(bars(rows, mark=floor["declared"]))
    for title, name, what in (
        ("Wrong answers, by class and level", "false_accept", "accepted"),
        ("Right answers, by class and level", "false_reject", "rejected"),
    ):
        classes = certificate["all_levels"][name]["by_class"]
        if classes:
            yield f"<h2>{title}</h2><p class=soft>Green: none {what}, the deeper the more tries; red: some {what}.</p>"
            cells = {label: [levels[level][name]["by_class"].get(label) for level in levels] for label in classes}
            yield _wide(matrix(list(levels), cells))
    yield "<h2>Difficulty</h2><p class=soft>Means over the cases of a level, each curve against its own largest value."
    yield "</p>"
    lines = {
        label: [level["difficulty"][key] or 0.0 for level in levels.values()]
        for label, key in (
            ("prompt, characters", "prompt_characters"),
            ("payload, bytes", "payload_bytes"),
            ("answer, characters", "answer_characters"),
        )
    }
    oracle = certificate["run"]["oracle_cpu_s"]
    lines["oracle, CPU µs"] = [1e6 * oracle.get(level, 0.0) for level in levels]
    yield _wide(curves(list(levels), lines))


def _wide(picture: str) -> str:
    return f"<div class=wide>{picture}</div>"


def _capacity(certificate: Mapping[str, Any]) -> Iterable[str]:
    yield "<h2>Different cases</h2>"
    header = ("level", "seeds", "different", "Chao1 at least", "birthday, 95 %", "answers seen", "entropy, bits", "top")
    rows = []
    for level, item in certificate["levels"].items():
        distinct, answers = item["distinct"], item["answers"]
        told = (answers["different"], answers["bits"], percent(answers["top_share"])) if answers["n"] else ("", "", "")
        rows.append((level, distinct["n"], distinct["distinct"], distinct["chao1"], distinct["birthday"], *told))
    yield _table(header, rows)


def _table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    head = "".join(f"<th>{_text(cell)}</th>" for cell in header)
    body = "".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in rows)
    return f"<div class=wide><table><tr>{head}</tr>{body}</table></div>"


def _cell(value: Any) -> str:
    """Long text breaks anywhere and keeps a width to be read in; an identifier stays whole."""
    text = str(value)
    kind = " class=text" if len(text) > LONG else " class=word" if " " not in text else ""
    return f"<td{kind}>{_text(text)}</td>"


def _mutation(mutation: Mapping[str, Any]) -> Iterable[str]:
    yield "<h2>Careless verifiers</h2>"
    if "skipped" in mutation:
        yield f"<p>Not measured: {_text(mutation['skipped'])}</p>"
        return
    yield (
        f"<p>{mutation['n']} of {counted(mutation['made'], 'changed version')} tried on"
        f" {counted(mutation['corpus'], 'answer')}: "
        f"{mutation['killed']} noticed, {mutation['surviving']} noticed only by the wider set of"
        f" {counted(mutation['wider_set'], 'answer')}, {mutation['not_distinguished']} not distinguished by either:"
        " equivalent, or beyond what was tried.</p>"
    )
    for item in mutation["survivors"]:
        yield f"<p>Missing test: an answer of the class “{_text(item['killed_by'])}” at level {_text(item['level'])}: "
        yield f"{_text(item['was'])} now, {_text(item['became'])} with this change.</p>"
        yield f"<pre>{_text(item['diff'][:3000])}</pre>"


def _findings(certificate: Mapping[str, Any]) -> Iterable[str]:
    findings = certificate["findings"]
    if not findings:
        return
    yield "<h2>Findings</h2>"
    yield _table(
        ("", "severity", "code", "message", "witness"),
        (
            (item["id"], item["severity"], item["code"], item["message"], _witness(item["witness"]))
            for item in findings[:SHOWN_FINDINGS]
        ),
    )
    if len(findings) > SHOWN_FINDINGS:
        yield f"<p class=soft>{len(findings) - SHOWN_FINDINGS} more are in the JSON.</p>"


def _witness(witness: Mapping[str, Any] | None) -> str:
    if not witness:
        return ""
    where = place(witness["file"], witness["line"], witness["level"], witness["seed"])
    response = (witness["response"] or "")[:160]
    return f"{where}: {response} — expected {witness['expected'][:120]}, seen {witness['seen'][:120]}"


def _not_measured(certificate: Mapping[str, Any]) -> Iterable[str]:
    rows = [(item["check"], item["status"], item["reason"]) for item in certificate["not_measured"]]
    if rows:
        yield "<h2>Not measured</h2>"
        yield _table(("check", "status", "reason"), rows)
