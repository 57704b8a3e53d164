"""The full-screen app, driven by keys as a person would, and the same sitting as plain lines."""

from __future__ import annotations

import html
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, nullcontext
from typing import Any

import pytest

from bootcamp_kit.decision import Choice
from bootcamp_kit.errors import MachineError
from review.app.app import ReviewApp
from review.decide import decide
from review.item import State
from review.listing import Filter
from review.plain import Plain
from review.queue import Queue
from review.session import REASONS, Session
from review.states import OPEN
from tests.review.conftest import REVIEWER
from tests.review.test_worst import BODY, CHECKS, ORACLE

OTHER = "Otto Other <otto@example.org>"
EVIL = "\x1b]0;owned\x07[bold]x[/bold] \u202egnp :smile: [@click=app.quit]y[/]"


def no_engine() -> Any:
    raise MachineError("starting the sandbox", "no Docker engine answers", "start one")


class Seen:
    """What a person sees and presses."""

    def __init__(self, app: ReviewApp, pilot: Any) -> None:
        self.app, self._pilot = app, pilot

    async def press(self, *keys: str) -> str:
        """Press keys, wait until nothing moves, and read the screen."""
        await self._pilot.press(*keys)
        return await self.text()

    async def text(self) -> str:
        await self._pilot.pause()
        while self.app.busy:
            await self._pilot.pause(0.05)
        await self._pilot.pause(0.1)
        found = re.findall(r"<text[^>]*>([^<]*)</text>", self.app.export_screenshot())
        return " ".join(html.unescape("\n".join(found)).replace("\xa0", " ").split())

    async def resize(self, width: int, height: int) -> str:
        await self._pilot.resize_terminal(width, height)
        return await self.text()


@asynccontextmanager
async def sitting(
    queue: Queue, *, who: str = REVIEWER, sandbox: Callable[[], Any] = no_engine, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Seen]:
    with Session(queue, who, sandbox) as session:
        app = ReviewApp(session, Filter(OPEN))
        async with app.run_test(size=size) as pilot:
            yield Seen(app, pilot)


async def test_the_list_opens_an_item_and_its_first_page_fits_a_small_terminal(queue, submission):
    ref = queue.submit(submission())
    async with sitting(queue) as seen:
        listed = await seen.text()
        assert "seat_rotation@" in listed
        assert "queued" in listed
        assert "Rae Viewer" in listed
        page = await seen.press("enter")
        for words in ("Seat rotation", "risk: 23, medium", "Everyone moves one seat", "verdict", "again", "approve"):
            assert words in page
        assert "mutant: not looked for" in page, "the third of the worst rows is on the first screen"
        assert "claimed by" not in page, "one's own claim"
        assert queue.item(ref).claimed_by == REVIEWER
        await seen.press("escape")
        assert queue.item(ref).claimed_by == ""


async def test_one_key_approves_and_one_takes_it_back(queue, submission):
    ref = queue.submit(submission())
    async with sitting(queue) as seen:
        assert "approved; u takes it back" in await seen.press("enter", "a")
        assert queue.item(ref).state is State.APPROVED
        assert "taken back; it waits again" in await seen.press("u")
        assert queue.item(ref).state is State.QUEUED
        await seen.press("a", "escape")
    data = queue.item(ref).events[-1].data
    assert data["reviewer"] == REVIEWER
    assert queue.verify_log().sound


@pytest.mark.parametrize(("key", "choice"), [("x", Choice.REJECT), ("r", Choice.RETURN)])
async def test_turning_down_takes_a_reason_from_the_list_and_words(queue, submission, key, choice):
    ref = queue.submit(submission())
    async with sitting(queue) as seen:
        await seen.press("enter", key, "escape")
        assert queue.item(ref).state is State.QUEUED, "escape decides nothing"
        await seen.press(key, "down", "enter", "n", "o", "enter")
    decision = queue.item(ref).decisions[-1]
    assert (decision.choice, decision.reason) == (choice, f"{REASONS[choice][1]}: no")


async def test_ones_own_words_are_enough_and_no_words_are_not(queue, submission):
    ref = queue.submit(submission())
    async with sitting(queue) as seen:
        await seen.press("enter", "x", "tab", "enter")
        assert queue.item(ref).state is State.QUEUED
        await seen.press("d", "u", "l", "l", "enter")
    assert queue.item(ref).decisions[-1].reason == "dull"


