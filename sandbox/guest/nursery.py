"""Forks the jobs' processes, one ahead: the next job's waits, confined, while nobody waits for it.

It is forked after the last job has ended and been reaped, so it never lives beside candidate code, and before the next
job's calls have come; the candidate's files are all it has of the task. Its limits come with its job.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import struct
from collections.abc import Mapping
from dataclasses import dataclass

from bootcamp_kit.loading import package_name
from sandbox.guest import confine
from sandbox.guest.children import Children
from sandbox.guest.job import READY, Pipes
from sandbox.guest.seccomp import Filter
from sandbox.guest.worker import serve

WORKER_REQUESTS, WORKER_RESULTS = 3, 4
_SETUP = struct.Struct(">QQQQ")
"""CPU seconds, bytes of address space, open files, bytes of an answer: the first thing in the request pipe."""


@dataclass(frozen=True, slots=True)
class Worker:
    """A forked process and the agent's ends of its pipes."""

    pid: int
    pipes: Pipes


class Nursery:
    """The zygote's children, at most one of them waiting."""

    def __init__(self, children: Children, first_uid: int | None, syscalls: Filter | None) -> None:
        self._children, self._first_uid, self._filter = children, first_uid, syscalls
        self._files: Mapping[str, bytes] = {}
        self._package = ""
        self._forked = 0
        self._waiting: Worker | None = None

    def use(self, files: Mapping[str, bytes]) -> None:
        """From now on the processes get these files."""
        self._files, self._package = files, package_name(files)  # hashed once, not in every process
        if self._waiting:
            worker, self._waiting = self._waiting, None
            worker.pipes.close()
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker.pid, signal.SIGKILL)

    def prepare(self) -> None:
        """Fork the next one now."""
        if self._waiting is None:
            self._waiting = self._fork()

    def take(self, limits: confine.ProcessLimits, max_output: int) -> Worker:
        """A process that confines itself with these limits and then says that it is ready."""
        worker, self._waiting = self._waiting, None
        if worker and self._children.is_gone(worker.pid):
            worker.pipes.close()
            worker = None
        worker = worker or self._fork()
        setup = _SETUP.pack(limits.cpu_s, limits.address_bytes, limits.open_files, max_output)
        with contextlib.suppress(BrokenPipeError):  # it died just now: it will not say that it is ready
            os.write(worker.pipes.requests, setup)
        return worker

    def _fork(self) -> Worker:
        pipes = Pipes.make()
        self._forked += 1
        pid = os.fork()
        if pid == 0:
            self._become_worker(pipes)
        pipes.close_worker_ends()
        return Worker(pid, pipes)

    def _become_worker(self, pipes: Pipes) -> None:
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
            uid = None if self._first_uid is None else self._first_uid + self._forked % confine.UIDS
            confine.confine(uid, self._filter)
            setup = os.read(WORKER_REQUESTS, _SETUP.size)
            if len(setup) < _SETUP.size:
                os._exit(0)  # the agent has no use for it
            cpu_s, address_bytes, open_files, max_output = _SETUP.unpack(setup)
            confine.limit(confine.ProcessLimits(cpu_s, address_bytes, open_files))
            os.write(WORKER_RESULTS, READY)
        except BaseException as error:  # noqa: BLE001 - nothing may return into the zygote's loop
            os.write(2, f"confining the job failed: {error!r}\n".encode())
            os._exit(70)
        try:
            serve(WORKER_REQUESTS, WORKER_RESULTS, self._files, max_output, self._package)
        finally:
            os._exit(0)


def _above(fd: int) -> int:
    """A copy of ``fd`` above the numbers that are about to be overwritten."""
    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 16)
