"""Leaving a screen of the full-screen app while the sandbox works for it, and a fault of the app itself."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from bootcamp_cli.output import guarded
from bootcamp_kit.errors import MachineError
from review.app.app import sit
from review.app.item_screen import ItemScreen
from review.app.list_screen import ListScreen
from review.listing import Filter
from review.pair import Pair
from review.session import Session
from review.states import OPEN
from review.worst import Rerun
from tests.review.conftest import REVIEWER
from tests.review.test_app import Seen, no_engine, sitting

PAIR = Pair(1, 0, "2 + 2?", ("<answer>5</answer>", "<answer>4</answer>"), 1)
AGAIN = Rerun(True, (("seen", "score 1.0 (correct)"),))


class Slow:
    """A job that ends when it is let go."""

    def __init__(self, result: Any) -> None:
        self._result, self.go = result, threading.Event()

    def __call__(self) -> Any:
        assert self.go.wait(60)
        if isinstance(self._result, Exception):
            raise self._result
        return self._result


def ask(seen: Seen, job: Slow, what: str) -> None:
    """The item's screen asks the sandbox, as its keys do."""
    screen = seen.app.screen
    assert isinstance(screen, ItemScreen)
    row = screen._session.rows(screen._item)[0]
    shows = {"pair": screen._show_pair, "again": lambda again: screen._show_rerun(row, again)}
    seen.app.in_sandbox(f"making the {what}", job, shows[what])


@pytest.mark.parametrize(("result", "what"), [(PAIR, "pair"), (AGAIN, "again"), (MachineError("a", "broke"), "pair")])
async def test_what_was_asked_for_a_screen_that_was_left_opens_nowhere(queue, submission, result, what):
    queue.submit(submission())
    job = Slow(result)
    async with sitting(queue) as seen:
        await seen.press("enter")
        ask(seen, job, what)
        await seen._pilot.press("escape")
        await seen._pilot.pause()
        job.go.set()
        page = await seen.text()
        assert isinstance(seen.app.screen, ListScreen), page
        assert "broke" not in page
        assert "which answer is right" not in page
        assert seen.app.sub_title == ""
        assert "approved" in await seen.press("enter", "a"), "the next screen is not held up"


async def test_a_job_of_a_screen_that_was_left_holds_up_no_decision_on_the_next(queue, submission):
    queue.submit(submission())
    job = Slow(PAIR)
    async with sitting(queue) as seen:
        await seen.press("enter")
        ask(seen, job, "pair")
        await seen._pilot.press("a")
        await seen._pilot.pause()
        assert queue.items()[0].state.value == "queued", "its result is about to open"
        await seen._pilot.press("escape", "enter", "a")
        await seen._pilot.pause()
        job.go.set()
        assert "approved" in await seen.text()


def test_a_fault_of_the_app_ends_in_words_and_with_its_exit_code(queue, submission, capsys):
    queue.submit(submission(body="SECRET = 'candidate text'\n"))

    def broken() -> Any:
        raise RuntimeError("a fault")

    async def keys(pilot: Any) -> None:
        await pilot.press("enter", "2")
        while pilot.app.is_running:
            await pilot.pause(0.05)

    def command() -> None:
        with Session(queue, REVIEWER, broken) as session:
            sit(session, Filter(OPEN), headless=True, auto_pilot=keys)

    assert guarded(command) == 70
    said = "".join(capsys.readouterr())
    assert "RuntimeError: a fault" in said
    assert "fault of bootcamp" in said
    assert "Traceback" not in said
    assert "candidate text" not in said


def test_a_sitting_that_ends_well_says_nothing(queue, submission, capsys):
    queue.submit(submission())

    async def keys(pilot: Any) -> None:
        await pilot.press("q")

    with Session(queue, REVIEWER, no_engine) as session:
        sit(session, Filter(OPEN), headless=True, auto_pilot=keys)
    assert capsys.readouterr().err == ""


async def test_the_list_says_what_waits_for_a_second_person(queue, submission):
    queue.submit(submission(body="HALF = Score.partial\n"))
    async with sitting(queue, size=(100, 24)) as seen:
        assert "1 item ·" in await seen.text()
        listed = await seen.press("enter", "a", "escape")
        assert "queued 1/2" in listed
        assert "1/2 waits for a second person" in listed
