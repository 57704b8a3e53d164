"""PID 1 of a sandbox container: a fork server that speaks frames on its stdin and stdout.

It keeps the interpreter and the kit warm, never imports candidate code, and forks one confined process per job. It
reads a frame only when it is ready for it, so nothing of a later call is in its memory when it forks. After each job it
kills and reaps everything else in the container. It ends when its stdin ends or nothing comes for a while.
"""

from __future__ import annotations

import gc
import os
import platform
import select
import sys
import time
from pathlib import Path

from sandbox.guest import confine
from sandbox.guest.cgroup import OomCounter
from sandbox.guest.children import Children, cpu_seconds
from sandbox.guest.frames import Frame, FrameError, encode, read_frame
from sandbox.guest.job import READY, Job, Pipes
from sandbox.guest.seccomp import filter_for
from sandbox.guest.worker import serve

SEND_BYTES, SEND_S = 32 << 10, 0.01
WORKER_REQUESTS, WORKER_RESULTS = 3, 4
# Loaded once here instead of in every job.
WARM = """
    array bisect cmath collections contextlib copy copyreg dataclasses datetime decimal difflib enum fractions functools
    hashlib heapq io itertools json linecache math numbers operator queue random re statistics string textwrap threading
    time traceback types typing unicodedata bootcamp_kit.answers bootcamp_kit.card bootcamp_kit.contract
    bootcamp_kit.loading bootcamp_kit.seeds bootcamp_kit.stdio_program
"""


class Idle(Exception):
    """Nothing came for too long."""


