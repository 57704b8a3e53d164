"""The heap of a process that serves for days, where the C library is glibc; elsewhere nothing happens.

With a heap for each thread, what one frees is of no use to another. With one heap, pages in its middle that hold
nothing any more stay with the process, as only the heap's end is given back by itself. Looking for such pages takes
0.2 ms.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress

M_ARENA_MAX = -8
"""glibc's number for the setting, as in its malloc.h."""
GIVE_BACK_S = 10.0


def keep_one_heap() -> None:
    """Let all threads share one heap; call it before there are threads.

    One thread of Python runs at a time, so there is nothing to gain from several.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)


def give_back() -> None:
    """Give pages of the heap that hold nothing back to the system."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(ctypes.c_size_t(0))
