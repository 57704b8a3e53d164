"""Chat completions through the official OpenAI SDK; also the wire of vLLM, Ollama and llama.cpp (see local.py)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import aclosing
from typing import Any

from bootcamp_kit.errors import ProviderError
from chat_models.errors import CutReply, Endpoint
from chat_models.options import ModelOptions
from chat_models.protocol import ChatReply, ChatRequest, StopReason, Usage
from chat_models.reply import Text, count, dig, storable
from chat_models.sdk_model import SdkModel, keyed_endpoint

KEY_VARIABLE = "OPENAI_API_KEY"
URL_VARIABLE = "OPENAI_BASE_URL"
DEFAULT_URL = "https://api.openai.com/v1"

_STOPS = {"stop": StopReason.END, "length": StopReason.LENGTH, "content_filter": StopReason.REFUSAL}
_BROKEN = ("error", "abort", "insufficient_system_resource")
"""Finish reasons by which compatible servers say that they gave up half way."""


def open_openai(model: str, environ: Mapping[str, str], options: ModelOptions) -> OpenAIModel:
    """``openai:MODEL``; ``OPENAI_BASE_URL`` is honoured.

    Raises:
        UsageError: no key.
    """
    endpoint, key = keyed_endpoint(f"openai:{model}", environ, KEY_VARIABLE, URL_VARIABLE, DEFAULT_URL)
    return OpenAIModel(model, endpoint, api_key=key, options=options)


class OpenAIModel(SdkModel):
    """One model behind the chat completions protocol.

    Args:
        model: As the server calls it.
        endpoint: Where, and how to speak of it.
        api_key: Sent as bearer token.
        options: Patience and form.
        foreign: Not OpenAI's own service: the length goes as ``max_tokens``, the only field old servers know, and
            OpenAI's organisation and project are not sent.
    """

    sdk_name = "openai"
    client_class = "AsyncOpenAI"

    def __init__(
        self, model: str, endpoint: Endpoint, *, api_key: str, options: ModelOptions, foreign: bool = False
    ) -> None:
        super().__init__(model, endpoint, api_key=api_key, options=options)
        self._foreign = foreign
        self._asks_usage = True

    async def whole(self, request: ChatRequest) -> ChatReply:
        """One request, its reply taken at once."""
        completion = await self.guarded(self.open_client().chat.completions.create(**self._body(request)))
        choice = dig(completion, "choices", 0)
        if dig(choice, "message") is None:
            do = f"check that {self.endpoint.base_url} speaks this protocol"
            raise self.endpoint.failed("what came is not a chat completion", do)
        text, refusal = self.text(), self.text()
        text.add(dig(choice, "message", "content"))
        refusal.add(dig(choice, "message", "refusal"))
        return self._reply(text, refusal, dig(choice, "finish_reason"), dig(completion, "usage"), completion)

    async def streamed(self, request: ChatRequest) -> ChatReply:
        """One request, its reply taken piece by piece."""
        text, refusal = self.text(), self.text()
        finish: Any = None
        usage: Any = None
        chunk: Any = None
        try:
            async with aclosing(self.events(await self._start_stream(self._body(request)))) as chunks:
                async for chunk in chunks:
                    text.add(dig(chunk, "choices", 0, "delta", "content"))
                    refusal.add(dig(chunk, "choices", 0, "delta", "refusal"))
                    finish = dig(chunk, "choices", 0, "finish_reason") or finish
                    usage = dig(chunk, "usage") or usage
        except CutReply:
            if finish is None:
                raise
            # The text was whole; at most the count of tokens is lost.
        if finish is None:
            raise self.endpoint.cut("the stream ended without a finish reason")
        return self._reply(text, refusal, finish, usage, chunk)

    async def _start_stream(self, body: dict[str, Any]) -> Any:
        """Begin a stream, asking for token counts unless the server is known to refuse that."""
        create = self.open_client().chat.completions.create
        if self._asks_usage:
            try:
                return await self.guarded(create(**body, stream=True, stream_options={"include_usage": True}))
            except ProviderError as error:
                if "stream_options" not in error.found and "include_usage" not in error.found:
                    raise
            self._asks_usage = False
        return await self.guarded(create(**body, stream=True))

    def _reply(self, text: Text, refusal: Text, finish: Any, usage: Any, source: Any) -> ChatReply:
        if finish in _BROKEN:
            raise self.endpoint.cut(f"the server gave up: finish reason {finish}")
        refused = str(refusal)
        return ChatReply(
            text=str(text) or refused,
            stop=StopReason.REFUSAL if refused else _STOPS.get(str(finish), StopReason.OTHER),
            usage=Usage(
                input_tokens=count(usage, "prompt_tokens"),
                output_tokens=count(usage, "completion_tokens"),
                cached_input_tokens=count(usage, "prompt_tokens_details", "cached_tokens"),
            ),
            model=self.model_shown(dig(source, "model")),
        )

    def _body(self, request: ChatRequest) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": m.role, "content": storable(m.text)} for m in request.messages],
            "max_tokens" if self._foreign else "max_completion_tokens": request.max_tokens,
        }
        if request.temperature is not None:
            body["temperature"] = request.temperature
        if self.effort:
            body["reasoning_effort"] = self.effort
        if request.schema is not None:
            form = {"name": request.schema.name, "schema": json.loads(request.schema.text), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        return body

    def open_client(self) -> Any:
        """The SDK's client, without what its constructor takes from the environment and this server must not see."""
        client = super().open_client()
        client.admin_api_key = None
        if self._foreign:
            client.organization = client.project = None
        return client
