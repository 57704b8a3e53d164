"""Both SDK adapters against real HTTP servers: what every provider must do alike."""

from __future__ import annotations

import asyncio
import json
import logging
import traceback
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta

import pytest

from bootcamp_kit.errors import ProviderError
from chat_models.errors import ContextOverflow, CutReply, Endpoint, EndpointRefused
from chat_models.options import ModelOptions
from chat_models.protocol import ChatModel, ChatRequest, Message, StopReason, Usage
from chat_models.providers import open_model
from tests.wire_servers.reply import Reply, cuts, fails, hangs, refuses, says, sends
from tests.wire_servers.server import WireServer

KEY = "sk-not-a-real-key-0123456789"
TEXT = "A draft of some length, with ünïcode, 数 and\nlines."
ASK = ChatRequest((Message("system", "Be exact."), Message("user", "Draft it.")), max_tokens=500)


@pytest.fixture(params=["openai", "responses", "anthropic"])
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def server(provider: str, request: pytest.FixtureRequest) -> WireServer:
    found: WireServer = request.getfixturevalue(f"{provider}_server")
    return found


@pytest.fixture
async def opened(provider: str, server: WireServer) -> AsyncIterator[Callable[..., ChatModel]]:
    models: list[ChatModel] = []

    def open_one(url: str = "", **changes: object) -> ChatModel:
        options = ModelOptions(**{"timeout_s": 60, "deadline_s": 240, "max_retries": 0, **changes})  # type: ignore[arg-type]
        address = url or server.url
        company = "ANTHROPIC" if provider == "anthropic" else "OPENAI"
        environ = {f"{company}_API_KEY": KEY, f"{company}_BASE_URL": address}
        spec = f"{provider}:m-1"
        models.append(open_model(spec, environ=environ, options=options))
        return models[-1]

    yield open_one
    for model in models:
        await model.close()


@pytest.mark.parametrize("stream", [True, False])
async def test_a_reply_comes_whole_with_its_tokens(server: WireServer, opened, stream: bool) -> None:
    server.script([says(TEXT, usage=(100, 40, 30))])
    reply = await opened(stream=stream).chat(ASK)
    assert (reply.text, reply.stop, reply.model) == (TEXT, StopReason.END, "m-1")
    assert reply.usage == Usage(100, 40, 30)
    assert server.requests[0].json.get("stream", False) is stream


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("wire", "stop"),
    [
        ("end", StopReason.END),
        ("length", StopReason.LENGTH),
        ("context", StopReason.LENGTH),
        ("filter", StopReason.REFUSAL),
        ("tool", StopReason.OTHER),
    ],
)
async def test_stop_reasons_are_mapped(server: WireServer, opened, stream: bool, wire, stop: StopReason) -> None:
    server.script([says("so far", stop=wire)])
    assert (await opened(stream=stream).chat(ASK)).stop is stop


@pytest.mark.parametrize("stream", [True, False])
async def test_a_refusal_is_a_reply_with_its_words(server: WireServer, opened, stream: bool) -> None:
    server.script([refuses("No.")])
    reply = await opened(stream=stream).chat(ASK)
    assert (reply.text, reply.stop) == ("No.", StopReason.REFUSAL)


async def test_a_server_that_does_not_count_tokens_gives_zeros(server: WireServer, opened) -> None:
    server.script([says("fine", usage=None)])
    assert (await opened().chat(ASK)).usage == Usage()


async def test_temperature_is_sent_only_when_set(server: WireServer, opened) -> None:
    server.script([says("a"), says("b")])
    model = opened()
    await model.chat(ASK)
    await model.chat(ChatRequest(ASK.messages, temperature=0.3))
    assert "temperature" not in server.requests[0].json
    assert server.requests[1].json["temperature"] == 0.3


async def test_a_model_that_takes_no_temperature_is_asked_without_from_then_on(server: WireServer, opened) -> None:
    server.script([fails(400, "Unsupported value: 'temperature' does not support 0.3"), says("a"), says("b")])
    model = opened(max_retries=0)
    for _ in range(2):
        await model.chat(ChatRequest(ASK.messages, temperature=0.3))
    assert ["temperature" in request.json for request in server.requests] == [True, False, False]


