"""Responses through the official OpenAI SDK: ``responses:MODEL``. Nothing is stored at the provider."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import aclosing
from typing import Any

from chat_models.errors import CutReply, broken_off
from chat_models.openai import DEFAULT_URL, KEY_VARIABLE, URL_VARIABLE
from chat_models.options import ModelOptions
from chat_models.protocol import ChatReply, ChatRequest, StopReason, Usage
from chat_models.reply import Text, count, dig, storable
from chat_models.sdk_model import SdkModel, keyed_endpoint

_ENDS = ("response.completed", "response.incomplete", "response.failed", "response.cancelled")
_INCOMPLETE = {"max_output_tokens": StopReason.LENGTH, "content_filter": StopReason.REFUSAL}


def open_responses(model: str, environ: Mapping[str, str], options: ModelOptions) -> ResponsesModel:
    """``responses:MODEL``; key and address as for ``openai:MODEL``.

    Raises:
        UsageError: no key.
    """
    endpoint, key = keyed_endpoint(f"responses:{model}", environ, KEY_VARIABLE, URL_VARIABLE, DEFAULT_URL)
    return ResponsesModel(model, endpoint, api_key=key, options=options)


class ResponsesModel(SdkModel):
    """One model behind the responses protocol."""

    sdk_name = "openai"
    client_class = "AsyncOpenAI"

    async def whole(self, request: ChatRequest) -> ChatReply:
        """One request, its reply taken at once."""
        response = await self.guarded(self.open_client().responses.create(**self._body(request)))
        text, refusal = self.text(), self.text()
        for part in _parts(response):
            text.add(dig(part, "text") if dig(part, "type") == "output_text" else None)
            refusal.add(dig(part, "refusal") if dig(part, "type") == "refusal" else None)
        return self._reply(text, refusal, response)

    async def streamed(self, request: ChatRequest) -> ChatReply:
        """One request, its reply taken piece by piece."""
        text, refusal = self.text(), self.text()
        last: Any = None
        stream = await self.guarded(self.open_client().responses.create(**self._body(request), stream=True))
        try:
            async with aclosing(self.events(stream)) as events:
                async for event in events:
                    kind = dig(event, "type")
                    if kind == "response.output_text.delta":
                        text.add(dig(event, "delta"))
                    elif kind == "response.refusal.delta":
                        refusal.add(dig(event, "delta"))
                    elif kind in _ENDS:
                        last = dig(event, "response")
                    elif kind == "error":
                        raise broken_off(self.endpoint, str(dig(event, "message")), str(dig(event, "code")))
        except CutReply:
            if last is None:
                raise
        if last is None:
            raise self.endpoint.cut("the stream ended without response.completed")
        return self._reply(text, refusal, last)

    def _reply(self, text: Text, refusal: Text, response: Any) -> ChatReply:
        status = dig(response, "status")
        if status not in ("completed", "incomplete"):
            if status is None:
                do = f"check that {self.endpoint.base_url} speaks this protocol"
                raise self.endpoint.failed("what came is not a response", do)
            raise self.endpoint.cut(f"the provider gave up: {status}: {dig(response, 'error', 'message')}")
        refused = str(refusal)
        why = dig(response, "incomplete_details", "reason") if status == "incomplete" else None
        stop = StopReason.END if status == "completed" else _INCOMPLETE.get(str(why), StopReason.OTHER)
        return ChatReply(
            text=str(text) or refused,
            stop=StopReason.REFUSAL if refused else stop,
            usage=Usage(
                input_tokens=count(response, "usage", "input_tokens"),
                output_tokens=count(response, "usage", "output_tokens"),
                cached_input_tokens=count(response, "usage", "input_tokens_details", "cached_tokens"),
            ),
            model=self.model_shown(dig(response, "model")),
        )

    def _body(self, request: ChatRequest) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.model,
            "input": [{"role": m.role, "content": storable(m.text)} for m in request.turns],
            "max_output_tokens": request.max_tokens,
            "store": False,
        }
        if request.system is not None:
            body["instructions"] = storable(request.system)
        if request.temperature is not None:
            body["temperature"] = request.temperature
        if self.effort:
            body["reasoning"] = {"effort": self.effort}
        if request.schema is not None:
            form = {"type": "json_schema", "name": request.schema.name, "schema": json.loads(request.schema.text)}
            body["text"] = {"format": {**form, "strict": True}}
        return body

    def open_client(self) -> Any:
        """The SDK's client, without what its constructor takes from the environment beside the key."""
        client = super().open_client()
        client.admin_api_key = None
        return client


def _parts(response: Any) -> Iterator[Any]:
    """The pieces of text in a whole response; reasoning and tool items have none."""
    output = dig(response, "output")
    for item in output if isinstance(output, list) else []:
        content = dig(item, "content") if dig(item, "type") == "message" else None
        yield from content if isinstance(content, list) else []