async def test_a_rule_that_forbids_is_shown_and_the_sitting_goes_on(queue, submission):
    failing = queue.submit(submission(verdict="fail"))
    async with sitting(queue) as seen:
        assert "report says fail" in await seen.press("enter", "a")
        assert queue.item(failing).state is State.QUEUED
        await seen.press("x", "enter", "enter")
        assert queue.item(failing).state is State.REJECTED


async def test_an_item_of_ones_own_or_of_somebody_elses_claim_can_be_read_but_not_decided(queue, submission):
    mine = queue.submit(submission(author=REVIEWER))
    async with sitting(queue) as seen:
        assert "you made it" in await seen.press("enter")
        assert "its author" in await seen.press("a")
        assert queue.item(mine).state is State.QUEUED
    taken = queue.submit(submission(task_id="taken_one", author="openai:m"))
    queue.claim(taken, OTHER)
    async with sitting(queue) as seen:
        assert "Otto Other" in await seen.press("enter")
        assert "is looking at it" in await seen.press("a")


async def test_an_item_withdrawn_while_open_is_said(queue, submission):
    ref = queue.submit(submission(body="A = 1\n"))
    async with sitting(queue) as seen:
        await seen.press("enter")
        queue.submit(submission(body="A = 2\n"))
        refused = await seen.press("a")
        assert "it is superseded → nothing is left to decide; what came in its place" in refused
        assert "state: superseded" in refused
        assert queue.item(ref).state is State.SUPERSEDED


async def test_two_people_are_asked_for_where_the_policy_says(queue, submission):
    ref = queue.submit(submission(body="HALF = Score.partial\n"))
    async with sitting(queue) as seen:
        assert "two people must approve it" in await seen.press("enter")
        assert "first of two approvals" in await seen.press("a")
    async with sitting(queue, who=OTHER) as seen:
        page = await seen.press("n")
        assert "first approval by: Rae Viewer" in page
        await seen.press("a")
    assert queue.item(ref).state is State.APPROVED


async def test_search_next_and_nothing_left(queue, submission):
    queue.submit(submission(task_id="alpha_task"))
    queue.submit(submission(task_id="beta_task"))
    async with sitting(queue) as seen:
        found = await seen.press("slash", "b", "e", "t", "a", "enter")
        assert "beta_task" in found
        assert "alpha_task" not in found
        assert "2 items" in await seen.press("escape")
        await seen.press("n", "x", "enter", "enter", "escape")
        await seen.press("n", "x", "enter", "enter", "escape")
        assert "nothing waits for you" in await seen.press("n")
        await seen.press("q")
    assert {entry.state for entry in queue.items()} == {State.REJECTED}


async def test_an_empty_queue_says_what_to_do(queue):
    async with sitting(queue) as seen:
        assert "make candidates with bootcamp author" in await seen.text()
        await seen.press("enter", "n", "r")


async def test_without_an_engine_everything_else_works(queue, submission):
    ref = queue.submit(submission())
    async with sitting(queue) as seen:
        assert "no Docker engine answers" in await seen.press("enter", "2")
        assert "there is nothing to run" in await seen.press("1")
        assert "BOOTCAMP = None" in await seen.press("c")
        await seen.press("escape", "a")
    assert queue.item(ref).events[-1].data["opened"] == ["first screen", "run again: right", "code"]


@pytest.mark.parametrize("no_color", [False, True])
async def test_what_a_candidate_wrote_is_text_and_a_narrow_terminal_holds_it(queue, submission, monkeypatch, no_color):
    if no_color:
        monkeypatch.setenv("NO_COLOR", "1")
    given = submission(text=EVIL, body=f"# {EVIL}\n")
    object.__setattr__(given.brief, "title", EVIL)
    queue.submit(given)
    async with sitting(queue) as seen:
        for text in (await seen.press("enter"), await seen.resize(40, 12), await seen.press("c")):
            assert not set(text) & {"\x1b", "\x07", "\u202e"}
        assert "[bold]x[/bold]" in await seen.resize(120, 40)
        await seen.press("escape")
        narrow = await seen.resize(40, 24)
        assert all(words in narrow for words in ("1 2 3 again", "d diff", "r return", "u undo", "esc list")), narrow
        assert seen.app.is_running


