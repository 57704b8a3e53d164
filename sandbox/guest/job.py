"""One forked process and the agent's ends of its pipes: requests in, results and prints out, a deadline per call."""

from __future__ import annotations

import os
import select
import time
from dataclasses import dataclass, field
from typing import Protocol

from sandbox.guest.worker import HEAD

CHUNK = 1 << 16
DEATH_S = 1.0
READY, READY_S = b"R", 10.0
"""The worker's word that it is confined and about to load candidate code."""


class Reaper(Protocol):
    """Knows when a child is gone."""

    wake: int

    def is_gone(self, pid: int) -> bool:
        """Reap whatever ended; whether ``pid`` is among them."""


@dataclass(slots=True)
class Pipes:
    """The three pipes of a job, the agent's ends and the worker's ends."""

    requests: int
    results: int
    prints: int
    worker_requests: int
    worker_results: int
    worker_prints: int

    @classmethod
    def make(cls) -> Pipes:
        """Three new pipes; the agent's ends never block."""
        worker_requests, requests = os.pipe()
        results, worker_results = os.pipe()
        prints, worker_prints = os.pipe()
        for fd in (requests, results, prints):
            os.set_blocking(fd, False)
        return cls(requests, results, prints, worker_requests, worker_results, worker_prints)

    def close_worker_ends(self) -> None:
        """After the fork, in the agent."""
        for fd in (self.worker_requests, self.worker_results, self.worker_prints):
            os.close(fd)

    def close(self) -> None:
        """The agent's ends."""
        for fd in (self.requests, self.results, self.prints):
            os.close(fd)


@dataclass(slots=True)
class Job:
    """A live worker as the agent sees it.

    ``exchange`` sends one request and returns the answer, or None with ``fault`` saying how the job ended:
    ``timeout``, ``output``, ``protocol``, ``exit``, or ``setup`` before any candidate code ran: then it is our fault.
    """

    number: int
    pid: int
    pipes: Pipes
    reaper: Reaper
    wall_s: float
    max_output: int
    max_prints: int
    started: float
    fault: str = ""
    prints: bytearray = field(default_factory=bytearray)
    _answer: bytearray = field(default_factory=bytearray)
    _open: set[int] = field(default_factory=set)
    _poller: select.poll = field(default_factory=select.poll)
    _deadline: float = 0.0

    def __post_init__(self) -> None:
        self._open = {self.pipes.results, self.pipes.prints}
        for fd in self.idle_fds():
            self._poller.register(fd, select.POLLIN)

    def wait_until_ready(self) -> bool:
        """Whether the worker confined itself."""
        poll = select.poll()  # the worker alone: another process's death must not cut the wait short
        poll.register(self.pipes.results, select.POLLIN)
        poll.poll(READY_S * 1000)
        if _read(self.pipes.results, 1) != READY:
            self.fault = "setup"
        return not self.fault

    def exchange(self, call: int, body: bytes) -> bytes | None:
        """One call. The deadline runs from now; the worker may refuse to read, flood, lie, stop or die meanwhile."""
        self._deadline = time.monotonic() + self.wall_s
        request = self._write(memoryview(HEAD.pack(call, len(body)) + body))
        if request:
            self._poller.register(self.pipes.requests, select.POLLOUT)
        while not self.fault:
            left = self._deadline - time.monotonic()
            if left <= 0:
                self.fault = "timeout" if self.pipes.results in self._open else "protocol"
                break
            ready = self._ready(left)
            if request and self.pipes.requests in ready:
                request = self._write(request)
                if not request:
                    self._poller.unregister(self.pipes.requests)
            gone = self.reaper.wake in ready and self.reaper.is_gone(self.pid)
            if gone or self.pipes.results in ready:
                answer = self._read_results(call)
                if answer is not None and request:
                    self.fault = "protocol"  # it answered before it had the question
                elif answer is not None:
                    return answer
            if gone and not self.fault:
                self.fault = "exit"
        return None

    def idle_fds(self) -> list[int]:
        """What the agent should watch between calls."""
        return [*self._open, self.reaper.wake]

    def look(self) -> bool:
        """Between calls: drain prints; a result nobody asked for or a death ends the job. Whether it ended."""
        self._deadline = time.monotonic() + DEATH_S
        ready = self._ready(0)
        if self.pipes.results in ready:
            self._read_chunk()
        gone = self.reaper.wake in ready and self.reaper.is_gone(self.pid)
        while not gone and self.pipes.results not in self._open and time.monotonic() < self._deadline:
            gone = self.reaper.wake in self._ready(0.01) and self.reaper.is_gone(self.pid)  # dying, or cheating
        if not self.fault and (self._answer or (not gone and self.pipes.results not in self._open)):
            self.fault = "protocol"
        if not self.fault and gone:
            self.fault = "exit"
        return bool(self.fault)

    def take_prints(self) -> bytes:
        """What was printed since the last time, up to the cap."""
        taken = bytes(self.prints)
        self.prints.clear()
        return taken

    def drain_prints(self) -> None:
        """Read what is left in the pipe."""
        self._read_prints()

    def _ready(self, seconds: float) -> set[int]:
        """Wait for anything to happen; prints are drained at once."""
        ready = {fd for fd, _ in self._poller.poll(seconds * 1000)}
        if self.pipes.prints in ready:
            self._read_prints()
        return ready

    def _write(self, request: memoryview) -> memoryview:
        try:
            return request[os.write(self.pipes.requests, request) :]
        except BlockingIOError:
            return request
        except BrokenPipeError:
            self._expect_death()
            return request[:0]

    def _read_results(self, call: int) -> bytes | None:
        self._read_chunk()
        if len(self._answer) < HEAD.size:
            return None
        answered, length = HEAD.unpack(self._answer[: HEAD.size])
        if answered != call:  # a late second answer to an earlier call, or nonsense
            self.fault = "protocol"
            return None
        if length > self.max_output:
            self.fault = "output"
            return None
        end = HEAD.size + length
        if len(self._answer) < end:
            return None
        answer = bytes(self._answer[HEAD.size : end])
        if len(self._answer) > end:  # more than one answer
            self.fault = "protocol"
            return None
        self._answer.clear()
        return answer

    def _read_chunk(self) -> None:
        """All that is there of the results, bounded by the largest lawful answer."""
        cap = self.max_output + HEAD.size + 1
        fd = self.pipes.results
        while fd in self._open and len(self._answer) < cap:
            chunk = _read(fd, CHUNK)
            if chunk is None:
                return
            if not chunk:
                self._closed(fd)
                self._expect_death()
            self._answer += chunk

    def _closed(self, fd: int) -> None:
        self._open.discard(fd)
        self._poller.unregister(fd)

    def _expect_death(self) -> None:
        """It closed a pipe. A dying process does that a moment before it can be reaped; a living one is cheating."""
        self._deadline = min(self._deadline, time.monotonic() + DEATH_S)

    def _read_prints(self) -> None:
        fd = self.pipes.prints
        for _ in range(64):  # a flood must not keep the agent from its deadline
            if fd not in self._open:
                return
            chunk = _read(fd, CHUNK)
            if chunk is None:
                return
            if not chunk:
                self._closed(fd)
            self.prints += chunk[: max(0, self.max_prints - len(self.prints))]


def _read(fd: int, count: int) -> bytes | None:
    """Bytes, b"" at the end, None when there is nothing now."""
    try:
        return os.read(fd, count)
    except BlockingIOError:
        return None
