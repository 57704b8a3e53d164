"""What a coding agent hands in is opposed before it is queued, where models are configured for that."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from authoring.agents import pages
from authoring.agents.desk import NO_OPPONENTS
from authoring.agents.opponents import Opponents
from authoring.roles import Roles
from bootcamp_kit.errors import ProviderError, UsageError
from bootcamp_kit.report import Status, Verdict
from chat_models.protocol import ChatRequest
from chat_models.scripted import ScriptedModel
from tests.authoring.agents.test_desk import AGENT, Place, files
from tests.authoring.cast import SECOND, ZERO_IS_LAST, attacks_crate_zero, cast, process_box, without
from tests.authoring.parts import clock, mended, reply_with


@pytest.fixture
def opposed(tmp_path: Path) -> Callable[..., Place]:
    def build(**parts: Any) -> Place:
        place = Place(tmp_path)
        model = ScriptedModel(cast(**parts))
        place.desk.opponents = Opponents(lambda: Roles.all_by(model), process_box, run=place.run, clock=clock)
        return place

    return build


def test_without_models_the_report_says_that_nobody_opposed_it(tmp_path: Path) -> None:
    place = Place(tmp_path)
    made = place.desk.hand_in("exact_load_1", files(reply_with()), AGENT)
    assert NO_OPPONENTS in pages.report_page(place.desk.oppose(made.candidate))
    place.desk.queue(made.candidate, AGENT)
    (said,) = [r for r in place.queue.submissions[made.candidate].report.results if r.check == "oppose.voices"]
    assert (said.status, said.reason) == (Status.SKIP, NO_OPPONENTS)


def test_a_hole_that_opponents_confirm_keeps_a_candidate_out_of_the_queue(opposed: Callable[..., Place]) -> None:
    place = opposed(attack=attacks_crate_zero)
    made = place.desk.hand_in("exact_load_1", files(without(reply_with(), ZERO_IS_LAST)), AGENT)
    assert made.report is not None
    assert made.report.verdict is Verdict.PASS
    assert "have it opposed" in pages.next_step(made, opposed=True)
    for _ in range(2):
        with pytest.raises(UsageError, match=r"confirmed oppose\.accepts_wrong"):
            place.desk.queue(made.candidate, AGENT)
    assert "oppose.accepts_wrong" in pages.report_page(place.desk.report(made.candidate))
    second = place.desk.repair(made.candidate, files(mended()), AGENT)
    assert place.desk.oppose(second.candidate).verdict is Verdict.PASS
    place.desk.queue(second.candidate, AGENT)
    submitted = place.queue.submissions[second.candidate]
    assert "second.md" in dict(submitted.candidate.lineage.prompts)
    assert "opponents: heard" in pages.report_page(submitted.report)
    told = [(event.node, event.what) for event in place.run.events.read() if event.node == "oppose"]
    assert told == [("oppose", "started"), ("oppose", "contested"), ("oppose", "started"), ("oppose", "stood")]


def test_an_opponent_that_is_down_says_nothing_about_the_candidate(opposed: Callable[..., Place]) -> None:
    down = [True]

    def second(request: ChatRequest) -> Any:
        return ProviderError("ask scripted:model", "HTTP 529", "wait") if down else SECOND

    place = opposed(second=second)
    made = place.desk.hand_in("exact_load_1", files(reply_with()), AGENT)
    with pytest.raises(ProviderError, match="529"):
        place.desk.queue(made.candidate, AGENT)
    assert place.queue.calls == 0
    assert place.desk.report(made.candidate).verdict is Verdict.PASS
    down.clear()
    assert place.desk.queue(made.candidate, AGENT) == "Q1"


def test_only_what_passed_the_gate_is_opposed(opposed: Callable[..., Place]) -> None:
    place = opposed()
    made = place.desk.hand_in("exact_load_1", files(reply_with(fault=True)), AGENT)
    with pytest.raises(UsageError, match="the gate says fail"):
        place.desk.oppose(made.candidate)
