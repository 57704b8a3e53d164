"""A model's opinion is told after the person has judged for themselves, everywhere."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from bootcamp_kit.report import Finding, Severity, Witness
from review.decide import Choice, decide
from review.dossier import dossier
from review.listing import Filter
from review.opinions import OPENED, is_opinion, split
from review.pair import Pair
from review.plain import Plain
from review.present import first_page, item_page
from review.session import Session
from review.states import OPEN
from tests.review.conftest import REVIEWER, a_finding, a_submission
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


def test_pages_count_opinions_and_keep_their_words(queue: Any, ref: str) -> None:
    item = queue.item(ref)
    assert [len(part) for part in split(item.report)] == [1, 1]
    for page in (first_page(item), item_page(item)):
        assert "1 opinion of a model: told after" in drawn(page)
        assert "second judge" not in drawn(page)
        assert "prompt.long" in drawn(page), "evidence is shown at once"
    for page in (first_page(item, opinions=True), item_page(item, told=True)):
        assert "the second judge doubts it" in drawn(page)
    html = dossier(item)
    assert html.index("<details><summary>1 opinion of a model") < html.index("the second judge doubts it")


def test_a_sitting_tells_them_after_a_pair_was_judged_and_records_that(queue: Any, ref: str) -> None:
    with Session(queue, REVIEWER, no_engine) as session:
        item = session.open(ref).item
        assert not session.told(item)
        session.judge(item, Pair(1, 0, "p", ("a", "b"), 0), 1)
        assert session.told(item)
    decide(queue, ref, Choice.RETURN, REVIEWER, "no", shown_hash=ref)
    assert OPENED in queue.item(ref).events[-1].data["opened"]


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
