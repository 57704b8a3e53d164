"""The CPU clock of another process."""

from __future__ import annotations

import time


def cpu_seconds(pid: int) -> float:
    """CPU time of another process by its clock (``clock_getcpuclockid(3)``'s arithmetic); 0.0 when it is gone."""
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0
