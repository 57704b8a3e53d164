"""Containers started before they are asked for, and removed after nobody waits for it any more.

A container serves one candidate and is removed; the pool holds those that have served none. What is kept waiting: two
containers (a gate uses two) of each kind (image, limits) that was asked for twice or announced, as many as the memory
allows. One that waited takes the hash seed it is asked for when it is handed out, by a second start of its interpreter:
where that is needed and as many boxes are in use as there are cores, nothing is gained by starting one before.
"""

from __future__ import annotations

import os
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from sandbox.faults import InfrastructureFault
from sandbox.server import Launch, Server

WAITING_MB = 32
"""What a container that has served nobody uses, rounded up (docs/performance.md has the figure)."""
ANY_SEED = 0
"""The hash seed of those who do not care for one: what waits with it needs no second start."""
HELPERS = 2
WAITING = 2


class Pool:
    """Safe for several threads. Never raises for an engine's failure: whoever needs a container meets it himself."""

    def __init__(self, memory_mb: int) -> None:
        self._most = memory_mb // WAITING_MB
        self._cores = max(WAITING, os.cpu_count() or 1)
        self._serving: set[Server] = set()
        self._lock = threading.Lock()
        self._asked: Counter[object] = Counter()
        self._waiting: dict[object, list[Server]] = {}
        self._coming: Counter[object] = Counter()
        self._helpers: ThreadPoolExecutor | None = None
        self._closed = False

    def obtain(self, launch: Launch, *, waiting: bool = True) -> Server:
        """A live container of this kind that has served nobody, one that waits if there is one and ``waiting`` is set.

        Raises:
            InfrastructureFault: none waits and none starts.
        """
        found = (self._take(launch) if waiting else None) or launch.start()
        with self._lock:
            self._serving.add(found)
        return found

    def _take(self, launch: Launch) -> Server | None:
        useless = []
        with self._lock:
            waiting = self._waiting.pop(launch.key, [])
            self._waiting[launch.key] = waiting  # to the end: the kind asked for last is given up last
            self._asked[launch.key] += 1
            gains = launch.hash_seed == ANY_SEED or len(self._serving) < self._cores
            wanted = gains and self._asked[launch.key] > 1
            found = waiting.pop() if waiting else None
            while found and not _is_usable(found, launch.limits.idle_s):
                useless.append(found)
                found = waiting.pop() if waiting else None
        for container in useless:
            self.retire(container)
        if wanted:
            self.warm(launch)
        return found

    def warm(self, launch: Launch) -> None:
        """Have one more container of this kind started, if fewer than two wait or come and there is room."""
        with self._lock:
            enough = len(self._waiting.get(launch.key, ())) + self._coming[launch.key] >= WAITING
            if self._closed or enough or not self._most:
                return
            held = sum(map(len, self._waiting.values())) + self._coming.total()
            given_up = self._oldest() if held >= self._most else None
            if held >= self._most and not given_up:
                return
            self._coming[launch.key] += 1
            self._submit(self._start, launch)
        if given_up:
            self.retire(given_up)

    def count(self, launch: Launch) -> int:
        """How many containers of this kind are waiting."""
        with self._lock:
            return len(self._waiting.get(launch.key, ()))

    def retire(self, container: Server) -> None:
        """Remove a container, in the background while there is one."""
        container.hang_up()
        with self._lock:
            self._serving.discard(container)
            if not self._closed:
                self._submit(container.close)
                return
        container.close()

    def close(self) -> None:
        """Remove all that wait, and wait until everything retired is removed."""
        with self._lock:
            self._closed = True
            waiting = [container for kind in self._waiting.values() for container in kind]
            self._waiting.clear()
            helpers, self._helpers = self._helpers, None
        if helpers:
            for container in waiting:
                container.hang_up()
                helpers.submit(container.close)
            helpers.shutdown(wait=True)

    def _start(self, launch: Launch) -> None:
        try:
            container = None if self._closed else launch.start()
        except InfrastructureFault:
            container = None
        with self._lock:
            self._coming[launch.key] -= 1
            if container and not self._closed:
                self._waiting.setdefault(launch.key, []).append(container)
                return
        if container:
            container.close()

    def _oldest(self) -> Server | None:
        """Out of the kind that was asked for longest ago; the lock is held."""
        return next((kind.pop() for kind in self._waiting.values() if kind), None)

    def _submit(self, work: Callable[..., None], *arguments: object) -> None:
        """The lock is held."""
        if self._helpers is None:
            self._helpers = ThreadPoolExecutor(HELPERS, thread_name_prefix="sandbox-pool")
        self._helpers.submit(work, *arguments)


def _is_usable(container: Server, idle_s: float) -> bool:
    """Whether it lives and is not about to leave for idleness."""
    return container.is_alive() and time.monotonic() - container.last_used < idle_s - 5
