"""The way in. Ctrl-C while the program is still being imported ends it at once: there is nothing to clean up yet."""

from __future__ import annotations

import os
import sys

from bootcamp_cli.interrupts import leaving_at_once


def run() -> None:
    """Entry point of the console script and of ``python -m bootcamp_cli``."""
    with leaving_at_once():
        _repair_streams()
        from bootcamp_cli.main import call
    sys.exit(call())


def _repair_streams() -> None:
    """A stream that the caller closed swallows what is written; what a locale cannot write is spelt out."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the caller: ``>&-``
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
        else:
            stream.reconfigure(errors="backslashreplace")  # a file name or a title that the locale cannot write


if __name__ == "__main__":
    run()