async def test_lone_surrogates_neither_leave_nor_enter(server: WireServer, opened) -> None:
    server.script([says("bad \ud800 half")])
    reply = await opened().chat(ChatRequest((Message("user", "odd \udfff text"),)))
    assert reply.text == "bad ? half"
    sent = server.requests[0].json
    assert sent.get("messages", sent.get("input"))[-1]["content"] == "odd ? text"


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize(
    ("reply", "kind", "words", "do"),
    [
        (fails(400, "max_tokens is too large"), ProviderError, "max_tokens is too large", "does not suit this model"),
        (fails(401, "invalid key"), EndpointRefused, "HTTP 401: invalid key", "_API_KEY"),
        (fails(402), EndpointRefused, "HTTP 402", "credit"),
        (fails(403), EndpointRefused, "HTTP 403", "rights"),
        (fails(404, "no model m-1"), EndpointRefused, "no model m-1", "model's name"),
        (fails(413), ContextOverflow, "HTTP 413", "shorten"),
        (fails(400, "over", kind="context_length_exceeded"), ContextOverflow, "HTTP 400: over", "shorten"),
        (fails(400, "This model's maximum context length is 8192 tokens."), ContextOverflow, "8192", "shorten"),
        (fails(400, "prompt is too long: 250000 tokens > 200000 maximum"), ContextOverflow, "250000", "shorten"),
        (fails(400, "the request exceeds the available context size"), ContextOverflow, "context size", "shorten"),
        (fails(429), ProviderError, "HTTP 429", "fewer at once"),
        (fails(429, kind="insufficient_quota"), EndpointRefused, "HTTP 429", "quota"),
        (fails(500), ProviderError, "HTTP 500", "in trouble"),
        (fails(503), ProviderError, "HTTP 503", "in trouble"),
        (fails(529, "Overloaded", kind="overloaded_error"), ProviderError, "Overloaded", "in trouble"),
        (sends(b"<h1>Bad gateway</h1>", "text/html", status=502), ProviderError, "Bad gateway", "in trouble"),
    ],
)
async def test_http_errors_say_what_to_do(server, opened, stream, reply: Reply, kind, words: str, do: str) -> None:
    server.script([reply])
    with pytest.raises(ProviderError) as caught:
        await opened(stream=stream).chat(ASK)
    error = caught.value
    assert type(error) is kind
    assert error.asked.endswith(":m-1") and words in error.found and do in error.do
    assert error.exit_code == 3


