"""Whose container is it: labels that say which process started it and when it may be removed."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PREFIX = "bootcamp-foundry"
APP_LABEL = f"{PREFIX}.sandbox"
RUN_LABEL = f"{PREFIX}.run"
_HOST, _PID, _STARTED, _EXPIRES = (f"{PREFIX}.{name}" for name in ("host", "pid", "started", "expires"))
LIFE_S = 24 * 3600


@dataclass(frozen=True, slots=True)
class Owner:
    """One process of one boot of one machine.

    Attributes:
        host: Boot id and process-id namespace where there is a ``/proc``, else the host name: two owners with the same
            ``host`` see the same process ids.
        pid: Its process id.
        started: Its start time in clock ticks since boot, "" where not known; tells a reused process id.
    """

    host: str
    pid: int
    started: str

    @classmethod
    def current(cls) -> Owner:
        """This process."""
        return cls(_host(), os.getpid(), _start_time(os.getpid()) or "")

    def labels(self, run_id: str, now: float) -> dict[str, str]:
        """Labels of a container that this owner starts at ``now`` (seconds since the epoch)."""
        return {
            APP_LABEL: "1",
            RUN_LABEL: run_id,
            _HOST: self.host,
            _PID: str(self.pid),
            _STARTED: self.started,
            _EXPIRES: str(int(now) + LIFE_S),
        }


def is_orphan(labels: Mapping[str, str], here: Owner, now: float) -> bool:
    """Whether a container with these labels has no living owner: expired, or its process on this host is gone."""
    expires = labels.get(_EXPIRES, "")
    if not expires.isdecimal() or int(expires) <= now:
        return True
    pid = labels.get(_PID, "")
    if labels.get(_HOST) != here.host or not pid.isdecimal():
        return False  # another machine's: its own sweep or the expiry removes it
    if not here.started:  # no /proc: only whether the process id lives
        return not _is_alive(int(pid))
    return _start_time(int(pid)) != labels.get(_STARTED)


def _host() -> str:
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}/{Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return socket.gethostname()


def _start_time(pid: int) -> str | None:
    """Field 22 of ``/proc/PID/stat``; None when there is no such process or it is a zombie."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
