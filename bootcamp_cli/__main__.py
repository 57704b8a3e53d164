"""The way in: catches Ctrl-C while the command line itself is still being imported."""

from __future__ import annotations

import os
import sys


def run() -> None:
    """Entry point of the console script and of ``python -m bootcamp_cli``."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by the caller: ``>&-``
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
        else:
            stream.reconfigure(errors="backslashreplace")  # a file name or a title that the locale cannot write
    try:
        from bootcamp_cli.main import call

        sys.exit(call())
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    run()
