"""`--foreign LIBRARY[:FOLDER…]` of evaluate, export and serve: another library's tasks, always in the sandbox."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from bootcamp_cli.foreign import library_and_roots
from bootcamp_cli.machine import sandbox_settings
from bootcamp_cli.output import say

if TYPE_CHECKING:
    from bootcamp_cli.settings_model import Settings
    from evaluation.foreign import ForeignLibrary

ForeignOption = Annotated[
    str | None,
    typer.Option(
        "--foreign", help="Tasks of another library: reasoning_gym[:FOLDER…], internbootcamp:FOLDER…, callable:FILE.py."
    ),
]
LicenceOption = Annotated[
    str, typer.Option("--foreign-licence", help="SPDX licence of the foreign tasks; unknown ones are not exported.")
]
UNKNOWN = "unknown"


@contextmanager
def open_foreign(settings: Settings, asked: str, licence: str = UNKNOWN) -> Iterator[ForeignLibrary]:
    """The library of ``LIBRARY[:FOLDER[:FOLDER]]`` in a sandbox of its own.

    Raises:
        UsageError: no such library or folder.
        MachineError: no engine.
    """
    from evaluation.foreign import open_library

    library, roots = library_and_roots(asked)
    with open_library(sandbox_settings(settings), library, roots, say, licence=licence) as found:
        yield found
