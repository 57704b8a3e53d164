"""What only the chat completions protocol has."""

from __future__ import annotations

import json

import pytest

from chat_models.errors import CutReply
from chat_models.options import ModelOptions
from chat_models.protocol import ChatRequest, Message, StopReason, Usage
from chat_models.providers import open_model
from tests.wire_servers.openai_server import OpenAIServer
from tests.wire_servers.reply import fails, says, sends

ASK = ChatRequest((Message("system", "Be exact."), Message("user", "Draft it.")), max_tokens=500)
ONCE = ModelOptions(max_retries=0, timeout_s=60)


def open_openai(server: OpenAIServer):
    return open_model("openai:m-1", environ={"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": server.url}, options=ONCE)


def open_local(server: OpenAIServer, **environ: str):
    return open_model(f"local:{server.url}#org/m-1", environ=environ, options=ONCE)


async def test_openai_gets_its_own_length_field_and_local_servers_the_old_one(openai_server: OpenAIServer) -> None:
    openai_server.script(["a", "b"])
    for model in (open_openai(openai_server), open_local(openai_server)):
        await model.chat(ASK)
        await model.close()
    first, second = (request.json for request in openai_server.requests)
    assert first["max_completion_tokens"] == 500 and "max_tokens" not in first
    assert second["max_tokens"] == 500 and "max_completion_tokens" not in second
    assert first["messages"] == [
        {"role": "system", "content": "Be exact."},
        {"role": "user", "content": "Draft it."},
    ]


async def test_a_local_model_is_named_without_its_address(openai_server: OpenAIServer) -> None:
    openai_server.script(["a"])
    model = open_local(openai_server)
    assert model.name == "local:org/m-1"
    await model.chat(ASK)
    await model.close()
    assert openai_server.requests[0].json["model"] == "org/m-1"
    assert openai_server.requests[0].headers["authorization"] == "Bearer none"


async def test_openais_account_is_not_shown_to_a_local_server(
    openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "account-secret")
    openai_server.script(["a"])
    model = open_local(openai_server)
    await model.chat(ASK)
    await model.close()
    assert "account-secret" not in str(openai_server.requests[0].headers)


async def test_a_server_that_knows_no_stream_options_is_asked_without(openai_server: OpenAIServer) -> None:
    openai_server.script([fails(400, "Unrecognized field: stream_options"), says("a"), says("b")])
    model = open_local(openai_server)
    assert (await model.chat(ASK)).text == "a"
    assert (await model.chat(ASK)).usage == Usage()
    await model.close()
    assert ["stream_options" in request.json for request in openai_server.requests] == [True, False, False]


async def test_a_server_that_gave_up_has_cut_its_reply(openai_server: OpenAIServer) -> None:
    openai_server.script([says("half", stop="broken"), says("whole")])
    model = open_local(openai_server)
    assert (await model.chat(ASK)).text == "whole"
    openai_server.script([says("half", stop="broken")] * 2)
    with pytest.raises(CutReply, match="abort"):
        await model.chat(ASK)
    await model.close()


async def test_text_that_was_whole_before_the_connection_broke_is_kept(openai_server: OpenAIServer) -> None:
    whole = {"choices": [{"index": 0, "delta": {"content": "all of it"}, "finish_reason": "stop"}]}
    openai_server.script(
        [sends(b"data: " + json.dumps(whole).encode() + b"\n\ndata: {broken\n\n", "text/event-stream")]
    )
    model = open_openai(openai_server)
    reply = await model.chat(ASK)
    await model.close()
    assert (reply.text, reply.stop, reply.usage) == ("all of it", StopReason.END, Usage())


async def test_a_whole_reply_without_a_finish_reason_is_other(openai_server: OpenAIServer) -> None:
    body = {"choices": [{"message": {"role": "assistant", "content": "fine"}, "finish_reason": None}]}
    openai_server.script([sends(json.dumps(body).encode())])
    options = ModelOptions(stream=False, max_retries=0)
    model = open_model(f"local:{openai_server.url}#m", environ={}, options=options)
    reply = await model.chat(ASK)
    await model.close()
    assert (reply.text, reply.stop, reply.model) == ("fine", StopReason.OTHER, "m")
