"""The way in: catches Ctrl-C while the command line itself is still being imported."""

from __future__ import annotations

import sys


def run() -> None:
    """Entry point of the console script and of ``python -m bootcamp_cli``."""
    try:
        from bootcamp_cli.main import call

        sys.exit(call())
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(130)


if __name__ == "__main__":
    run()
