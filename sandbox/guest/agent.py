"""PID 1 of a sandbox container: a fork server that speaks frames on its stdin and stdout.

It keeps the interpreter and the kit warm, never imports candidate code, and runs each job in a forked and confined
process. Frames that it has read ahead, and answers on their way out, lie in memory that a fork does not copy: a job's
process never holds a call that is not its own. After each job it kills and reaps everything else in the container. It
ends when its stdin ends or nothing comes for a while.
"""

from __future__ import annotations

import gc
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from typing import cast

from sandbox.guest import confine
from sandbox.guest.cgroup import OomCounter, unlimited
from sandbox.guest.clock import cpu_seconds
from sandbox.guest.frames import Frame, FrameError
from sandbox.guest.job import Answer, Job
from sandbox.guest.nursery import Nursery
from sandbox.guest.seccomp import filter_for
from sandbox.guest.streams import Arrived, Inbox, Outbox
from sandbox.guest.writable import writable

WARM_AFTER_S = 0.3
# Loaded once here instead of in every job; later, if a reseed may come first and make it useless. Not `threading` and
# what loads it: what it does after every fork costs a third of one, and few tasks use it.
WARM = """
    array bisect cmath collections contextlib copy copyreg dataclasses datetime decimal difflib enum fractions functools
    hashlib heapq io itertools json linecache math numbers operator random re statistics string textwrap
    time traceback types typing unicodedata bootcamp_kit.answers bootcamp_kit.card bootcamp_kit.contract
    bootcamp_kit.loading bootcamp_kit.seeds bootcamp_kit.stdio_program
"""


class Idle(Exception):
    """Nothing came for too long."""


