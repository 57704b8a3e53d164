"""Ctrl-C while nothing is open: leave at once.

A ``KeyboardInterrupt`` that is raised inside an extension module's callback is printed and lost, and importing pydantic
or LangGraph runs many of them. Before a sandbox, a queue or a run is open there is nothing to give back: the signal
ends the process directly.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTED = 130


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """Until the block ends, SIGINT ends the process with exit code 130."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _leave(number: int, frame: object) -> None:
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)
