"""Folders of the container that a job could leave something in for the next; there must be none.

Our containers have a read-only root, but a runtime may lay folders of its own over it: gVisor does with ``/tmp`` and
``/dev/shm``. ``/dev/mqueue`` is not among the places: the limit of 0 bytes for message queues keeps it empty.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

_PLACES = ("/", "/tmp", "/dev", "/dev/shm", "/var/tmp", "/run")


def writable(places: Iterable[str] = _PLACES) -> list[str]:
    """Those that any user may write to, on a file system that is not mounted read-only."""
    found = []
    for place in places:
        try:
            mode, mount = os.stat(place).st_mode, os.statvfs(place)  # noqa: PTH116 - pathlib is slow to load
        except OSError:
            continue
        if mode & 0o002 and not mount.f_flag & os.ST_RDONLY:
            found.append(place)
    return found
