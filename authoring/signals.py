"""Ctrl-C and SIGTERM: the first ends the run in good order, the second at once."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def signals_to(first: Callable[[str], None], second: Callable[[], None]) -> Iterator[None]:
    """Within, signals call ``first`` with the signal's name, then ``second``. Main thread only.

    The handlers in place before come back at the end.
    """
    loop = asyncio.get_running_loop()
    seen: list[str] = []

    def caught(name: str) -> None:
        seen.append(name)
        if len(seen) == 1:
            first(name)
        else:
            second()

    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number in SIGNALS:
        loop.add_signal_handler(number, caught, number.name)
    try:
        yield
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)
