"""How many questions are on their way at once: more while that brings more answers a second, fewer on failure."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

GAIN = 1.05
"""A wider window must bring 5 % more answers a second to be kept growing."""
HOLD = 4
"""Windows at one width before a wider one is tried again; doubled each time that brings nothing."""


class AdaptiveLimit:
    """A semaphore whose width follows throughput.

    Each window of ``limit`` answers is timed. While the rate grows with the width, the width grows by a quarter; when
    it does not, the last step is taken back and tried again some windows later. A failed call halves it. SDKs make
    their own retries below this.

    Args:
        most: Never wider.
        start: First width.
        clock: Seconds, monotonic.
    """

    def __init__(self, most: int, *, start: int = 4, clock: Callable[[], float]) -> None:
        self.most, self.limit = most, max(1, min(start, most))
        self._clock = clock
        self._under_way = 0
        self._free = asyncio.Condition()
        self._window_from, self._done = clock(), 0
        self._best, self._proven = 0.0, self.limit
        self._held, self._hold = 0, HOLD

    async def enter(self) -> None:
        """Wait for a place."""
        async with self._free:
            await self._free.wait_for(lambda: self._under_way < self.limit)
            self._under_way += 1

    async def leave(self) -> None:
        """Give the place back."""
        async with self._free:
            self._under_way -= 1
            self._free.notify_all()

    def answered(self) -> None:
        """A call was answered by the provider."""
        self._done += 1
        if self._done < self.limit:
            return
        now = self._clock()
        self._turn(self._done / max(now - self._window_from, 1e-9))
        self._window_from, self._done = now, 0

    def failed(self) -> None:
        """A call failed for good."""
        self.limit = self._proven = max(1, self.limit // 2)
        self._window_from, self._done, self._best, self._held = self._clock(), 0, 0.0, 0

    def _turn(self, rate: float) -> None:
        """A window has ended: widen what paid, take back what did not, try again later."""
        if rate >= self._best * GAIN:
            self._best, self._proven, self._held, self._hold = rate, self.limit, 0, HOLD
        elif self.limit > self._proven:
            self.limit, self._held, self._hold = self._proven, 0, min(2 * self._hold, 16 * HOLD)
            return
        else:
            self._held += 1
            if self._held < self._hold:
                return
            self._best, self._held = rate, 0
        self.limit = min(self.most, self.limit + max(1, self.limit // 4))
