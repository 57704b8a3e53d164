"""The container's own control group: which limits it shows, and its count of OOM kills.

``OOMKilled`` of the engine stays false as long as PID 1 lives.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

_PLACES = (("v2", "/sys/fs/cgroup/memory.events"), ("v1", "/sys/fs/cgroup/memory/memory.oom_control"))
_ROOT = "/sys/fs/cgroup"
_LIMITS = (
    ("memory limit", "memory.max", "memory/memory.limit_in_bytes"),
    ("swap limit", "memory.swap.max", "memory/memory.memsw.limit_in_bytes"),
    ("CPU quota", "cpu.max", "cpu/cpu.cfs_quota_us"),
    ("process count limit", "pids.max", "pids/pids.max"),
)
_NO_LIMIT_BYTES = 1 << 60


def unlimited(root: str | os.PathLike[str] = _ROOT) -> list[str]:
    """The limits that are not set on this group, whatever the engine says; a file that is not there tells nothing."""
    found = []
    for name, *files in _LIMITS:
        for file in files:
            try:
                with open(f"{os.fspath(root)}/{file}", encoding="ascii") as told:  # noqa: PTH123 - pathlib is slow to load
                    value = told.read().split()[0]
            except (OSError, IndexError):
                continue
            if value in ("max", "-1") or (value.isdecimal() and int(value) >= _NO_LIMIT_BYTES):
                found.append(name)
            break
    return found


@dataclass(frozen=True, slots=True)
class OomCounter:
    """An open cgroup file with an ``oom_kill`` line; ``kind`` is v1, v2 or "" where there is none."""

    kind: str
    fd: int

    @classmethod
    def find(cls) -> OomCounter:
        """The counter of this container's own cgroup."""
        for kind, path in _PLACES:
            try:
                fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            except OSError:
                continue
            if b"oom_kill " in os.pread(fd, 4096, 0):
                return cls(kind, fd)
            os.close(fd)
        return cls("", -1)

    def read(self) -> int:
        """Kills so far; 0 where there is no counter."""
        if self.fd < 0:
            return 0
        for line in os.pread(self.fd, 4096, 0).splitlines():
            if line.startswith(b"oom_kill "):
                return int(line.split()[1])
        return 0
