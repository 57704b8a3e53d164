"""Anthropic's messages, as far as a text model needs them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.wire_servers.reply import Reply
from tests.wire_servers.server import WireServer

_STOPS = {
    "end": "end_turn",
    "length": "max_tokens",
    "context": "model_context_window_exceeded",
    "refusal": "refusal",
    "filter": "refusal",
    "tool": "tool_use",
    "broken": "pause_turn",
}


class AnthropicServer(WireServer):
    """``POST /v1/messages``. Usage is input with cache reads counted in, output, cache reads."""

    path = "/v1/messages"

    def error(self, reply: Reply) -> Any:
        return {"type": "error", "error": {"type": reply.kind or "api_error", "message": reply.text}}

    def whole(self, request: Any, reply: Reply) -> Any:
        asked, said, cached = reply.usage or (0, 0, 0)
        return {
            **self._message(request, reply),
            "content": [{"type": "text", "text": reply.text}],
            "stop_reason": _STOPS[reply.stop],
            "usage": {"input_tokens": asked - cached, "output_tokens": said, "cache_read_input_tokens": cached},
        }

    def stream(self, request: Any, reply: Reply) -> Iterator[str]:
        yield _event("message_start", message=self._message(request, reply))
        yield _event(
            "content_block_start", index=0, content_block={"type": "thinking", "thinking": "", "signature": ""}
        )
        yield _event("content_block_delta", index=0, delta={"type": "thinking_delta", "thinking": "Hidden thoughts."})
        yield _event("content_block_stop", index=0)
        yield _event("content_block_start", index=1, content_block={"type": "text", "text": ""})
        yield _event("ping")
        for piece in reply.pieces():
            yield _event("content_block_delta", index=1, delta={"type": "text_delta", "text": piece})
        if reply.cut:
            if reply.cut == "error":
                error = self.error(Reply("Overloaded", kind=reply.kind))
                yield _event("error", **{key: value for key, value in error.items() if key != "type"})
            return
        yield _event("content_block_stop", index=1)
        said = reply.usage[1] if reply.usage else 0
        delta = {"stop_reason": _STOPS[reply.stop], "stop_sequence": None}
        yield _event("message_delta", delta=delta, usage={"output_tokens": said})
        yield _event("message_stop")

    def _message(self, request: Any, reply: Reply) -> dict[str, Any]:
        asked, _, cached = reply.usage or (0, 0, 0)
        usage = {"input_tokens": asked - cached, "output_tokens": 1 if reply.usage else 0}
        return {
            "id": "m-1",
            "type": "message",
            "role": "assistant",
            "model": request.get("model", ""),
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": usage | {"cache_read_input_tokens": cached, "cache_creation_input_tokens": 0},
        }


def _event(kind: str, **fields: Any) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n"
