"""The container's count of OOM kills: ``OOMKilled`` of the engine stays false as long as PID 1 lives."""

from __future__ import annotations

import os
from dataclasses import dataclass

_PLACES = (("v2", "/sys/fs/cgroup/memory.events"), ("v1", "/sys/fs/cgroup/memory/memory.oom_control"))


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
