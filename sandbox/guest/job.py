"""One forked process and the agent's ends of its pipes: requests in, results and prints out, a deadline per call."""

from __future__ import annotations

import fcntl
import os
import select
import struct
import termios
import time
from dataclasses import dataclass, field
from typing import Protocol

from sandbox.guest.clock import cpu_seconds
from sandbox.guest.link import ENDS, HEAD, READY
from sandbox.guest.unshared import Unshared

CHUNK = 1 << 16
ANSWER_BYTES = 128 << 10
DEATH_S = 1.0
READY_S = 10.0


class Reaper(Protocol):
    """Knows when a job's process is gone."""

    @property
    def wake(self) -> int:
        """A descriptor that is readable when something became of it."""

    def is_gone(self, pid: int) -> bool:
        """Whether it is."""


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

    def worker_ends(self) -> bytes:
        """Of all three, as they travel."""
        return ENDS.pack(self.worker_requests, self.worker_results, self.worker_prints)

    def close_worker_ends(self) -> None:
        """After they have been given away."""
        for fd in (self.worker_requests, self.worker_results, self.worker_prints):
            os.close(fd)

    def close(self) -> None:
        """The agent's ends."""
        for fd in (self.requests, self.results, self.prints):
            os.close(fd)


class Answer:
    """What came through a job's result pipe since the last whole answer, in memory that no fork copies."""

    def __init__(self) -> None:
        self._head = bytearray(HEAD.size)
        self._body = Unshared(ANSWER_BYTES)
        self.got = 0

    def read(self, fd: int) -> int | None:
        """Read what is there and fits: how much, 0 at the end of the pipe, None when there is nothing now."""
        body = self._body.view
        at = self.got - HEAD.size
        try:
            count = os.readv(fd, [body[at:]] if at >= 0 else [memoryview(self._head)[self.got :], body])
        except BlockingIOError:
            return None
        self.got += count
        return count

    def head(self) -> tuple[int, int] | None:
        """Number of the call and length of the answer, as soon as both are here."""
        return HEAD.unpack(self._head) if self.got >= HEAD.size else None

    def body(self, length: int) -> memoryview:
        """The answer; used before the next read."""
        return self._body.view[:length]

    def reserve(self, length: int) -> None:
        """Room for that much and one byte more: the byte that must not come."""
        if self._body.size <= length:
            self._body.resize(length + 1, self._body.view[: self.got - HEAD.size])

    def clear(self) -> None:
        """Ready for the next one."""
        self.got = 0
        if self._body.size > ANSWER_BYTES:
            self._body.resize(ANSWER_BYTES)


