"""Progress on stderr: a spinner on a terminal, silence when piped."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def spinner(what: str) -> Iterator[Callable[[str], None]]:
    """Show ``what`` and, behind it, the last thing told to the function that is yielded."""
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    from rich.markup import escape

    from bootcamp_cli.output import stderr

    with stderr().status(escape(what)) as status:
        yield lambda text: status.update(f"{escape(what)}: {escape(text)}")
