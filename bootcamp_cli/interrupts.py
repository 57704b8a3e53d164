"""Signals that end a command: while nothing is open at once, afterwards as Ctrl-C does.

A ``KeyboardInterrupt`` that is raised inside an extension module's callback is printed and lost, and importing pydantic
or LangGraph runs many of them. Before a sandbox, a queue or a run is open there is nothing to give back: the signal
ends the process directly. Later, SIGTERM and a closed terminal end it as Ctrl-C does, so that a sandbox removes its
containers on the way out. Verbs that stop in better order (``author``, ``serve``) take the signals over.
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


@contextmanager
def told_to_end() -> Iterator[list[signal.Signals]]:
    """Within, SIGINT, SIGTERM and SIGHUP raise ``KeyboardInterrupt``; gives those that came, first one first.

    A signal that is ignored, as shells arrange it for what runs in the background, stays so.
    """
    came: list[signal.Signals] = []
    if threading.current_thread() is not threading.main_thread():
        yield came
        return

    def end(number: int, frame: object) -> None:
        came.append(signal.Signals(number))
        raise KeyboardInterrupt

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    taken = {number: was for number, was in before.items() if was in (signal.SIG_DFL, signal.default_int_handler)}
    for number in taken:
        signal.signal(number, end)
    try:
        yield came
    finally:
        for number, was in taken.items():
            signal.signal(number, was)


def _leave(number: int, frame: object) -> None:
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)
