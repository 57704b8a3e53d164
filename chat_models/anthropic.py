"""Messages through the official Anthropic SDK."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import aclosing
from typing import Any

from chat_models.errors import CutReply
from chat_models.options import ModelOptions
from chat_models.protocol import ChatReply, ChatRequest, StopReason, Usage
from chat_models.reply import Text, count, dig, storable
from chat_models.sdk_model import SdkModel, keyed_endpoint

KEY_VARIABLE = "ANTHROPIC_API_KEY"
URL_VARIABLE = "ANTHROPIC_BASE_URL"
CACHED_FROM_CHARS = 4_000
"""Shorter system messages lie below what the provider caches, and a mark on them would only be ignored."""
DEFAULT_URL = "https://api.anthropic.com"

_STOPS = {
    "end_turn": StopReason.END,
    "stop_sequence": StopReason.END,
    "max_tokens": StopReason.LENGTH,
    "model_context_window_exceeded": StopReason.LENGTH,
    "refusal": StopReason.REFUSAL,
}


def open_anthropic(model: str, environ: Mapping[str, str], options: ModelOptions) -> AnthropicModel:
    """``anthropic:MODEL``; ``ANTHROPIC_BASE_URL`` is honoured.

    Raises:
        UsageError: no key.
    """
    endpoint, key = keyed_endpoint(f"anthropic:{model}", environ, KEY_VARIABLE, URL_VARIABLE, DEFAULT_URL)
    return AnthropicModel(model, endpoint, api_key=key, options=options)


class AnthropicModel(SdkModel):
    """One model behind the messages protocol."""

    sdk_name = "anthropic"
    client_class = "AsyncAnthropic"

    async def whole(self, request: ChatRequest) -> ChatReply:
        """One request, its reply taken at once."""
        message = await self.guarded(self.open_client().messages.create(**self._body(request)))
        blocks, stop = dig(message, "content"), dig(message, "stop_reason")
        if not isinstance(blocks, list) or stop is None:
            do = f"check that {self.endpoint.base_url} speaks this protocol"
            raise self.endpoint.failed("what came is not a message", do)
        text = self.text()
        for block in blocks:
            if dig(block, "type") == "text":
                text.add(dig(block, "text"))
        return self._reply(text, stop, _usage(dig(message, "usage")), message)

    async def streamed(self, request: ChatRequest) -> ChatReply:
        """One request, its reply taken piece by piece."""
        text = self.text()
        start: Any = None
        last: Any = None
        stop: Any = None
        ended = False
        stream = await self.guarded(self.open_client().messages.create(**self._body(request), stream=True))
        try:
            async with aclosing(self.events(stream)) as steps:
                async for step in steps:
                    match dig(step, "type"):
                        case "message_start":
                            start = dig(step, "message")
                        case "content_block_start":
                            text.add(dig(step, "content_block", "text"))
                        case "content_block_delta":
                            text.add(dig(step, "delta", "text"))
                        case "message_delta":
                            stop, last = dig(step, "delta", "stop_reason") or stop, dig(step, "usage")
                        case "message_stop":
                            ended = True
        except CutReply:
            if not ended:
                raise
        if not ended or stop is None:
            raise self.endpoint.cut("the stream ended without a stop reason and message_stop")
        return self._reply(text, stop, _usage(dig(start, "usage"), last), start)

    def _reply(self, text: Text, stop: Any, usage: Usage, source: Any) -> ChatReply:
        return ChatReply(
            text=str(text),
            stop=_STOPS.get(str(stop), StopReason.OTHER),
            usage=usage,
            model=self.model_shown(dig(source, "model")),
        )

    def _body(self, request: ChatRequest) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": m.role, "content": storable(m.text)} for m in request.turns],
            "max_tokens": request.max_tokens,
        }
        if request.system is not None:
            body["system"] = _system(storable(request.system))
        if request.temperature is not None:
            body["extra_body"] = {"temperature": request.temperature}  # no argument of the SDK's any more
        config: dict[str, Any] = {"effort": self.effort} if self.effort else {}
        if request.schema is not None:
            config["format"] = {"type": "json_schema", "schema": json.loads(request.schema.text)}
        if config:
            body["output_config"] = config
        return body


def _system(text: str) -> Any:
    """A long system message is marked for the provider's prompt cache: the calls of a role begin with the same one."""
    if len(text) < CACHED_FROM_CHARS:
        return text
    return [{"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}]


def _usage(start: Any, last: Any = None) -> Usage:
    """Counts of a message: a stream gives them at its start and, cumulated, at its end; the larger is the truth."""

    def most(field: str) -> int:
        return max(count(start, field), count(last, field))

    read, written = most("cache_read_input_tokens"), most("cache_creation_input_tokens")
    return Usage(
        input_tokens=most("input_tokens") + read + written,
        output_tokens=most("output_tokens"),
        cached_input_tokens=read,
    )
