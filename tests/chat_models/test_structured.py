"""Answers of a stated form: asked for in each provider's own way, read whatever stands around them, corrected once."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

from chat_models.call_store import request_key
from chat_models.options import ModelOptions
from chat_models.protocol import ChatReply, ChatRequest, Message, StopReason, Usage
from chat_models.providers import open_model
from chat_models.scripted import ScriptedModel
from chat_models.structured import ask_for, read_object, schema_of
from tests.wire_servers.fixtures import anthropic_server, openai_server, responses_server
from tests.wire_servers.reply import fails, says
from tests.wire_servers.server import WireServer

__all__ = ["anthropic_server", "openai_server", "responses_server"]


class Found(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    count: int


GOOD = '{"name": "rook", "count": 3}'
ASKED = ChatRequest((Message("user", "What is it?"),))


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"Let me think: {{a, b}}. The answer: {GOOD} I hope it helps.",
        f'First {{"name": "bishop"}} – no: {GOOD}',
        f'{{"name": "draft", "count": 1}}\n{GOOD}',
    ],
)
def test_the_last_object_that_fits_is_read(text: str) -> None:
    assert read_object(text, Found) == Found(name="rook", count=3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no object here", "no JSON object"),
        ('{"name": "rook", "count": 3', "not JSON"),
        ('{"name": "rook"}', "count"),
        ('{"name": "rook", "count": "many"}', "count"),
        ('{"name": "rook", "count": 3, "approved": true}', "approved"),
        ('{"name": "rook", "name": "x", "count": NaN}', "not JSON"),
        ("{" * 100_000, "not JSON"),
        ('{"a":' * 5_000, "not JSON"),
    ],
)
def test_what_is_wrong_is_said(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_object(text, Found)


async def test_a_bad_reply_goes_back_once_with_the_reason() -> None:
    model = ScriptedModel(["It is a rook.", GOOD])
    found = await ask_for(model, ASKED, Found, lambda reason: f"Wrong: {reason}")
    assert (found.value, found.corrected) == (Found(name="rook", count=3), True)
    assert [message.role for message in model.requests[1].messages] == ["user", "assistant", "user"]
    assert "no JSON object" in model.requests[1].messages[-1].text


async def test_two_bad_replies_are_none_and_a_refusal_is_not_corrected() -> None:
    model = ScriptedModel(["prose", "prose", ChatReply("I will not.", StopReason.REFUSAL, Usage(), "m")])
    found = await ask_for(model, ASKED, Found, lambda reason: reason)
    assert found.value is None
    assert "no JSON object" in found.reason
    refused = await ask_for(model, ASKED, Found, lambda reason: reason)
    assert (refused.declined, refused.corrected, len(model.requests)) == (True, False, 3)


FORMS: dict[str, Callable[[Any], Any]] = {
    "openai": lambda sent: sent["response_format"]["json_schema"],
    "responses": lambda sent: sent["text"]["format"],
    "anthropic": lambda sent: sent["output_config"]["format"],
}


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("stream", [True, False])
async def test_each_provider_is_asked_in_its_own_way(name: str, stream: bool, request: pytest.FixtureRequest) -> None:
    server: WireServer = request.getfixturevalue(f"{name}_server")
    server.script([says(GOOD)])
    company = "ANTHROPIC" if name == "anthropic" else "OPENAI"
    environ = {f"{company}_API_KEY": "sk-test", f"{company}_BASE_URL": server.url}
    model = open_model(f"{name}:m", environ=environ, options=ModelOptions(stream=stream, max_retries=0))
    found = await ask_for(model, ASKED, Found, lambda reason: reason)
    await model.close()
    assert found.value == Found(name="rook", count=3)
    form = FORMS[name](server.requests[0].json)
    assert form["schema"]["required"] == ["name", "count"]
    assert form["schema"]["additionalProperties"] is False


async def test_a_server_that_knows_no_schema_is_asked_without_from_then_on(openai_server: WireServer) -> None:
    openai_server.script([fails(400, "unknown field response_format"), says(GOOD), says(GOOD)])
    options = ModelOptions(stream=False, max_retries=0)
    model = open_model(f"local:{openai_server.url}#m", environ={}, options=options)
    for _ in range(2):
        assert (await ask_for(model, ASKED, Found, lambda reason: reason)).value is not None
    await model.close()
    assert ["response_format" in item.json for item in openai_server.requests] == [True, False, False]


def test_the_schema_is_part_of_the_cache_key_and_its_absence_is_not() -> None:
    with_schema = ChatRequest(ASKED.messages, schema=schema_of(Found))
    assert request_key("m", with_schema) != request_key("m", ASKED)
    assert json.loads(schema_of(Found).text)["properties"].keys() == {"name", "count"}
