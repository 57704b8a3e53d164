"""What stands before every route: token, body size and time, rate; and one form for every error."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import time
from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from typing import Any

from evaluation.service.limits import Refused, ServiceLimits
from evaluation.service.metrics import Metrics

OPEN = ("/health/live", "/health/ready", "/openapi.json")
"""Paths that need no token."""
KNOWN = (
    *OPEN,
    "/metrics",
    "/v1/tasks",
    "/v1/sample",
    "/v1/score",
    "/v1/score/batch",
    "/nemo-gym/verify",
    "/openrlhf/reward",
)
CLIENTS = 10_000
DISCARDED, DISCARD_S = 8 << 20, 2.0


class Rate:
    """A bucket of one second's allowance for each client; the clients longest unseen are forgotten.

    Args:
        each_s: Allowance a second; 0 for no limit.
        clock: Seconds, monotonic.
    """

    def __init__(self, each_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._each, self._clock = each_s, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str, items: int) -> None:
        """Take from a client's bucket; a full one is emptied by a request larger than it.

        Raises:
            Refused: 429, with the seconds until there is enough.
        """
        if not self._each:
            return
        now, full = self._clock(), max(1.0, self._each)
        left, at = self._left.pop(client, (full, now))
        left = min(full, left + (now - at) * self._each)
        wanted = min(float(items), full)
        enough = left >= wanted
        self._left[client] = (left - wanted if enough else left, now)
        if len(self._left) > CLIENTS:
            self._left.popitem(last=False)
        if not enough:
            after = max(1, ceil((wanted - left) / self._each))
            found = f"more than {self._each:g} responses or cases a second"
            raise Refused(429, "rate", "asking so often", found, f"ask again in {after} s", retry_after_s=after)


def reply_of(refused: Refused) -> tuple[int, bytes, list[tuple[bytes, bytes]]]:
    """Status, body and headers of a refusal."""
    words = {"code": refused.code, "asked": refused.asked, "found": refused.found, "do": refused.do}
    body = json.dumps({"error": words}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if refused.retry_after_s is not None:
        headers.append((b"retry-after", str(refused.retry_after_s).encode()))
    if refused.status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    if refused.status in (408, 413):
        headers.append((b"connection", b"close"))  # the rest of the body is not read
    return refused.status, body, headers


class Guard:
    """An ASGI wrapper. A body is read whole before the application sees the request, or not at all."""

    def __init__(self, app: Any, limits: ServiceLimits, token: str | None, metrics: Metrics) -> None:
        self._app, self._limits, self._metrics = app, limits, metrics
        self._token = f"Bearer {token}".encode() if token else None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one connection's request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.monotonic(), 500

        async def tell(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            try:
                body = await self._admit(scope, receive)
            except Refused as refused:
                status, text, headers = reply_of(refused)
                await send({"type": "http.response.start", "status": status, "headers": headers})
                await send({"type": "http.response.body", "body": text})
                return
            if body is not None:
                await self._app(scope, _again(body, receive), tell)
        finally:
            path = scope["path"] if scope["path"] in KNOWN else "other"
            self._metrics.request(path, status, time.monotonic() - began)

    async def _admit(self, scope: Any, receive: Any) -> bytes | None:
        """The whole body; None when the client left before its end."""
        headers = dict(scope["headers"])
        given = headers.get(b"authorization", b"")
        if self._token and scope["path"] not in OPEN and not hmac.compare_digest(given, self._token):
            found = "no bearer token" if not given else "another token"
            raise Refused(401, "token", scope["path"][:80], found, "send `Authorization: Bearer TOKEN`")
        most = self._limits.body_bytes
        length = headers.get(b"content-length", b"")
        if length.isdigit() and int(length[:20]) > most:
            await _discard(receive)
            raise _too_large(most)
        parts, size = [], 0
        try:
            async with asyncio.timeout(self._limits.body_s):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return None
                    part = message.get("body", b"")
                    size += len(part)
                    if size > most:
                        await _discard(receive)
                        raise _too_large(most)
                    parts.append(part)
                    if not message.get("more_body"):
                        return b"".join(parts)
        except TimeoutError:
            found = f"no end of it after {self._limits.body_s:g} s"
            raise Refused(408, "slow-body", "the body", found, "send it faster") from None


async def _discard(receive: Any) -> None:
    """Read a little more of a body that is too long: a connection closed at once can take the reply with it."""
    left = DISCARDED
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(DISCARD_S):
            while left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                if message["type"] == "http.disconnect" or not message.get("more_body"):
                    return


def _again(body: bytes, receive: Any) -> Any:
    given = False

    async def next_message() -> Any:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return next_message


def _too_large(most: int) -> Refused:
    return Refused(413, "too-large", "the body", f"longer than {most} bytes", "send fewer or shorter responses")
