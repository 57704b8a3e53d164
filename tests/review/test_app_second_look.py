"""The screen on a second look, on a task that replaces another, and on a known item; and the same as plain lines."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from bootcamp_kit.versions import Size
from evaluation.changes import Changes, Flip
from review.as_json import item_to_json
from review.calibration import Style, Truth
from review.decide import Choice, decide
from review.dossier import dossier
from review.listing import Filter
from review.plain import Plain
from review.session import Session
from review.states import OPEN
from tests.review.conftest import REVIEWER, a_submission
from tests.review.test_app import no_engine, sitting

CHANGES = Changes(
    "1.0.0", "ab" * 32, Size.MINOR, ("bootcamp.py",), 36, 0, 0, {"examples": 5, "gate answers": 900},
    {"examples": 1, "gate answers": 0}, (Flip("examples", 1, 0, "<answer>3</answer>", "wrong 0", "correct 1"),),
)  # fmt: skip


async def test_a_second_look_names_and_shows_what_changed(queue: Any) -> None:
    first = queue.submit(a_submission(body="OLD = 1\n"))
    decide(queue, first, Choice.RETURN, REVIEWER, "too old", shown_hash=first)
    given = a_submission(body="NEW = 1\n", attempt=2, parent=first, version="1.1.0")
    given = replace(given, report=replace(given.report, results=(*given.report.results, CHANGES.result())))
    queue.submit(given)
    async with sitting(queue, size=(100, 40)) as seen:
        page = await seen.press("enter")
        assert "replaces: version 1.0.0" in page
        assert "1 of 905, the others stayed" in page
        assert "what you decided on: seat_rotation@" in page
        shown = await seen.press("d")
        assert "-OLD = 1" in shown
        assert "+NEW = 1" in shown
        assert "approve" in await seen.press("escape")


async def test_the_screen_tells_what_a_known_item_was(queue: Any) -> None:
    ref = queue.submit_known(a_submission(), Truth("always_right", Style.SILENT, "verify accepts everything"))
    async with sitting(queue, size=(100, 40)) as seen:
        assert "always_right" not in await seen.press("enter")
        said = await seen.press("a")
        assert "put there to measure reviewers" in said
        assert "MISSED" in said
        assert "only a decision can be taken back" in await seen.press("u")
    assert [event.kind for event in queue.item(ref).events] == ["submitted", "approved", "calibrated"]


def test_plain_lines_tell_the_same(queue: Any, tmp_path: Path) -> None:
    queue.submit_known(a_submission(), Truth("fewest_coins", Style.SOUND, ""))
    said: list[str] = []
    answers = iter(["1", "diff", "reject", "1", "list", "quit"])
    with Session(queue, REVIEWER, no_engine, library=tmp_path) as session:
        Plain(session, Filter(OPEN), lambda _: next(answers), said.append).run()
    assert "nothing to compare it with" in said
    assert any("turned down: a false alarm" in line for line in said)


def test_the_dossier_lists_the_flips_and_nothing_in_them_is_markup(queue: Any) -> None:
    evil = Flip("rollouts", 2, 7, "<script>x</script>\x1b[31m", "partial 0.5", "wrong 0")
    many = replace(CHANGES, flips=(*CHANGES.flips, evil), changed={"examples": 1, "rollouts": 30})
    given = a_submission(version="1.1.0")
    given = replace(given, report=replace(given.report, results=(*given.report.results, many.result())))
    item = queue.item(queue.submit(given))
    page = dossier(item)
    assert "Against the version that stands" in page
    assert "&lt;script&gt;x&lt;/script&gt;\\x1b[31m" in page
    assert "<script>" not in page
    assert "2 of 31 are listed." in page
    assert "31 verdicts differ from the version that stands (+20)" in item.risk_reasons
    assert item_to_json(item)["changes"]["size"] == "minor"


def test_plain_lines_and_dossier_tell_what_a_new_version_changes_and_that_two_must_approve(queue: Any) -> None:
    given = a_submission(version="1.1.0", body="def verify():\n    return Score.partial(0.5)\n")
    given = replace(given, report=replace(given.report, results=(*given.report.results, CHANGES.result())))
    ref = queue.submit(given)
    said: list[str] = []
    answers = iter(["1", "list", "quit"])
    with Session(queue, REVIEWER, no_engine) as session:
        Plain(session, Filter(OPEN), lambda _: next(answers), said.append).run()
    lines = "\n".join(said)
    for text in (lines, dossier(queue.item(ref))):
        assert "two people must approve it: it gives partial credit" in text
        assert "verdicts changed" in text
    assert "claimed by" not in lines, "one's own claim"
