"""OpenAI's chat completions, as far as a text model needs them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.wire_servers.reply import Reply
from tests.wire_servers.server import WireServer

_STOPS = {
    "end": "stop",
    "length": "length",
    "context": "length",
    "refusal": "stop",
    "filter": "content_filter",
    "tool": "tool_calls",
    "broken": "abort",
}


class OpenAIServer(WireServer):
    """``POST /v1/chat/completions``."""

    base_path = "/v1"
    path = "/v1/chat/completions"

    def error(self, reply: Reply) -> Any:
        kind = reply.kind or "server_error"
        return {"error": {"message": reply.text, "type": kind, "param": None, "code": None}}

    def whole(self, request: Any, reply: Reply) -> Any:
        refused = reply.stop == "refusal"
        message = {"role": "assistant", "content": None if refused else reply.text}
        if refused:
            message["refusal"] = reply.text
        choice = {"index": 0, "message": message, "finish_reason": _STOPS[reply.stop], "logprobs": None}
        completion = {**self._head(request, "chat.completion"), "choices": [choice]}
        return completion | ({"usage": _usage(reply.usage)} if reply.usage else {})

    def stream(self, request: Any, reply: Reply) -> Iterator[str]:
        head = self._head(request, "chat.completion.chunk")
        field = "refusal" if reply.stop == "refusal" else "content"

        def chunk(delta: Any, finish: str | None = None) -> str:
            return _event({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

        yield chunk({"role": "assistant", "content": ""})
        for piece in reply.pieces():
            yield chunk({field: piece})
        if reply.cut:
            if reply.cut == "error":
                yield _event(self.error(Reply("the engine died", kind=reply.kind)))
            return
        yield chunk({}, _STOPS[reply.stop])
        if reply.usage and (request.get("stream_options") or {}).get("include_usage"):
            yield _event({**head, "choices": [], "usage": _usage(reply.usage)})
        yield "data: [DONE]\n\n"

    def _head(self, request: Any, kind: str) -> dict[str, Any]:
        return {"id": "c-1", "object": kind, "created": 1_700_000_000, "model": request.get("model", "")}


def _event(value: Any) -> str:
    return f"data: {json.dumps(value)}\n\n"


def _usage(usage: tuple[int, int, int]) -> Any:
    asked, said, cached = usage
    return {
        "prompt_tokens": asked,
        "completion_tokens": said,
        "total_tokens": asked + said,
        "prompt_tokens_details": {"cached_tokens": cached},
    }
