"""A run, or a comparison of two, as one HTML file: pictures inside, no script, nothing loaded from elsewhere."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from pathlib import Path

from bootcamp_kit.counted import counted
from evaluation.compare import Comparison, Paired, in_words
from evaluation.plots import by_level, by_task, differences
from evaluation.statistics import Interval
from evaluation.store import Rollout
from evaluation.summary import Row, Summary

MAX_SHOWN = 1_500

STYLE = """
:root { color-scheme: light dark; --ink: #1d2129; --soft: #5d6675; --page: #fbfbfa; --card: #ffffff; --line: #e2e4e8;
  --accent: #0072b2; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e7ec; --soft: #9aa3b2; --page: #14171c; --card: #1b1f26;
  --line: #2d333d; --accent: #56b4e9; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 78rem; padding: 2.2rem 1.4rem 4rem; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 1.55rem; margin: 0 0 .2rem; overflow-wrap: anywhere; }
h2 { font-size: 1.08rem; margin: 2.2rem 0 .7rem; }
p { margin: .3rem 0; } .soft, caption, figcaption { color: var(--soft); font-size: .88rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); gap: .8rem; margin: 1.4rem 0; }
.tile, figure, .wide, details { background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.tile { padding: .8rem 1rem; } .tile b { display: block; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
.tile span { color: var(--soft); font-size: .84rem; }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(26rem, 1fr)); gap: 1rem; align-items: start; }
figure { margin: 0; padding: 1rem 1.1rem; max-width: 48rem; }
figure svg { display: block; width: 100%; height: auto; max-height: 44rem; }
figcaption { margin-top: .5rem; }
.wide { overflow-x: auto; padding: .3rem .9rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { text-align: right; padding: .42rem .3rem; white-space: nowrap; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--soft); font-weight: 600; white-space: normal; vertical-align: bottom; }
th:first-child, td:first-child { text-align: left; padding-right: .6rem; }
td:first-child { white-space: normal; overflow-wrap: anywhere; min-width: 8rem; }
summary, .tile { overflow-wrap: anywhere; }
details { padding: .6rem .9rem; margin: .5rem 0; } summary { cursor: pointer; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: 12.5px/1.45 ui-monospace, Menlo, Consolas, monospace;
  margin: .5rem 0; padding: .6rem .8rem; border-left: 3px solid var(--line); }
.warn { margin-top: .9rem; border-left: 4px solid #d55e00; padding: .5rem .9rem; background: var(--card);
  border-radius: 6px; }
@media (max-width: 72rem) { table { font-size: .82rem; } th, td { padding: .42rem .18rem; }
  .wide { padding: .3rem .6rem; } }