async def test_the_key_shows_nowhere(server: WireServer, opened, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    server.script([fails(401, f"Incorrect API key {KEY}, Bearer {KEY}, sk-other***9999"), says("fine")])
    model = opened()
    with pytest.raises(ProviderError) as caught:
        await model.chat(ASK)
    await model.chat(ASK)
    error = caught.value
    shown = [
        str(error),
        repr(error),
        repr(model),
        str(vars(error)),
        "".join(traceback.format_exception(error)),
        caplog.text,
    ]
    assert all(KEY not in text and "sk-other" not in text for text in shown)
    assert error.__cause__ is None and error.__context__ is None
    assert KEY in server.requests[0].headers.get("Authorization", server.requests[0].headers.get("authorization", ""))


def test_a_placeholder_for_a_key_does_not_spoil_words() -> None:
    endpoint = Endpoint("local:m", "http://h/v1", "KEY", ("x", "long-enough-to-be-a-key"))
    assert endpoint.clean("exceeds; long-enough-to-be-a-key") == "exceeds; [redacted]"


async def test_what_a_provider_says_is_one_short_line(server: WireServer, opened) -> None:
    server.script([fails(500, "\x1b[31mred\x1b[0m\n" + "x" * 100_000)])
    with pytest.raises(ProviderError) as caught:
        await opened().chat(ASK)
    assert len(caught.value.found) <= 300
    assert not any(char < " " for char in caught.value.found)


@pytest.mark.parametrize("status", [408, 409, 429, 500, 529])
async def test_the_sdk_retries_what_passes(server: WireServer, opened, status: int) -> None:
    server.script([fails(status, retry_after="0.05"), fails(status, retry_after="0.05"), says("at last")])
    assert (await opened(max_retries=2).chat(ASK)).text == "at last"
    assert len(server.requests) == 3


async def test_retries_end(server: WireServer, opened) -> None:
    server.script([fails(503, retry_after="0.01")] * 9)
    with pytest.raises(ProviderError, match="HTTP 503"):
        await opened(max_retries=2).chat(ASK)
    assert len(server.requests) == 3


@pytest.mark.parametrize("as_date", [False, True])
async def test_a_long_retry_after_is_not_sat_out(server: WireServer, opened, as_date: bool) -> None:
    later = datetime.now(UTC) + timedelta(hours=1)
    server.script([fails(429, retry_after=later.strftime("%a, %d %b %Y %H:%M:%S GMT") if as_date else "3600")])
    with pytest.raises(ProviderError, match=r"asks to wait (3600|35\d\d) s"):
        await opened(max_retries=3).chat(ASK)
    assert len(server.requests) == 1


@pytest.mark.parametrize("how", ["drop", "quiet", "error"])
async def test_a_cut_stream_is_asked_once_more(server: WireServer, opened, how) -> None:
    server.script([cuts(TEXT, 20, how=how), says(TEXT)])
    assert (await opened(max_retries=2).chat(ASK)).text == TEXT
    assert len(server.requests) == 2


@pytest.mark.parametrize("how", ["drop", "quiet", "error"])
async def test_a_stream_cut_twice_is_an_error_and_never_a_shorter_text(server: WireServer, opened, how) -> None:
    server.script([cuts(TEXT, 20, how=how)] * 5)
    with pytest.raises(CutReply):
        await opened(max_retries=2).chat(ASK)
    assert len(server.requests) == 2


async def test_a_whole_reply_that_is_cut_is_an_error(server: WireServer, opened) -> None:
    server.script([cuts(TEXT, 20)])
    with pytest.raises(ProviderError, match="connection"):
        await opened(stream=False).chat(ASK)


async def test_a_stream_ended_by_a_lasting_error_is_not_asked_again(server: WireServer, opened) -> None:
    server.script([cuts(TEXT, 20, how="error", kind="invalid_request_error"), says("no")])
    with pytest.raises(ProviderError, match="broke the reply off"):
        await opened().chat(ASK)
    assert len(server.requests) == 1


async def test_a_stream_that_falls_silent_is_cut(server: WireServer, opened) -> None:
    server.script([says("one two three four five six", pause_s=30.0)] * 2)
    with pytest.raises(CutReply, match="no byte"):
        await opened(timeout_s=1.5, max_retries=0).chat(ASK)


@pytest.mark.parametrize("stream", [True, False])
async def test_a_hanging_server_times_out(server: WireServer, opened, stream: bool) -> None:
    server.script([hangs()])
    with pytest.raises(ProviderError, match="no byte from http"):
        await opened(stream=stream, timeout_s=0.2).chat(ASK)


async def test_a_dripping_server_meets_the_deadline(server: WireServer, opened) -> None:
    server.script([says("drip " * 100, pause_s=0.05)])
    with pytest.raises(ProviderError, match=r"no whole reply within 0\.5 s"):
        await opened(deadline_s=0.5).chat(ASK)


async def test_an_endless_reply_is_an_error(server: WireServer, opened) -> None:
    server.script([says("x" * 2000)])
    with pytest.raises(ProviderError, match="does not end"):
        await opened(max_reply_chars=1000).chat(ASK)


async def test_a_refused_connection_names_the_address(server: WireServer, opened) -> None:
    url = server.url
    server.close()
    with pytest.raises(ProviderError, match="connection to http://127") as caught:
        await opened(url).chat(ASK)
    assert "server" in caught.value.do


GARBAGE = [
    sends(b"<html>hello</html>", "text/html"),
    sends(b"{}"),
    sends(b"{bad"),
    sends(b"null"),
    sends(b'{"choices": [], "content": 5}'),
    sends(b'{"choices": [{"message": null}], "content": [7], "stop_reason": null}'),
    sends(b"data: {bad\n\nevent: message_start\ndata: {bad\n\n", "text/event-stream"),
    sends(b"data: [1]\n\nevent: message_stop\ndata: 5\n\n", "text/event-stream"),
    sends(b"\xff\xfe data:", "text/event-stream"),
    sends(
        b'data: {"choices": 5}\n\nevent: message_start\ndata: {"type": "message_start", "message": 7}\n\n',
        "text/event-stream",
    ),
    sends(b"", "text/event-stream"),
]


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("garbage", GARBAGE, ids=range(len(GARBAGE)))
async def test_garbage_is_the_providers_failure(server: WireServer, opened, stream: bool, garbage: Reply) -> None:
    server.script([garbage] * 2)
    with pytest.raises(ProviderError):
        await opened(stream=stream).chat(ASK)


async def test_a_server_that_does_not_stream_is_asked_for_whole_replies(server: WireServer, opened) -> None:
    def whole(text: str) -> Reply:
        return sends(json.dumps(server.whole({"model": "m-1"}, says(text))).encode())

    server.script([whole("one"), whole("one"), whole("two")])
    model = opened()
    assert [(await model.chat(ASK)).text for _ in range(2)] == ["one", "two"]
    assert [request.json.get("stream", False) for request in server.requests] == [True, False, False]


async def test_cancelling_leaves_nothing_open(server: WireServer, opened) -> None:
    server.script([says("drip " * 100, pause_s=0.1), says("fine")])
    model = opened()
    call = asyncio.create_task(model.chat(ASK))
    while not server.requests:
        await asyncio.sleep(0.01)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert (await model.chat(ASK)).text == "fine"


async def test_many_calls_at_once_keep_their_replies(server: WireServer, opened) -> None:
    server.answer = lambda request: request.get("messages", request.get("input"))[-1]["content"][::-1]
    model = opened()
    asked = [f"question {i}" for i in range(20)]
    replies = await asyncio.gather(*(model.chat(ChatRequest((Message("user", text),))) for text in asked))
    assert [reply.text for reply in replies] == [text[::-1] for text in asked]


async def test_a_closed_model_can_be_closed_again_and_an_unused_one_too(server: WireServer, opened) -> None:
    model = opened()
    await model.close()
    server.script(["fine"])
    await model.chat(ASK)
    await model.close()
    await model.close()
