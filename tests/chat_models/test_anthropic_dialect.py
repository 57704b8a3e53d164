"""What only the messages protocol has."""

from __future__ import annotations

from chat_models.anthropic import AnthropicModel
from chat_models.options import ModelOptions
from chat_models.protocol import ChatRequest, Message
from chat_models.providers import open_model
from tests.wire_servers.anthropic_server import AnthropicServer
from tests.wire_servers.reply import says


async def test_the_system_prompt_goes_apart_and_hidden_thoughts_stay_hidden(anthropic_server: AnthropicServer) -> None:
    anthropic_server.script(["one", "two"])
    environ = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": anthropic_server.url}
    model = open_model("anthropic:m-1", environ=environ, options=ModelOptions(max_retries=0))
    turns = (Message("user", "a"), Message("assistant", "b"), Message("user", "c"))
    first = await model.chat(ChatRequest((Message("system", "Be exact."), *turns), max_tokens=77))
    await model.chat(ChatRequest(turns))
    await model.close()
    assert first.text == "one"
    sent, plain = (request.json for request in anthropic_server.requests)
    assert sent["system"] == "Be exact." and "system" not in plain
    assert [message["role"] for message in sent["messages"]] == ["user", "assistant", "user"]
    assert sent["max_tokens"] == 77


async def test_a_long_draft_may_be_asked_for_without_streaming_too(anthropic_server: AnthropicServer) -> None:
    anthropic_server.script([says("long")])
    environ = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": anthropic_server.url}
    model = open_model("anthropic:m-1", environ=environ, options=ModelOptions(stream=False, max_retries=0))
    assert isinstance(model, AnthropicModel)
    assert (await model.chat(ChatRequest((Message("user", "a"),), max_tokens=64_000))).text == "long"
    await model.close()


async def test_a_long_system_prompt_is_marked_for_the_providers_cache(anthropic_server: AnthropicServer) -> None:
    anthropic_server.script([says("one", usage=(5_000, 3, 4_000))])
    environ = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": anthropic_server.url}
    model = open_model("anthropic:m-1", environ=environ, options=ModelOptions(max_retries=0))
    reply = await model.chat(ChatRequest((Message("system", "Be exact. " * 500), Message("user", "a"))))
    await model.close()
    (block,) = anthropic_server.requests[0].json["system"]
    assert block["text"].startswith("Be exact. ")
    assert block["cache_control"] == {"type": "ephemeral"}
    assert reply.usage.cached_input_tokens == 4_000
