"""A model's opinion is told after the person has judged for themselves, everywhere."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from bootcamp_kit.candidate import Submission
from bootcamp_kit.report import CheckResult, Finding, Severity, Status, Witness
from review.as_json import item_to_json
from review.decide import Choice, decide
from review.dossier import dossier
from review.item import QueueItem
from review.listing import Filter
from review.opinions import ASKED, OPENED, has_any, is_opinion, may_be_told, split
from review.pair import Pair
from review.plain import Plain
from review.present import first_page, item_page
from review.session import Session
from review.states import OPEN
from tests.review.conftest import KEEPER, REVIEWER, a_finding, a_submission
from tests.review.test_app import no_engine, sitting

WITNESS = Witness("score", 1, 0, "<answer>3</answer>", expected="below 1", seen="1.0")
SAID = Finding("oppose.accepts_wrong", Severity.MAJOR, "the second judge doubts it", WITNESS)


@pytest.fixture
def ref(queue: Any) -> str:
    return str(queue.submit(a_submission(findings=(a_finding(), SAID))))


def drawn(renderable: object) -> str:
    console = Console(file=io.StringIO(), width=120)
    console.print(renderable)
    return str(console.file.getvalue())


@pytest.mark.parametrize(
    ("code", "severity", "opinion"),
    [
        ("oppose.accepts_wrong", Severity.MAJOR, True),
        ("oppose.missing_fact", Severity.NOTE, True),
        ("oppose.accepts_wrong", Severity.BLOCKER, False),
        ("calibrate.panel_agrees_otherwise", Severity.MAJOR, True),
        ("calibrate.too_hard", Severity.MINOR, False),
        ("near_miss.accepted", Severity.MAJOR, False),
    ],
)
def test_what_one_voice_says_and_nothing_confirmed_is_an_opinion(code: str, severity: Severity, opinion: bool) -> None:
    assert is_opinion(Finding(code, severity, "words", WITNESS)) is opinion


VOICES = CheckResult(ASKED, Status.PASS, figures={"second": "agrees", "attacks": 2, "believed": 0, "blind_right": 3})


def with_voices(submission: Submission) -> Submission:
    """With the figures of an opponent, too."""
    report = submission.report
    return replace(submission, report=replace(report, results=(*report.results, VOICES)))


def every_form(item: QueueItem, *, told: bool) -> list[str]:
    """Every form in which an item is shown, as text."""
    return [
        drawn(first_page(item, told=told)),
        drawn(item_page(item, told=told)),
        json.dumps(item_to_json(item, told=told)),
        dossier(item, told=told),
    ]


def test_no_form_tells_an_opinion_before_the_person_judged_and_each_counts_them(queue: Any) -> None:
    item = queue.item(queue.submit(with_voices(a_submission(findings=(a_finding(), SAID)))))
    assert [len(part) for part in split(item.report)] == [1, 1]
    for text in every_form(item, told=False):
        for word in ("second judge", "oppose.accepts_wrong", "agrees", "blind_right", SAID.id):
            assert word not in text
        assert "1 opinion of a model: told after" in text or '"opinions_kept_back": 1' in text
        assert "prompt.long" in text, "evidence is shown at once"
    for text in every_form(item, told=True):
        assert "the second judge doubts it" in text
        assert "told after" not in text
    held = item_to_json(item)
    assert held["report"]["hash"] == item_to_json(item, told=True)["report"]["hash"] == item.report.hash


def test_what_came_of_asking_opponents_waits_even_when_they_said_nothing(queue: Any) -> None:
    item = queue.item(queue.submit(with_voices(a_submission())))
    assert has_any(item.report)
    for text in every_form(item, told=False):
        assert "agrees" not in text


def test_a_sitting_tells_them_after_a_pair_was_judged_and_records_that(queue: Any, ref: str) -> None:
    with Session(queue, REVIEWER, no_engine) as session:
        item = session.open(ref).item
        assert not session.told(item)
        session.judge(item, Pair(1, 0, "p", ("a", "b"), 0), 1)
        assert session.told(item)
    with Session(queue, REVIEWER, no_engine) as session:
        assert session.told(item), "the next sitting knows"
    with Session(queue, KEEPER, no_engine) as session:
        assert not session.told(item), "each judges for themselves"
    decide(queue, ref, Choice.RETURN, REVIEWER, "no", shown_hash=ref)
    assert OPENED in queue.item(ref).events[-1].data["opened"]
    assert may_be_told(queue.item(ref), judged=False), "it is decided"


def test_only_the_first_word_on_a_level_counts(queue: Any, ref: str) -> None:
    pair = Pair(1, 0, "p", ("a", "b"), 0)
    with Session(queue, REVIEWER, no_engine) as session:
        item = session.open(ref).item
        assert not session.judge(item, pair, 1)
        assert session.judge(item, pair, 0), "it is told again"
    assert queue.judged(ref, REVIEWER) == ("pair at level 1: DISAGREED",)


async def test_the_app_keeps_them_back(queue: Any, ref: str) -> None:
    async with sitting(queue, size=(120, 60)) as seen:
        page = await seen.press("enter")
        assert "1 opinion of a model" in page
        assert "second judge" not in page


def test_plain_lines_keep_them_back(queue: Any, ref: str) -> None:
    said: list[str] = []
    answers = iter(["1", "list", "quit"])
    with Session(queue, REVIEWER, no_engine) as session:
        Plain(session, Filter(OPEN), lambda _: next(answers), said.append).run()
    assert any(line.startswith("1 opinion of a model") for line in said)
    assert not any("second judge" in line for line in said)