@media (max-width: 34rem) { .pictures { grid-template-columns: minmax(0, 1fr); } figure { overflow-x: auto; }
  figure svg { min-width: 34rem; max-height: none; } .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
"""


def run_page(summary: Summary, samples: Sequence[tuple[Rollout, str]]) -> str:
    """The page of one run.

    Args:
        summary: Its numbers.
        samples: Some rollouts with their prompts, to look at.
    """
    total = summary.total
    parts = [
        f"<h1>{escape(summary.model)}</h1>",
        f"<p class=soft>{counted(len(summary.tasks), 'task')} · {counted(total.planned, 'rollout')}"
        f" · scored in the {escape(summary.scorer)}"
        f" · plan {summary.plan_hash[:12]}{' · ' + escape(summary.origin) if summary.origin else ''}</p>",
        _warnings(total),
        _tiles(summary),
        '<div class="pictures">',
        _figure(by_level(summary), "Mean score by level with 95 % intervals."),
        _figure(by_task(summary), "Outcomes by task. Unscored: provider, verifier or machine failed; not a zero."),
        "</div>",
        *_section("By task", "task", summary.tasks),
        *_section("By level", "level", summary.levels),
        *(_section("By family", "family", summary.families) if len(summary.families) > 1 else []),
        *(_section("By task and level", "task/level", summary.task_levels)),
        "<h2>Some rollouts</h2>" if samples else "",
        *(_sample(rollout, prompt) for rollout, prompt in samples),
        f"<p class=soft>Interval of the total: {escape(total.score.method)}. The range beside “unscored” is where the"
        " mean would lie if every missing score were 0, or 1. pass@k counts full marks only.</p>",
    ]
    return _document(f"evaluation of {summary.model}", parts)


def comparison_page(name_a: str, name_b: str, found: Comparison) -> str:
    """The page of a comparison."""
    test = found.test
    parts = [
        "<h1>A against B</h1>",
        f"<p class=soft>A: {escape(name_a)}<br>B: {escape(name_b)}</p>",
        '<div class="tiles">',
        _tile(_signed(found.total.difference.value), f"B − A, {in_words(found.total.difference)}"),
        _tile(str(found.total.cases), "paired cases"),
        _tile(f"{test.only_a} : {test.only_b}", "only A right : only B right"),
        _tile(f"{test.p_value:.2g}", "McNemar exact p"),
        _tile(f"{found.only_in_a} + {found.only_in_b}", "cases in one run only"),
        _tile(str(found.changed), "cases whose content differs"),
        "</div>",
        '<div class="pictures">',
        _figure(differences(found), "Paired differences with 95 % intervals."),
        "</div>",
        *_paired("By task", found.tasks),
        *_paired("By level", found.levels),
        f"<p class=soft>Interval: {escape(found.total.difference.method)}. McNemar on one response a case.</p>",
    ]
    return _document("comparison", parts)


def write_page(path: Path, text: str) -> None:
    """Whole or not at all."""
    building = path.with_name(f".{path.name}.writing")
    building.write_text(text, "utf-8")
    building.replace(path)


def _document(title: str, parts: Sequence[str]) -> str:
    head = f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    return head + view + f"<style>{STYLE}</style>\n</head>\n<body>\n" + "\n".join(parts) + "\n</body>\n</html>\n"


def _warnings(total: Row) -> str:
    found = []
    if total.missing:
        found.append(f"This run is not finished: {counted(total.missing, 'rollout is', 'rollouts are')} missing.")
    if total.unscored:
        found.append("Unscored: " + ", ".join(f"{count} {reason}" for reason, count in total.unscored.items()) + ".")
    if total.truncated:
        found.append(f"{counted(total.truncated, 'response was', 'responses were')} cut by the token limit.")
    return f'<p class="warn">{escape(" ".join(found))}</p>' if found else ""


def _tiles(summary: Summary) -> str:
    total = summary.total
    tiles = [_tile(_number(total.score.value), f"mean score, {_bounds(total.score)}")]
    if summary.weighted is not None:
        tiles.append(_tile(_number(summary.weighted), "weighted by family"))
    tiles += [_tile(_number(value), f"pass@{k}") for k, value in total.passes.items()][:4]
    tiles += [
        _tile(f"{total.scored} / {total.planned}", "scored / planned"),
        _tile(str(sum(total.unscored.values())), f"unscored; mean {total.at_least:.3f} … {total.at_most:.3f}"),
        _tile(str(total.cases), "distinct cases"),
        _tile(f"{total.input_tokens + total.output_tokens:,}".replace(",", "\u202f"), "tokens"),
    ]
    return f'<div class="tiles">{"".join(tiles)}</div>'


def _tile(value: str, label: str) -> str:
    return f'<div class="tile"><b>{escape(value)}</b><span>{escape(label)}</span></div>'


def _figure(svg: str, caption: str) -> str:
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def _section(title: str, first: str, rows: Sequence[Row]) -> list[str]:
    heads: tuple[str, ...] = (
        first,
        "score",
        "95 %",
        "correct",
        "partial",
        "wrong",
        "malformed",
        "unscored",
        "missing",
        "cases",
    )
    passes = sorted({k for row in rows for k in row.passes if k > 1})[:3]
    heads = (*heads, *(f"pass@{k}" for k in passes), "tokens out", "median s")
    body = [
        (
            row.name,
            _number(row.score.value),
            _bounds(row.score),
            *map(str, row.outcomes.values()),
            str(sum(row.unscored.values())),
            str(row.missing),
            str(row.cases),
            *(_number(row.passes.get(k, math.nan)) for k in passes),
            str(row.output_tokens),
            _number(row.median_latency_s),
        )
        for row in rows
    ]
    return [f"<h2>{escape(title)}</h2>", _table(heads, body)]


def _paired(title: str, rows: Sequence[Paired]) -> list[str]:
    heads = ("", "cases", "A", "B", "B − A", "95 %")
    body = [
        (
            row.name,
            str(row.cases),
            _number(row.mean_a),
            _number(row.mean_b),
            _signed(row.difference.value),
            in_words(row.difference),
        )
        for row in rows
    ]
    return [f"<h2>{escape(title)}</h2>", _table(heads, body)]


def _table(heads: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(head)}</th>" for head in heads)
    rows = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in body)
    return f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>\n{rows}\n</tbody></table></div>'


def _sample(rollout: Rollout, prompt: str) -> str:
    verdict = rollout.outcome or f"unscored: {rollout.unscored}"
    why = rollout.reason or rollout.detail
    head = f"{escape(rollout.id)} — <b>{escape(verdict)}</b> <span class=soft>{escape(why)}</span>"
    return (
        f"<details><summary>{head}</summary>"
        f"<pre>{escape(_cut(prompt))}</pre><pre>{escape(_cut(rollout.response or ''))}</pre></details>"
    )


def _cut(text: str) -> str:
    plain = text.encode("utf-8", "replace").decode()
    return plain if len(plain) <= MAX_SHOWN else plain[:MAX_SHOWN] + f" … ({len(plain)} characters)"


def _number(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}"


def _signed(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:+.3f}".replace("-", "−")


def _bounds(interval: Interval) -> str:
    return f"{interval.low:.3f} … {interval.high:.3f}".replace("-", "−")