@dataclass(slots=True)
class Job:
    """A live worker as the agent sees it.

    ``exchange`` sends one request and returns the answer, or None with ``fault`` saying how the job ended:
    ``timeout``, ``output``, ``protocol``, ``exit``, or ``setup`` before any candidate code ran: then it is our fault.
    ``began`` is false when the worker died before it took a byte of that request. ``asked`` is when the last request's
    time began, ``cpu_s`` what the worker had used when it was ready, later what the agent last saw.
    """

    number: int
    pid: int
    pipes: Pipes
    reaper: Reaper
    answer: Answer
    host: int
    wall_s: float
    max_output: int
    max_prints: int
    started: float
    fault: str = ""
    began: bool = True
    cpu_s: float = 0.0
    asked: float = 0.0
    prints: bytearray = field(default_factory=bytearray)
    _is_ready: bool = False
    _complete: int = -1
    _open: set[int] = field(default_factory=set)
    _poller: select.poll = field(default_factory=select.poll)
    _deadline: float = 0.0

    def __post_init__(self) -> None:
        self.answer.clear()
        self._open = {self.pipes.results, self.pipes.prints}
        for fd in self.idle_fds():
            self._poller.register(fd, select.POLLIN)
        self._poller.register(self.host, select.POLLRDHUP)  # not its data: only that nobody waits any more

    def _wait_until_ready(self) -> None:
        """For the worker's word that it has confined itself; without it the fault is ``setup``."""
        self._is_ready = True
        poll = select.poll()  # the worker alone: another process's death must not cut the wait short
        poll.register(self.pipes.results, select.POLLIN)
        poll.poll(READY_S * 1000)
        if _read(self.pipes.results, 1) != READY:
            self.fault = "setup"
        self.cpu_s = cpu_seconds(self.pid)

    def exchange(self, call: int, body: memoryview) -> memoryview | None:
        """One call. The worker may refuse to read, flood, lie, stop or die; its time runs from when it is ready.

        Returns:
            The answer, to be used before the next exchange.

        Raises:
            EOFError: the host is gone.
        """
        self._forget()
        self._start_clock()
        request = self._write([HEAD.pack(call, len(body)), body])
        if not self._is_ready:
            self._wait_until_ready()
            self._start_clock()
        if request:
            self._poller.register(self.pipes.requests, select.POLLOUT)
        while not self.fault:
            left = self._deadline - time.monotonic()
            if left <= 0:
                self.fault = "timeout" if self.pipes.results in self._open else "protocol"
                break
            ready = self._ready(left)
            if self.host in ready:
                raise EOFError
            if request and self.pipes.requests in ready:
                request = self._write(request)
                if not request:
                    self._poller.unregister(self.pipes.requests)
            gone = self.reaper.wake in ready and self.reaper.is_gone(self.pid)
            if gone or self.pipes.results in ready:
                self._read_results(call, to_the_end=gone)
                if self._complete >= 0 and request:
                    self.fault = "protocol"  # it answered before it had the question
                elif self._complete >= 0 and not self.fault:
                    return self.answer.body(self._complete)
            if gone and not self.fault:
                self.fault = "exit"
                self.began = self._unread() < HEAD.size + len(body) - sum(map(len, request))
        return None

    def idle_fds(self) -> list[int]:
        """What the agent should watch between calls."""
        return [*self._open, self.reaper.wake]

    def look(self) -> bool:
        """Between calls: drain prints; a result nobody asked for or a death ends the job. Whether it ended."""
        self._forget()
        if not self._is_ready:
            self._wait_until_ready()
        self._deadline = time.monotonic() + DEATH_S
        ready = self._ready(0)
        if self.pipes.results in ready:
            self._read_once()
        gone = self.reaper.wake in ready and self.reaper.is_gone(self.pid)
        while not gone and self.pipes.results not in self._open and time.monotonic() < self._deadline:
            gone = self.reaper.wake in self._ready(0.01) and self.reaper.is_gone(self.pid)  # dying, or cheating
        if not self.fault and (self.answer.got or (not gone and self.pipes.results not in self._open)):
            self.fault = "protocol"
        if not self.fault and gone:
            self.fault = "exit"
        return bool(self.fault)

    def take_prints(self) -> bytes:
        """What was printed since the last time, up to the cap."""
        if not self.prints:
            return b""
        taken = bytes(self.prints)
        self.prints.clear()
        return taken

    def drain_prints(self) -> None:
        """Read what is left in the pipe."""
        self._read_prints()

    def _start_clock(self) -> None:
        self.asked = time.monotonic()
        self._deadline = self.asked + self.wall_s

    def _forget(self) -> None:
        """The last answer has been passed on."""
        if self._complete >= 0:
            self._complete = -1
            self.answer.clear()

    def _ready(self, seconds: float) -> set[int]:
        """Wait for anything to happen; prints are drained at once."""
        ready = {fd for fd, _ in self._poller.poll(seconds * 1000)}
        if self.pipes.prints in ready:
            self._read_prints()
        return ready

    def _write(self, request: list[bytes | memoryview]) -> list[bytes | memoryview]:
        """What is left of it."""
        try:
            written = os.writev(self.pipes.requests, request)
        except BlockingIOError:
            return request
        except BrokenPipeError:
            self._expect_death()
            return []
        if written == sum(map(len, request)):
            return []
        left: list[bytes | memoryview] = []
        for part in request:
            if len(part) > written:
                left.append(part[written:])
            written = max(0, written - len(part))
        return left

    def _unread(self) -> int:
        """Bytes in the request pipe that the worker has not taken."""
        found: int = struct.unpack("i", fcntl.ioctl(self.pipes.requests, termios.FIONREAD, b"\0\0\0\0"))[0]
        return found

    def _read_results(self, call: int, *, to_the_end: bool) -> None:
        while self._read_once() and not self.fault:
            head = self.answer.head()
            if head is None:
                continue
            answered, length = head
            surplus = self.answer.got - HEAD.size - length
            if answered != call or surplus > 0:  # a late second answer to an earlier call, two answers, or nonsense
                self.fault = "protocol"
            elif length > self.max_output:
                self.fault = "output"
            elif surplus == 0:
                self._complete = length
            else:
                self.answer.reserve(length)
            if not to_the_end:
                return

    def _read_once(self) -> bool:
        """Read from the result pipe; whether anything came."""
        fd = self.pipes.results
        if fd not in self._open:
            return False
        count = self.answer.read(fd)
        if count == 0:
            self._closed(fd)
            self._expect_death()
        return bool(count)

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
