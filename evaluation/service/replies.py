"""How a route replies, and which errors it documents."""

from __future__ import annotations

import json
from typing import Any

from fastapi import Request, Response

from evaluation.service.wire import ErrorReply

_json = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorReply, "description": words}
    for status, words in {
        401: "no token, or a wrong one",
        404: "a task or level that is not served",
        409: "the case was made by other bytes of the task",
        413: "a body or a batch too large",
        422: "a body of another form",
        429: "past this client's rate; Retry-After says when",
        503: "overloaded, too slow or stopping; Retry-After says when. Nothing was scored",
    }.items()
}


def json_reply(value: Any, status: int = 200) -> Response:
    """A body of JSON, encoded once."""
    return Response(_json(value), status, media_type="application/json")


def client_of(request: Request) -> str:
    """The address a request came from."""
    return request.client.host if request.client else ""
