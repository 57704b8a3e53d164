"""File descriptor 0 of a contest-style program: ``open(0).read()`` and ``os.read(0, n)`` must see its input too."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

PIPE_BYTES = 1 << 20


@contextmanager
def stdin_pipe(data: bytes) -> Iterator[None]:
    """Put ``data`` on descriptor 0 for the time of the block, then an empty input again.

    There is no file to write to, so it is a pipe filled beforehand: inputs above 1 MiB (or what the kernel grants)
    leave descriptor 0 empty; ``sys.stdin`` has no such limit.
    """
    readable, writable = os.pipe()
    try:
        if len(data) > 1 << 16:
            try:
                fcntl.fcntl(writable, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
            except OSError:
                data = b""
        os.set_blocking(writable, False)
        if len(data) <= PIPE_BYTES:
            os.write(writable, data)
        os.close(writable)
        os.dup2(readable, 0)
    finally:
        os.close(readable)
    try:
        yield
    finally:
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