class Agent:
    """The fork server's state: the nursery that holds the task's files, and at most one live job."""

    def __init__(self, inp: int, out: int, idle_s: float, preload: str) -> None:
        self._inbox, self._outbox, self._idle_s = Inbox(inp), Outbox(out), idle_s
        self._preload = preload
        self._answer = Answer()
        self._job: Job | None = None
        self._has_files = self._is_warm = False
        self._oom_before = self._mapped = 0
        self._filter = filter_for(os.uname().machine)
        self._oom = OomCounter.find()
        with open("/proc/self/uid_map", encoding="ascii") as uid_map:  # noqa: PTH123 - pathlib is slow to load
            self._first_uid = confine.first_uid(uid_map.read())
        self._nursery = Nursery(self._first_uid, self._filter)
        self._handlers: dict[str, Callable[[Frame, memoryview], None]] = {
            "reseed": self._reseed,
            "files": self._take_files,
            "open": self._open,
            "close": self._close,
        }

    def run(self) -> None:
        """Say hello, warm up, unless a reseed is likely, and serve until the host is gone or idle for too long."""
        self._outbox.send(
            Frame(
                "hello",
                {
                    "python": sys.version.split()[0],
                    "machine": os.uname().machine,
                    "seccomp": self._filter is not None,
                    "oom_counter": self._oom.kind,
                    "own_user": self._first_uid is not None,
                    "unlimited": unlimited(),
                    "writable": writable(),
                },
            )
        )
        self._outbox.flush()
        settled = os.environ.pop("BOOTCAMP_RESEEDED", "")
        likely = os.environ.get("PYTHONHASHSEED") == "0"  # which most ask for; any other is some task's own
        if settled or (likely and not select.select([self._inbox.fd], [], [], WARM_AFTER_S)[0]):
            self._warm_up()
        try:
            while True:
                arrived = self._inbox.next()
                if arrived:
                    self._handle(arrived)
                else:
                    self._wait()
        except (EOFError, Idle):
            return

    def _handle(self, arrived: Arrived) -> None:
        if arrived.kind == "call":  # there are thousands
            self._call(arrived)
            return
        handler = self._handlers.get(arrived.kind)
        if handler is None:
            raise FrameError(f"a {arrived.kind} frame")
        handler(Frame(arrived.kind, arrived.header), arrived.payload)

    def _warm_up(self) -> None:
        """Load what jobs need, once."""
        if not self._is_warm:
            _load_random()
            for name in f"{WARM} {self._preload}".split():
                __import__(name)
            self._is_warm, self._mapped = True, confine.mapped_bytes()
            gc.collect()
            gc.freeze()

    def _wait(self) -> None:
        """Wait for more from the host, with an eye on the live job."""
        self._outbox.flush()
        if self._has_files and not self._job:
            self._nursery.prepare()
        until = time.monotonic() + self._idle_s
        while True:
            poll = select.poll()
            poll.register(self._inbox.fd, select.POLLIN)
            for fd in self._job.idle_fds() if self._job else ():
                poll.register(fd, select.POLLIN)
            ready = {fd for fd, _ in poll.poll(max(0.0, until - time.monotonic()) * 1000)}
            if self._inbox.fd in ready:
                self._inbox.fill()
                return
            if not ready:
                raise Idle
            if self._job and self._job.look():
                self._end(self._job, None)
                self._outbox.flush()

    def _reseed(self, frame: Frame, payload: memoryview) -> None:
        """Begin again with another hash seed, before there is a task: this interpreter's is fixed for its life."""
        if self._has_files or self._inbox.has_more():
            raise FrameError("reseed: it has begun")
        self._outbox.flush()
        os.dup2(self._inbox.fd, 0)
        os.dup2(self._outbox.fd, 1)
        environment = {
            **os.environ,
            "PYTHONHASHSEED": str(frame.number("hash_seed")),
            "BOOTCAMP_PRELOAD": self._preload,
            "BOOTCAMP_RESEEDED": "1",
        }
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], environment)

    def _take_files(self, frame: Frame, payload: memoryview) -> None:
        self._warm_up()
        files, start = {}, 0
        for path, size in frame.header["files"]:
            files[path] = bytes(payload[start : start + size])
            start += size
        self._nursery.use(files)
        self._has_files = True

    def _open(self, frame: Frame, payload: memoryview) -> None:
        if self._job:
            raise FrameError("open: a job is live")
        self._oom_before = self._oom.read()
        address_bytes = self._mapped + (frame.number("address_mb") << 20)
        limits = frame.number("cpu_s"), address_bytes, frame.number("open_files")
        started = time.monotonic()
        worker = self._nursery.take(limits, frame.number("output_bytes"))
        self._job = Job(
            frame.number("job"),
            worker.pid,
            worker.pipes,
            self._nursery,
            self._answer,
            self._inbox.fd,
            wall_s=frame.seconds("wall_s"),
            max_output=frame.number("output_bytes"),
            max_prints=frame.number("stderr_bytes"),
            started=started,
        )
        self._nursery.prepare()  # the next one, forked as soon as this one has ended: while the host hears of that

    def _call(self, arrived: Arrived) -> None:
        job = self._job
        if job is None or job.number != arrived.header["job"]:
            return  # for a job that died meanwhile: the host knows from its `ended`
        call, payload = cast(int, arrived.header["call"]), arrived.payload
        answer = job.exchange(call, payload)
        if answer is None:
            self._end(job, call if job.began else None)
            return
        cpu, job.cpu_s = job.cpu_s, max(job.cpu_s, cpu_seconds(job.pid))
        wall_s = time.monotonic() - job.asked
        self._outbox.send_value(job.number, call, answer, wall_s, job.cpu_s - cpu, job.take_prints())

    def _close(self, frame: Frame, payload: memoryview) -> None:
        if self._job and self._job.number == frame.number("job"):
            self._job.look()
            self._end(self._job, None, closed=True)

    def _end(self, job: Job, call: int | None, *, closed: bool = False) -> None:
        """Kill, reap, and say how the job ended."""
        fault = "closed" if closed and not job.fault else job.fault
        death = self._nursery.end(job.pid)
        job.drain_prints()
        job.pipes.close()
        self._job = None
        head = {
            "job": job.number,
            "call": call,
            "fault": fault,
            "status": death.status,
            "oom": self._oom.read() > self._oom_before,
            "wall_s": time.monotonic() - job.started,
            "cpu_s": death.cpu_s,
            "peak_mb": death.peak_mb,
        }
        self._outbox.send(Frame("ended", head, job.take_prints()))


def _load_random() -> None:
    """Load ``random`` without what it would do after every fork: the process that forks draws a new seed before."""
    fork = os.fork
    del os.fork
    try:
        import random  # noqa: F401
    finally:
        os.fork = fork


def main() -> None:
    """Take the container's stdin and stdout for the host alone, warm up, serve."""
    if os.getpid() != 1:  # it kills every process it can see
        sys.exit("the agent runs as PID 1 of a container and nowhere else")
    inp, out = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1):
        os.dup2(nothing, fd)
    os.close(nothing)
    confine.undumpable()
    # PID 1 hears only what it has a handler for: a job that shares its user must not interrupt it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    preload = os.environ.pop("BOOTCAMP_PRELOAD", "")
    Agent(inp, out, float(os.environ.get("BOOTCAMP_IDLE_S", "120")), preload).run()


if __name__ == "__main__":
    main()
