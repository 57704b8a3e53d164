"""What PID 1 owes its children: reaping, killing what a job left behind, knowing how each ended and what it used."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Death:
    """How a process ended: the wait status and what it used."""

    status: int
    usage: resource.struct_rusage


class Children:
    """Reaps as PID 1 must, and remembers the death of the job's own process."""

    def __init__(self) -> None:
        self.wake, write = os.pipe()
        os.set_blocking(self.wake, False)
        os.set_blocking(write, False)
        signal.set_wakeup_fd(write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        # PID 1 hears only what it has a handler for: a job that shares its user must not interrupt it.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        self.deaths: dict[int, Death] = {}

    def is_gone(self, pid: int) -> bool:
        """Reap whatever ended; whether ``pid`` has."""
        with contextlib.suppress(BlockingIOError):
            os.read(self.wake, 4096)
        self._reap()
        return pid in self.deaths

    def kill_all(self, pid: int) -> Death:
        """Kill every process but this one until none is left; the death of ``pid``."""
        while True:
            with contextlib.suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)
            try:
                ended, status, usage = os.wait4(-1, 0)
            except ChildProcessError:
                return self.deaths.pop(pid)
            self.deaths[ended] = Death(status, usage)

    def _reap(self) -> None:
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
                if pid == 0:
                    return
                self.deaths[pid] = Death(status, usage)


def cpu_seconds(pid: int) -> float:
    """CPU time of another process by its clock (``clock_getcpuclockid(3)``'s arithmetic); 0.0 when it is gone."""
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0
