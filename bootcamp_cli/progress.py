"""Progress on stderr: a spinner on a terminal that can move; a plain line now and then elsewhere."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

EVERY_S = 15.0
"""Seconds of silence before a plain line: what is quick says nothing where nobody may be looking."""


@contextmanager
def spinner(what: str) -> Iterator[Callable[[str], None]]:
    """Show ``what`` and, behind it, the last thing told to the function that is yielded."""
    if not sys.stderr.isatty() or os.environ.get("TERM", "") in ("", "dumb", "unknown"):
        yield _Plain(what)
        return
    from rich.markup import escape

    from bootcamp_cli.output import stderr

    with stderr().status(escape(what)) as status:
        yield lambda text: status.update(f"{escape(what)}: {escape(text)}")


class _Plain:
    """Says what it is told, unless it has just spoken."""

    def __init__(self, what: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._what, self._clock = what, clock
        self._last = clock()

    def __call__(self, text: str) -> None:
        from bootcamp_cli.output import say

        if self._clock() - self._last >= EVERY_S:
            self._last = self._clock()
            say(f"{self._what}: {text} …")
