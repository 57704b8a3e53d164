"""Every limit of the service, in one place, with its unit; and the refusal that a client meets at one of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from bootcamp_kit.errors import BootcampError, UsageError

MIN_TOKEN_CHARS = 16


@dataclass(frozen=True, slots=True)
class ServiceLimits:
    """What clients may use.

    Attributes:
        body_bytes: Longest body of a request.
        body_s: Seconds for a body to arrive.
        items: Most responses, or cases, of one request.
        waiting: Most responses and cases that wait or are under way; past it a request is told to come back (503).
        timeout_s: Seconds a request may take; past it, it is told to come back (503).
        rate: Responses and cases a second for each client address, 0 for no limit (429 past it).
        grace_s: Seconds that requests under way get at shutdown.
        workers: Batches scored at once.
        boxes: Most tasks that have a box open.
        connections: Most connections at once.
    """

    body_bytes: int = 16 << 20
    body_s: float = 30.0
    items: int = 1_024
    waiting: int = 10_000
    timeout_s: float = 60.0
    rate: float = 0.0
    grace_s: float = 30.0
    workers: int = 4
    boxes: int = 16
    connections: int = 1_000

    def __post_init__(self) -> None:
        fits = (
            1_000 <= self.body_bytes <= 1 << 30
            and 0 < self.body_s <= 3_600
            and 1 <= self.items <= 100_000
            and self.items <= self.waiting <= 10_000_000
            and 0 < self.timeout_s <= 86_400
            and math.isfinite(self.rate)
            and self.rate >= 0
            and 0 < self.grace_s <= 3_600
            and 1 <= self.workers <= 64
            and self.workers <= self.boxes <= 1_024
            and 1 <= self.connections <= 100_000
        )
        if not fits:
            raise UsageError("limits of the service", f"out of range: {self}", "see evaluation/service/limits.py")


class Refused(BootcampError):
    """A request that gets no answer, with the HTTP status that says so.

    Args:
        status: HTTP status.
        code: One word for programs.
        asked, found, do: As everywhere.
        retry_after_s: Whole seconds after which the same request may succeed; None where it never will.
    """

    exit_code = 2

    def __init__(
        self, status: int, code: str, asked: str, found: str, do: str, *, retry_after_s: int | None = None
    ) -> None:
        super().__init__(asked, found, do)
        self.status, self.code, self.retry_after_s = status, code, retry_after_s


def require_token(token: str | None, host: str) -> None:
    """Refuse to serve the network without a token, or with one that can be guessed.

    Raises:
        UsageError: no token on an address other than this machine's own, or a short one.
    """
    if token is None:
        if host not in ("127.0.0.1", "::1", "localhost"):
            found = "BOOTCAMP_SERVE_TOKEN is not set"
            raise UsageError(f"serving on {host}", found, "set it, or serve on 127.0.0.1 only")
        return
    if len(token) < MIN_TOKEN_CHARS or not token.isascii() or not token.isprintable() or " " in token:
        found = f"{len(token)} characters, or characters that a header cannot carry"
        raise UsageError("BOOTCAMP_SERVE_TOKEN", found, f"use {MIN_TOKEN_CHARS} or more printable ASCII characters")
