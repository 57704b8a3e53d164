"""OpenAI's responses, as far as a text model needs them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.wire_servers.reply import Reply
from tests.wire_servers.server import WireServer

_REASONS = {"length": "max_output_tokens", "context": "max_output_tokens", "filter": "content_filter", "tool": "tool"}


class ResponsesServer(WireServer):
    """``POST /v1/responses``."""

    base_path = "/v1"
    path = "/v1/responses"

    def error(self, reply: Reply) -> Any:
        return {"error": {"message": reply.text, "type": reply.kind or "server_error", "param": None, "code": None}}

    def whole(self, request: Any, reply: Reply) -> Any:
        refused = reply.stop == "refusal"
        part = {"type": "refusal", "refusal": reply.text} if refused else {"type": "output_text", "text": reply.text}
        output = [
            {
                "type": "reasoning",
                "id": "r-1",
                "summary": [],
                "content": [{"type": "reasoning_text", "text": "Hidden."}],
            },
            {"type": "message", "id": "m-1", "role": "assistant", "status": "completed", "content": [part]},
        ]
        return {**self._head(request, reply), "output": output}

    def stream(self, request: Any, reply: Reply) -> Iterator[str]:
        head = {**self._head(request, reply), "output": []}
        yield _event("response.created", response={**head, "status": "in_progress"})
        yield _event("response.reasoning_text.delta", delta="Hidden thoughts.")
        kind = "refusal" if reply.stop == "refusal" else "output_text"
        for piece in reply.pieces():
            yield _event(f"response.{kind}.delta", delta=piece, item_id="m-1", output_index=1, content_index=0)
        if reply.cut:
            if reply.cut == "error":
                yield _event("error", message="the engine died", code=reply.kind)
            return
        yield _event(f"response.{head['status']}", response=head)

    def _head(self, request: Any, reply: Reply) -> dict[str, Any]:
        reason = _REASONS.get(reply.stop)
        status = "failed" if reply.stop == "broken" else "incomplete" if reason else "completed"
        head: dict[str, Any] = {
            "id": "resp-1",
            "object": "response",
            "created_at": 1_700_000_000,
            "model": request.get("model", ""),
            "status": status,
            "incomplete_details": {"reason": reason} if reason else None,
            "error": {"message": "it broke", "code": "server_error"} if status == "failed" else None,
        }
        if reply.usage:
            asked, said, cached = reply.usage
            details = {"input_tokens_details": {"cached_tokens": cached}}
            head["usage"] = {"input_tokens": asked, "output_tokens": said, "total_tokens": asked + said, **details}
        return head


def _event(kind: str, **fields: Any) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, 'sequence_number': 0, **fields})}\n\n"
