"""Progress: plain lines when piped, a bounded live table on a terminal, nothing of a stranger's text obeyed."""

from __future__ import annotations

import io

from authoring.dashboard import SHOWN_ENDED, Progress, dashboard, line
from authoring.events import Event
from authoring.workflow import author
from tests.authoring.conftest import MakeContext
from tests.authoring.parts import make_brief, mended, reply_with

AT = "2026-11-30T12:00:00.000+00:00"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


async def test_piped_it_writes_a_line_for_what_is_worth_knowing(make_context: MakeContext) -> None:
    stream = io.StringIO()
    context = make_context([reply_with(fault=True), mended()])
    with dashboard(stream) as listener:
        context.listener = listener
        await author([make_brief()], context)
    lines = stream.getvalue().splitlines()
    assert lines[0] == "2026-11-30T12:00:00Z run started: 1 brief"
    assert "2026-11-30T12:00:00Z exact_load_1 #0 check failed: near_miss.accepted" in lines
    assert lines[-2] == "2026-11-30T12:00:00Z exact_load_1 finish queued: Q1"
    assert not any("\x1b" in text for text in lines)


async def test_on_a_terminal_it_draws_what_became_of_each_brief(make_context: MakeContext) -> None:
    stream = Terminal()
    context = make_context(lambda request: reply_with())
    with dashboard(stream) as listener:
        context.listener = listener
        await author([make_brief(1), make_brief(2, "Another text.")], context)
    drawn = stream.getvalue()
    for text in ("exact_load_1", "exact_load_2", "queued", "2 queued"):
        assert text in drawn


def test_text_of_a_model_is_not_read_as_markup() -> None:
    stream = Terminal()
    with dashboard(stream) as listener:
        listener(Event(AT, "", None, "run", "started", "1 briefs"))
        listener(Event(AT, "b", None, "finish", "refused", "[red]no[/red] [/] [link=x]"))
        listener(Event(AT, "", None, "run", "finished"))
    assert "[red]no[/red] [/] [link=x]" in stream.getvalue()


def test_what_is_kept_is_bounded() -> None:
    progress = Progress()
    for number in range(1_000):
        progress.take_in(Event(AT, f"b{number}", None, "brief", "started"))
        progress.take_in(Event(AT, f"b{number}", 0, "draft", "drafted"))
        progress.take_in(Event(AT, f"b{number}", None, "finish", "queued", "Q1"))
    assert not progress.active
    assert len(progress.ended) == SHOWN_ENDED
    assert progress.counts == {"queued": 1_000}


def test_a_started_node_needs_no_line() -> None:
    assert line(Event(AT, "b", 0, "draft", "started")) == ""
    assert line(Event(AT, "b", None, "brief", "resumed")) == "2026-11-30T12:00:00Z b brief resumed"


def test_it_tells_yield_spend_and_the_time_left() -> None:
    progress = Progress()
    progress.take_in(Event(AT, "", None, "run", "started", "10 briefs", {"briefs": 10, "done": 4}))
    assert progress.words == "10 briefs"
    later = AT.replace("12:00:00", "12:04:00")
    spend = {"turns": 1, "stage": "queue", "calls": 3, "tokens": 1_500, "usd": 0.25}
    progress.take_in(Event(AT, "a", None, "finish", "queued", "Q1", spend))
    progress.take_in(Event(later, "b", None, "finish", "exhausted", "floor", spend))
    assert progress.words == ("10 briefs   1 queued  1 exhausted   yield 50%   3,000 tokens $0.50   about 8 min left")
    progress.take_in(Event(later, "c", None, "finish", "queued", "Q2", {**spend, "usd": None}))
    assert "$" not in progress.words


def test_what_a_passed_check_found_is_not_told_as_what_passed() -> None:
    said = line(Event(AT, "b", 0, "check", "passed", "floor.above_declared"))
    assert said.endswith("b #0 check passed, with findings that refuse nothing: floor.above_declared")
    assert line(Event(AT, "b", 0, "check", "passed")).endswith("#0 check passed")
