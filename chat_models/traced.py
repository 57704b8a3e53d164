"""A model whose calls are OpenTelemetry spans, by the conventions for generative AI; no message text is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bootcamp_kit.errors import BootcampError
from chat_models.protocol import ChatModel, ChatReply, ChatRequest, StopReason

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

_FINISH = {StopReason.END: "stop", StopReason.LENGTH: "length", StopReason.REFUSAL: "content_filter"}
_PROVIDERS = {"responses": "openai"}
"""Ours → the conventions' name, where the two differ."""


class TracedModel:
    """Stands before a model that is paid; behind the response cache, so that every span is a call that was made.

    Args:
        inner: The model.
        tracer: Where spans go.
    """

    def __init__(self, inner: ChatModel, tracer: Tracer) -> None:
        self._inner, self._tracer = inner, tracer

    def __repr__(self) -> str:
        return f"<TracedModel {self.name}>"

    @property
    def name(self) -> str:
        """The inner model's."""
        return self._inner.name

    async def chat(self, request: ChatRequest) -> ChatReply:
        """Ask, within a span.

        Raises:
            ProviderError: as the inner model does.
        """
        from opentelemetry.trace import SpanKind, Status, StatusCode

        provider, _, model = self.name.partition(":")
        asked: dict[str, str | int | float] = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": _PROVIDERS.get(provider, provider),
            "gen_ai.request.model": model,
            "gen_ai.request.max_tokens": request.max_tokens,
            "gen_ai.output.type": "json" if request.schema else "text",
        }
        if request.temperature is not None:
            asked["gen_ai.request.temperature"] = request.temperature
        with self._tracer.start_as_current_span(
            f"chat {model}",
            kind=SpanKind.CLIENT,
            attributes=asked,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                reply = await self._inner.chat(request)
            except BootcampError as error:
                span.set_attribute("error.type", type(error).__name__)
                span.set_status(Status(StatusCode.ERROR, type(error).__name__))
                raise
            span.set_attributes(
                {
                    "gen_ai.response.model": reply.model,
                    "gen_ai.response.finish_reasons": [_FINISH.get(reply.stop, reply.stop.value)],
                    "gen_ai.usage.input_tokens": reply.usage.input_tokens,
                    "gen_ai.usage.output_tokens": reply.usage.output_tokens,
                    "gen_ai.usage.cache_read.input_tokens": reply.usage.cached_input_tokens,
                }
            )
        return reply

    async def close(self) -> None:
        """Close the inner model."""
        await self._inner.close()