class Agent:
    """The fork server's state: the task's files, and at most one live job."""

    def __init__(self, inp: int, out: int, idle_s: float) -> None:
        self._inp, self._out, self._idle_s = inp, out, idle_s
        self._unsent, self._unsent_since = bytearray(), 0.0
        self._waiting = select.poll()
        self._waiting.register(inp, select.POLLIN)
        self._files: dict[str, bytes] = {}
        self._job: Job | None = None
        self._jobs = 0
        self._oom_before = 0
        self._first_uid = confine.first_uid(Path("/proc/self/uid_map").read_text(encoding="ascii"))
        self._mapped = confine.mapped_bytes()
        self._filter = filter_for(os.uname().machine)
        self._oom = OomCounter.find()
        self._children = Children()

    def run(self) -> None:
        """Serve until stdin ends, a frame is broken or the idle time is up."""
        self._send(
            Frame(
                "hello",
                {
                    "python": platform.python_version(),
                    "machine": os.uname().machine,
                    "seccomp": self._filter is not None,
                    "oom_counter": self._oom.kind,
                },
            )
        )
        handlers = {"files": self._take_files, "open": self._open, "call": self._call, "close": self._close}
        while True:
            try:
                frame = self._next_frame()
                handlers[frame.kind](frame)
            except (EOFError, Idle):
                return

    def _next_frame(self) -> Frame:
        """Wait for a frame, with an eye on the live job."""
        until = time.monotonic() + self._idle_s
        while not self._waiting.poll(0):
            self._flush()
            left = until - time.monotonic()
            if left <= 0:
                raise Idle
            poll = select.poll()
            poll.register(self._inp, select.POLLIN)
            for fd in self._job.idle_fds() if self._job else ():
                poll.register(fd, select.POLLIN)
            ready = {fd for fd, _ in poll.poll(left * 1000)}
            if self._job and ready - {self._inp} and self._job.look():
                self._end(self._job, None)
        return read_frame(self._read_exactly)

    def _read_exactly(self, count: int) -> bytes:
        data = bytearray()
        while len(data) < count:
            chunk = os.read(self._inp, min(count - len(data), 1 << 20))
            if not chunk:
                raise EOFError
            data += chunk
        return bytes(data)

    def _send(self, frame: Frame) -> None:
        """Keep it until nothing is left to do, too much has gathered or it has waited too long."""
        if not self._unsent:
            self._unsent_since = time.monotonic()
        self._unsent += encode(frame)
        if len(self._unsent) > SEND_BYTES or time.monotonic() - self._unsent_since > SEND_S:
            self._flush()

    def _flush(self) -> None:
        view = memoryview(bytes(self._unsent))
        self._unsent.clear()
        while view:
            view = view[os.write(self._out, view) :]

    def _take_files(self, frame: Frame) -> None:
        self._files, start = {}, 0
        for path, size in frame.header["files"]:
            self._files[path] = frame.payload[start : start + size]
            start += size

    def _open(self, frame: Frame) -> None:
        if self._job:
            raise FrameError("open: a job is live")
        pipes = Pipes.make()
        self._jobs += 1
        self._oom_before = self._oom.read()
        limits = confine.ProcessLimits(
            frame.number("cpu_s"), self._mapped + (frame.number("address_mb") << 20), frame.number("open_files")
        )
        pid = os.fork()
        if pid == 0:
            self._become_worker(pipes, limits, frame.number("output_bytes"))
        pipes.close_worker_ends()
        self._job = Job(
            frame.number("job"),
            pid,
            pipes,
            self._children,
            wall_s=frame.seconds("wall_s"),
            max_output=frame.number("output_bytes"),
            max_prints=frame.number("stderr_bytes"),
            started=time.monotonic(),
        )
        if not self._job.wait_until_ready():
            self._end(self._job, None)

    def _become_worker(self, pipes: Pipes, limits: confine.ProcessLimits, max_output: int) -> None:
        """In the child: never returns."""
        try:
            confine.reset_signals()
            for source, target in (
                (os.open(os.devnull, os.O_RDONLY), 0),
                (pipes.worker_prints, 1),
                (pipes.worker_prints, 2),
                (_above(pipes.worker_requests), WORKER_REQUESTS),
                (_above(pipes.worker_results), WORKER_RESULTS),
            ):
                os.dup2(source, target, inheritable=False)
            confine.close_from(WORKER_RESULTS + 1)
            confine.confine(self._first_uid + self._jobs % confine.UIDS, limits, self._filter)
            os.write(WORKER_RESULTS, READY)
        except BaseException as error:  # noqa: BLE001 - nothing may return into the zygote's loop
            os.write(2, f"confining the job failed: {error!r}\n".encode())
            os._exit(70)
        try:
            serve(WORKER_REQUESTS, WORKER_RESULTS, self._files, max_output)
        finally:
            os._exit(0)

    def _call(self, frame: Frame) -> None:
        job = self._job
        if job is None or job.number != frame.number("job"):
            return  # for a job that died meanwhile: the host knows from its `ended`
        if job.look():
            self._end(job, None)
            return
        number = frame.number("call")
        started, cpu = time.monotonic(), cpu_seconds(job.pid)
        answer = job.exchange(number, frame.payload)
        if answer is None:
            self._end(job, number)
            return
        prints = job.take_prints()
        head = {
            "job": job.number,
            "call": number,
            "answer": len(answer),
            "wall_s": time.monotonic() - started,
            "cpu_s": max(0.0, cpu_seconds(job.pid) - cpu),
        }
        self._send(Frame("value", head, answer + prints))

    def _close(self, frame: Frame) -> None:
        if self._job and self._job.number == frame.number("job"):
            self._job.look()
            self._end(self._job, None, closed=True)

    def _end(self, job: Job, call: int | None, *, closed: bool = False) -> None:
        """Kill, reap, and say how the job ended."""
        fault = "closed" if closed and not job.fault else job.fault
        death = self._children.kill_all(job.pid)
        job.drain_prints()
        job.pipes.close()
        self._children.deaths.clear()
        self._job = None
        head = {
            "job": job.number,
            "call": call,
            "fault": fault,
            "status": death.status,
            "oom": self._oom.read() > self._oom_before,
            "wall_s": time.monotonic() - job.started,
            "cpu_s": death.usage.ru_utime + death.usage.ru_stime,
            "peak_mb": death.usage.ru_maxrss / 1024,
        }
        self._send(Frame("ended", head, job.take_prints()))


def _above(fd: int) -> int:
    """A copy of ``fd`` above the numbers that are about to be overwritten."""
    import fcntl

    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 16)


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
    for name in WARM.split():
        __import__(name)
    agent = Agent(inp, out, float(os.environ.get("BOOTCAMP_IDLE_S", "120")))
    gc.collect()
    gc.freeze()
    agent.run()


if __name__ == "__main__":
    main()