@pytest.mark.docker
async def test_evidence_pairs_and_cases_run_in_the_sandbox(queue, submission, sandbox):
    from dataclasses import replace

    given = submission(body=BODY, extra={"oracle.py": ORACLE})
    ref = queue.submit(replace(given, report=replace(given.report, results=CHECKS)))
    async with sitting(queue, sandbox=lambda: nullcontext(sandbox), size=(100, 30)) as seen:
        assert "came out as the report says" in await seen.press("enter", "1")
        await seen.press("escape")
        first, right = read_pair(await seen.press("e"))
        assert "as you do" in await seen.press(right)
        hard = await seen.press("escape", "h", "a")
        assert queue.item(ref).state is State.QUEUED, "a key meant for the pair decides nothing"
        assert "DISAGREE" in await seen.press({"1": "2", "2": "1"}[read_pair(hard)[1]])
        await seen.press("escape", "t", "enter")
        assert "outcome: correct" in await seen.press(*str(first), "ctrl+s")
        await seen.press("escape", "a")
    opened = queue.item(ref).events[-1].data["opened"]
    assert opened[:3] == ["first screen", "run again: wrong", "pair at level 1: agreed"]
    assert opened[3:] == ["pair at level 3: DISAGREED", "try level 1"]


def read_pair(screen: str) -> tuple[int, str]:
    """The sum that is asked for, and the number of the answer that gives it."""
    one, other = re.findall(r"(\d+) \+ (\d+)\?", screen)[0]
    total = int(one) + int(other)
    return total, "12"[re.findall(r"<answer>(\d+)</answer>", screen).index(str(total))]


def plain(queue: Queue, *typed: str, sandbox: Callable[[], Any] = no_engine, who: str = REVIEWER) -> str:
    lines, said = iter(typed), []

    def ask(_question: str) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    with Session(queue, who, sandbox) as session:
        Plain(session, Filter(OPEN), ask, said.append).run()
    return "\n".join(said)


def test_the_plain_sitting_shows_and_decides_in_words(queue, submission):
    ref = queue.submit(submission())
    said = plain(
        queue, "1", "rule", "code", "2", "what?", "return", "", "return", "3", "undo", "approve", "list", "quit"
    )
    for words in (
        "1: Seat rotation, queued, report pass, risk 23 medium", "title: Seat rotation", "oracle scores 1: no result",
        "evidence 1, highest-scoring wrong answer", "Everyone moves", "file oracle.py", "no Docker engine answers",
        "run that row", "no decision", "it is returned", "taken back; it is queued", "it is approved",
    ):  # fmt: skip
        assert words in said
    assert queue.item(ref).state is State.APPROVED
    assert "\x1b" not in said


def test_the_plain_sitting_refuses_in_words_and_survives_the_end_of_input(queue, submission):
    failing = queue.submit(submission(verdict="fail", body=f"# {EVIL}\n"))
    said = plain(queue, "9", "nonsense", "next", "approve", "code")
    assert "refused: its report says fail" in said
    assert "end of input; nothing is lost" in said
    assert "\x1b" not in said
    assert queue.item(failing).claimed_by == ""
    decide(queue, failing, Choice.REJECT, REVIEWER, "no", shown_hash=failing)
    assert "nothing waits for you" in plain(queue, "n", "q")


@pytest.mark.docker
def test_the_plain_sitting_runs_things_too(queue, submission, sandbox):
    queue.submit(submission(body=BODY, extra={"oracle.py": ORACLE}))
    said = plain(queue, "1", "2", "easy", "1", "try 1 0", "-1", "try 9 0", "quit", sandbox=lambda: nullcontext(sandbox))
    for words in (
        "came out as the report says",
        "answer 2: <answer>",
        "the task says",
        "score: 0, wrong",
        "levels run",
    ):
        assert words in said


def test_the_plain_sitting_takes_any_name_of_an_item_and_says_when_there_is_none(queue, submission):
    ref = queue.submit(submission())
    said = plain(queue, "nothing_of_that_name", "99", ref[:12], "list", f"seat_rotation@{ref[:12]}", "quit")
    assert said.count("there is no such item") == 2
    assert said.count("title: Seat rotation") == 2
