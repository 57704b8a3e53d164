"""The agent's side of the process that forks: gives it a job's pipes, one job ahead, and hears what became of them.

The next job's process is forked after the last job has ended and been reaped, so it never lives beside candidate code,
and before its calls have come. Its limits come with its job.
"""

from __future__ import annotations

import _socket
import contextlib
import os
import select
import signal
from collections.abc import Mapping
from dataclasses import dataclass

from sandbox.guest.job import Pipes
from sandbox.guest.link import NEWS, ORDER, SETUP
from sandbox.guest.seccomp import Filter

_RIGHTS = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS)
_ATTEMPTS = 3
ROUSE_S = 0.1


@dataclass(frozen=True, slots=True)
class Worker:
    """A forked process and the agent's ends of its pipes."""

    pid: int
    pipes: Pipes


@dataclass(frozen=True, slots=True)
class Death:
    """How a process ended: the wait status and what it used."""

    status: int
    cpu_s: float
    peak_mb: float


UNSEEN = Death(signal.SIGKILL, 0.0, 0.0)


class ForkerLost(Exception):
    """The process that forks is gone."""


class Nursery:
    """Where the jobs' processes come from; at most one lives, and is waiting or at work."""

    def __init__(self, first_uid: int | None, syscalls: Filter | None) -> None:
        self._first_uid, self._filter = first_uid, syscalls
        self._files: Mapping[str, bytes] = {}
        self._link: _socket.socket | None = None
        self._forker = self._ordered = 0
        self._waiting: Pipes | None = None
        self._death: Death | None = None

    @property
    def wake(self) -> int:
        """Readable when something became of the job's process."""
        return self._link.fileno() if self._link else -1

    def use(self, files: Mapping[str, bytes]) -> None:
        """From now on the processes get these files."""
        self._files = files
        self._lose()

    def prepare(self) -> None:
        """Have the next one forked now."""
        if self._waiting is None:
            self._order(self._forking())

    def take(self, limits: tuple[int, int, int], max_output: int) -> Worker:
        """A process that confines itself and then says that it is ready.

        Args:
            limits: Of CPU seconds, bytes of address space, open files.
            max_output: Bytes of an answer.

        Raises:
            ForkerLost: nothing forks here any more.
        """
        for _ in range(_ATTEMPTS):
            self.prepare()
            pipes, self._waiting = self._waiting, None
            assert pipes is not None
            try:
                pid = self._hear()[0]
            except ForkerLost:
                pipes.close()
                self._lose()
                continue
            if self.is_gone(pid):  # it died before it had a job
                pipes.close()
                self._death = None
                continue
            setup = SETUP.pack(*limits, max_output)
            with contextlib.suppress(BrokenPipeError):  # it died just now: it will not say that it is ready
                os.write(pipes.requests, setup)
            return Worker(pid, pipes)
        raise ForkerLost

    def is_gone(self, pid: int) -> bool:
        """Whether the job's process ``pid`` has ended, or nobody is left to tell."""
        if self._death is None and self._has_news():
            try:
                _, status, cpu_s, peak_kb = self._hear()
            except ForkerLost:
                return True
            self._death = Death(status, cpu_s, peak_kb / 1024)
        return self._death is not None

    def end(self, pid: int) -> Death:
        """Kill the job's process and everything it left behind, and reap; how it ended.

        Raises:
            ForkerLost: nobody is left to do it, and jobs have users of their own.
        """
        if not self.is_gone(pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            try:
                _, status, cpu_s, peak_kb = self._hear()
                self._death = Death(status, cpu_s, peak_kb / 1024)
            except ForkerLost:
                pass
        death, self._death = self._death, None
        if death is None and self._first_uid is not None:
            raise ForkerLost  # no job can have done that: the agent's end tells the host that it was us
        return death or self._lose(pid)

    def _forking(self) -> _socket.socket:
        """The link to the process that forks; begins it where there is none."""
        if self._link is None:
            from sandbox.guest.forker import fork_jobs  # with all that jobs need: not before the hash seed is settled

            self._link, theirs = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
            self._forker = os.fork()
            if self._forker == 0:
                fork_jobs(theirs.fileno(), self._files, self._first_uid, self._filter, self._ordered)
            theirs.close()
        return self._link

    def _order(self, link: _socket.socket) -> None:
        pipes = Pipes.make()
        self._ordered += 1
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # heard of when its news is asked for
            link.sendmsg([ORDER], [(*_RIGHTS, pipes.worker_ends())])
        pipes.close_worker_ends()
        self._waiting = pipes

    def _has_news(self, within_s: float = 0.0) -> bool:
        poll = select.poll()
        poll.register(self.wake, select.POLLIN)
        return bool(poll.poll(within_s * 1000))

    def _hear(self) -> tuple[int, int, float, int]:
        """The next news, waited for.

        Raises:
            ForkerLost: none will come.
        """
        while self._first_uid is None and not self._has_news(ROUSE_S):
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._forker, signal.SIGCONT)  # a job that shares its user may have stopped it
        try:
            news = os.read(self.wake, NEWS.size)
        except ConnectionResetError:
            news = b""
        if len(news) < NEWS.size:
            raise ForkerLost
        pid, status, cpu_s, peak_kb = NEWS.unpack(news)
        return pid, status, cpu_s, peak_kb

    def _lose(self, pid: int = 0) -> Death:
        """End the process that forks and everything else but this one; how ``pid`` ended, as far as it is seen.

        It lives as long as the agent does, unless a job shares its user and kills it.
        """
        if self._link:
            self._link.close()
            self._link = None
        if self._waiting:
            self._waiting.close()
            self._waiting = None
        death = UNSEEN
        while True:
            with contextlib.suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)
            try:
                ended, status, usage = os.wait4(-1, 0)
            except ChildProcessError:
                self._death = None
                return death
            if ended == pid:
                death = Death(status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)
