"""How calls beside the author are booked, limited and kept."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path

import pytest

from authoring.roles import Call, Role, Roles, together
from authoring.settings import AuthoringSettings
from bootcamp_kit.errors import BudgetError, ProviderError
from chat_models.cache import CachedModel
from chat_models.errors import ContextOverflow
from chat_models.ledger import Ledger
from chat_models.protocol import ChatRequest, Message, StopReason
from chat_models.scripted import ScriptedModel
from tests.authoring.parts import RUN_ID, make_run

ASKED = ChatRequest((Message("user", "Who?"),))


async def test_calls_are_booked_on_role_and_brief_and_leave_transcripts_by_number(tmp_path: Path) -> None:
    run = make_run(tmp_path, AuthoringSettings())
    with closing(Ledger.open(tmp_path / "calls.sqlite", RUN_ID)) as ledger:
        roles = Roles.all_by(CachedModel(ScriptedModel(["I.", "You."]), ledger))
        model = roles.bound(roles.opponent, Call(Role.OPPONENT, "b1", "b1-c0-t1-second"), run)
        await model.chat(ASKED)
        await model.chat(ChatRequest((Message("user", "And you?"),)))
        await model.chat(ASKED)
        (line,) = ledger.summary(brief_id="b1").lines
        assert (line.calls.role, line.calls.answered, line.calls.cached) == ("opponent", 2, 1)
        assert not ledger.summary(brief_id="b2").lines
    said = [run.transcript(f"b1-c0-t1-second{end}")["reply"] for end in ("", "-2", "-3")]
    assert said == ["I.", "You.", "I."]


async def test_a_failed_call_halves_what_may_be_under_way(tmp_path: Path) -> None:
    roles = Roles.all_by(ScriptedModel([ProviderError("ask", "HTTP 429", "wait"), "fine"]))
    before = roles.limit.limit
    model = roles.bound(roles.analyst, Call(Role.ANALYST, "b1", "b1-analyse"), make_run(tmp_path, AuthoringSettings()))
    with pytest.raises(ProviderError):
        await model.chat(ASKED)
    assert roles.limit.limit == before // 2
    assert (await model.chat(ASKED)).text == "fine"


async def test_what_a_helper_cannot_read_is_answered_by_nothing(tmp_path: Path) -> None:
    roles = Roles.all_by(ScriptedModel([ContextOverflow("ask", "HTTP 400: prompt is too long", "shorten it")]))
    before = roles.limit.limit
    run = make_run(tmp_path, AuthoringSettings())
    reply = await roles.bound(roles.analyst, Call(Role.ANALYST, "b1", "b1-analyse"), run).chat(ASKED)
    assert (reply.text, reply.stop) == ("", StopReason.LENGTH)
    assert roles.limit.limit >= before, "it says nothing about how many calls the provider takes"
    assert run.transcript("b1-analyse")["reply"] == ""


async def test_the_first_failure_is_raised_after_the_others_came_home() -> None:
    home: list[int] = []

    async def call(number: int) -> int:
        await asyncio.sleep(0.01 * number)
        if number == 1:
            raise BudgetError("ask", "spent", "raise it")
        home.append(number)
        return number

    with pytest.raises(BudgetError):
        await together(call(number) for number in range(4))
    assert home == [0, 2, 3]
    assert await together(call(number) for number in (0, 2)) == [0, 2]


async def test_one_model_in_several_parts_is_closed_once() -> None:
    closed: list[str] = []

    class Model(ScriptedModel):
        async def close(self) -> None:
            closed.append(self.name)

    one, other = Model([], name="scripted:one"), Model([], name="scripted:other")
    await Roles(one, one, other, (one, other)).close()
    assert sorted(closed) == ["scripted:one", "scripted:other"]
