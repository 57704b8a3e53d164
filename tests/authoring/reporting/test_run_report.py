"""A run's report: the figures of a run that really ran, of one with every stage, of an old one, of a damaged one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from authoring.events import Event
from authoring.outcomes import BriefOutcome, OutcomeKind
from authoring.reporting.facts import RunFacts, read_run
from authoring.reporting.json_form import to_json
from authoring.reporting.page import page
from authoring.reporting.words import markdown
from authoring.runs import RunFolder, WorkItem
from authoring.settings import AuthoringSettings
from authoring.workflow import author
from bootcamp_kit.brief import Brief
from chat_models.call_store import CallCount
from chat_models.ledger import LedgerLine, LedgerSummary
from chat_models.protocol import Usage
from chat_models.scripted import ScriptedModel
from tests.authoring.conftest import MakeContext
from tests.authoring.parts import make_brief, make_run, mended, reply_with

Said = tuple[str, int | None, str, str, str, dict[str, Any]]


def at(second: int) -> str:
    return f"2026-11-30T12:{second // 60:02d}:{second % 60:02d}.000+00:00"


def written(state: Path, briefs: Sequence[Brief], said: Sequence[Said], outcomes: Sequence[BriefOutcome]) -> RunFolder:
    """A run folder with these events, one a second."""
    run = make_run(state, AuthoringSettings())
    run.store_work(tuple(WorkItem(run.artefacts.put_brief(brief), brief.id) for brief in briefs))
    for second, (brief, index, node, what, detail, figures) in enumerate(said):
        run.events.append(Event(at(second), brief, index, node, what, detail, figures))
    for outcome in outcomes:
        run.put_outcome(outcome)
    return run


def ended(brief: Brief, kind: OutcomeKind, reason: str = "", **more: Any) -> BriefOutcome:
    return BriefOutcome(brief.id, brief.hash, kind, reason, **more)


def every_stage(state: Path) -> RunFolder:
    briefs = [make_brief(number) for number in (1, 2, 3, 4)]
    one, two, three, _ = (brief.id for brief in briefs)
    said: list[Said] = [
        ("", None, "run", "started", "4 briefs", {}),
        (one, None, "analyse", "started", "", {}),
        (one, None, "analyse", "specified", "", {"corrected": 0}),
        (one, 0, "draft", "started", "", {}),
        (one, 0, "draft", "drafted", "", {"turn": 1}),
        (one, 0, "check", "started", "", {}),
        (one, 0, "check", "failed", "near_miss.accepted, floor.high", {"turn": 1, "heavy": 2, "floor": 0.5}),
        (one, 0, "repair", "started", "", {}),
        (one, 0, "repair", "drafted", "", {"turn": 2}),
        (one, 0, "check", "started", "", {}),
        (one, 0, "check", "failed", "floor.high", {"turn": 2, "heavy": 1, "floor": 0.5}),
        (one, 0, "repair", "drafted", "", {"turn": 3}),
        (one, 0, "check", "passed", "", {"turn": 3, "heavy": 0, "floor": 0.1}),
        (one, 0, "check", "passed", "", {"turn": 3, "heavy": 0, "floor": 0.1}),
        (one, 0, "oppose", "contested", "oppose.missing_fact", {"turn": 3, "objections": 1, "confirmed": 0}),
        (one, 0, "calibrate", "measured", "", {"turn": 3}),
        (one, 0, "dream", "dreamt", "a stage of tomorrow", {}),
        (one, None, "finish", "queued", "Q1", {"turns": 3}),
        (two, None, "analyse", "unusable", "not JSON", {}),
        (two, 0, "draft", "refused", "refusal: no puzzle", {"turn": 1}),
        (two, None, "finish", "refused", "refusal: no puzzle", {}),
        (three, 0, "draft", "drafted", "", {"turn": 1}),
        (three, 0, "check", "passed", "", {"turn": 1, "heavy": 0, "floor": 0.1}),
        (three, 0, "oppose", "contested", "oppose.accepts_wrong", {"turn": 1, "objections": 1, "confirmed": 1}),
        (three, 0, "repair", "unusable", "prose", {"turn": 2}),
        (three, None, "finish", "exhausted", "oppose.accepts_wrong", {}),
        ("", None, "run", "finished", "", {}),
    ]
    outcomes = [
        ended(briefs[0], OutcomeKind.QUEUED, turns=3, tokens=900, usd=0.5),
        ended(briefs[1], OutcomeKind.REFUSED, "refusal: no puzzle in “<b>it</b>”", turns=1, tokens=50, usd=0.1),
        ended(
            briefs[2],
            OutcomeKind.EXHAUSTED,
            "the gate's findings: oppose.accepts_wrong, floor.high",
            tokens=50,
            usd=0.1,
        ),
    ]
    return written(state, briefs, said, outcomes)


def spend(usd: float | None = 0.7) -> LedgerSummary:
    count = CallCount("author", "m", 5, 1, 0, 0, 0, Usage(800, 200))
    return LedgerSummary((LedgerLine(count, usd),))


@pytest.fixture
def facts(tmp_path: Path) -> RunFacts:
    return read_run(every_stage(tmp_path), spend())


def test_the_funnel_counts_briefs_at_every_stage_known_or_not(facts: RunFacts) -> None:
    rows = {row.name: (row.briefs, row.through) for row in facts.funnel}
    assert rows == {
        "briefs": (4, 4),
        "analyse": (2, 2),
        "draft": (3, 2),
        "check": (2, 2),
        "oppose": (2, 1),
        "calibrate": (1, 1),
        "dream": (1, 1),
        "finish": (1, 1),
    }
    assert facts.counts == {"queued": 1, "refused": 1, "exhausted": 1, "open": 1}
    assert facts.repeated == 1
    assert (facts.funnel[-1].turns, facts.funnel[-1].results) == (1, {"queued": 1}), "other ends are told elsewhere"


def test_repairs_are_judged_against_the_turn_before(facts: RunFacts) -> None:
    second, third = facts.rounds
    assert (second.number, second.asked, second.fewer, second.unusable) == (2, 2, 1, 1)
    assert (third.number, third.asked, third.passed) == (3, 1, 1)
    assert {row.code: (row.asked, row.gone) for row in facts.codes} == {
        "near_miss.accepted": (1, 1),
        "floor.high": (2, 1),
    }


def test_cost_is_told_for_each_queued_candidate_and_an_unknown_price_is_said(facts: RunFacts, tmp_path: Path) -> None:
    assert facts.usd_each == pytest.approx(0.7)
    assert "$0.7000 for each queued candidate" in markdown(facts)
    unknown = read_run(RunFolder(tmp_path / "runs" / facts.run_id), spend(None))
    assert unknown.usd_each is None
    assert "price not known" in markdown(unknown)


def test_reasons_are_gathered_by_stage_and_by_finding(facts: RunFacts) -> None:
    found = {(row.kind, row.where): row.words for row in facts.reasons}
    assert found == {
        ("refused", "refusal"): "no puzzle in “…”",
        ("exhausted", "oppose.accepts_wrong"): "",
        ("exhausted", "floor.high"): "",
    }


def test_yield_has_an_interval(facts: RunFacts) -> None:
    (row,) = facts.by_origin
    assert (row.name, row.briefs, row.queued) == ("brief", 4, 1)
    assert row.share.low < 0.25 < row.share.high


def test_markdown_keeps_strangers_text_inside_its_cell(tmp_path: Path) -> None:
    brief = make_brief()
    evil = "grammar: | a cell\n# a heading <script>alert(1)</script> \x1b[31m"
    run = written(tmp_path, [brief], [], [ended(brief, OutcomeKind.REFUSED, evil)])
    text = markdown(read_run(run))
    assert "\n# a heading" not in text
    assert "\\| a cell" in text
    assert "\x1b" not in text
    assert "\\<script\\>" in text


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href")]


def test_the_page_is_one_file_without_script_or_address_and_escapes_strangers(tmp_path: Path) -> None:
    brief = make_brief()
    run = written(tmp_path, [brief], [], [ended(brief, OutcomeKind.REFUSED, "x: <script>alert(1)</script>\u202e")])
    text = page(read_run(run))
    tags = _Tags()
    tags.feed(text)
    assert "script" not in tags.seen
    assert tags.addresses == []
    assert "\u202e" not in text
    assert "http" not in text.replace("http-equiv", "")


def test_the_page_shows_every_picture_of_a_full_run(facts: RunFacts) -> None:
    text = page(facts)
    for heading in ("How far briefs got", "Yield by source", "Why briefs were not queued", "What repair rounds brought",
                    "Ends over time", "Cost by role", "Time by stage"):  # fmt: skip
        assert heading in text
    assert "prefers-color-scheme: dark" in text


def test_json_holds_every_figure(facts: RunFacts) -> None:
    told = json.loads(json.dumps(to_json(facts)))
    assert (told["briefs"], told["queued"], told["usd_each"]) == (4, 1, pytest.approx(0.7))
    assert told["funnel"][0] == {"name": "briefs", "briefs": 4, "through": 4, "turns": 4, "results": {}}


def test_events_of_an_older_version_without_figures_are_counted_in_turn(tmp_path: Path) -> None:
    brief = make_brief()
    said: list[Said] = [
        (brief.id, 0, "draft", "drafted", "", {}),
        (brief.id, 0, "check", "failed", "a.b", {}),
        (brief.id, 0, "repair", "drafted", "", {}),
        (brief.id, 0, "check", "passed", "", {}),
    ]
    run = written(tmp_path, [brief], said, [ended(brief, OutcomeKind.QUEUED)])
    facts = read_run(run)
    (row,) = facts.rounds
    assert (row.number, row.passed) == (2, 1)
    assert facts.spend is None
    assert "queue" in markdown(facts)


def test_a_run_without_events_and_with_torn_lines_is_reported(tmp_path: Path) -> None:
    run = written(tmp_path, [make_brief()], [], [])
    (run.root / "events.jsonl").write_text(
        '{"at": "yesterday", "brief": "x", "index": 0, "node": "draft", "what": "x"}\n{"at"'
    )
    facts = read_run(run)
    assert (facts.queued, facts.counts) == (0, {"open": 1})
    assert page(facts).startswith("<!doctype html>")


def test_the_compiler_s_stages_are_a_funnel_of_their_own(tmp_path: Path) -> None:
    briefs = [make_brief(number) for number in range(1, 5)]
    outcomes = [
        ended(briefs[0], OutcomeKind.QUEUED),
        ended(briefs[1], OutcomeKind.REFUSED, "grammar: cannot read “x” → write it"),
        ended(briefs[2], OutcomeKind.REFUSED, "read: no Input section"),
        ended(briefs[3], OutcomeKind.REFUSED, "tomorrow: a new stage"),
    ]
    run = RunFolder.create(
        tmp_path, "20261130T120000000Z-00000a", author="compiler", settings=AuthoringSettings(), created="2026-11-30"
    )
    run.store_work(tuple(WorkItem(run.artefacts.put_brief(brief), brief.id) for brief in briefs))
    for outcome in outcomes:
        run.put_outcome(outcome)
    assert read_run(run).compiler == (("read", 1, 3), ("grammar", 1, 2), ("tomorrow", 1, 1))


async def test_a_run_that_really_ran_is_reported(make_context: MakeContext) -> None:
    context = make_context(model=ScriptedModel([reply_with(fault=True), mended()]))
    await author([make_brief()], context)
    facts = read_run(context.run)
    assert [(row.name, row.through) for row in facts.funnel] == [
        ("briefs", 1),
        ("draft", 1),
        ("check", 1),
        ("finish", 1),
    ]
    (row,) = facts.rounds
    assert (row.asked, row.passed) == (1, 1)
    assert [(code.code, code.gone) for code in facts.codes] == [("near_miss.accepted", 1)]


def test_a_reason_that_names_no_stage_stands_at_the_stage_where_the_brief_ended(tmp_path: Path) -> None:
    brief = make_brief()
    reason = "no reply could be used; the last one: syntax: bootcamp.py line 25: 'oops'"
    run = written(tmp_path, [brief], [], [ended(brief, OutcomeKind.EXHAUSTED, reason, stage="draft")])
    (row,) = read_run(run).reasons
    assert row.where == "draft"
