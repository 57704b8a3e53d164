"""How every verb speaks: the result on stdout, talk on stderr, JSON on request, one exit code table.

Exit codes: 0 good · 1 ran and the answer is no · 2 usage · 3 machine or provider · 4 budget · 5 review rule ·
70 fault of this program · 130 interrupted · 143 and 129 ended by a signal.
"""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, cast

import typer
from typer.exceptions import TyperException

from bootcamp_cli.interrupts import told_to_end
from bootcamp_kit.errors import BootcampError, InternalError, MachineError, UsageError
from sandbox.escaping import UNSAFE, escaped

if TYPE_CHECKING:
    from rich.console import Console

JsonFlag = Annotated[bool, typer.Option("--json", help="Print the result as one JSON document.")]

NO = 1
MAX_SAID = 100_000
LONG_WORD = 40
"""Columns; a word that is longer may be cut by a table on a terminal."""


def stdout() -> Console:
    """Where results go; plain, unwrapped text when stdout is not a terminal."""
    return _console(stderr=False)


def stderr() -> Console:
    """Where progress, hints and errors go."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> Console:
    from rich.console import Console

    stream: Any = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() or "COLUMNS" in os.environ else 140
    if not stream.isatty():
        return Console(file=cast("IO[str]", _Stripped(stream)), highlight=False, emoji=False, width=width)
    return Console(stderr=stderr, highlight=False, emoji=False, width=width)


class _Stripped:
    """A stream that is not a terminal: lines lose the blanks that pad them to the width."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Rich writes whole lines at a time."""
        self._stream.write(re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def print_json(value: Any) -> None:
    """The result as JSON on stdout; what a terminal would obey is escaped, as JSON escapes it."""
    text = json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True)
    sys.stdout.write(UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n")


def say(text: str) -> None:
    """One line of talk on stderr, taken literally; what a terminal would obey is spelt out."""
    sys.stderr.write(spelt(text) + "\n")


def spelt(text: str) -> str:
    """Text that somebody else may have written, fit for a terminal."""
    return escaped(text, MAX_SAID)


def shown(text: str) -> str:
    """A task's own text for stdout: as it is for a program that reads it, spelt out for a terminal."""
    return spelt(text) if sys.stdout.isatty() else text


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table on stdout; cells are taken literally. Off a terminal: tab-divided lines under a header."""
    rows = [[spelt(cell) for cell in row] for row in rows]
    if not sys.stdout.isatty():
        for row in [columns, *rows]:
            sys.stdout.write("\t".join(cell.replace("\t", " ").replace("\n", " ") for cell in row) + "\n")
        return
    from rich.markup import escape
    from rich.table import Table

    console = stdout()
    room = console.width - _least(columns, rows)
    if room < len(columns):
        _print_records(console, spelt(title), columns, rows)
        return
    drawn = Table(title=escape(spelt(title)), title_justify="left", header_style="bold")
    if room < 3 * len(columns) + 1:
        drawn.box, drawn.padding = None, (0, 1, 0, 0)
    for column in columns:
        drawn.add_column(column, overflow="fold")
    for row in rows:
        drawn.add_row(*(escape(cell) for cell in row))
    console.print(drawn)


def _least(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
    """How wide the columns of a table are that leaves every word whole, but for very long ones."""
    from rich.cells import cell_len

    words = [
        max((cell_len(word) for cell in cells for word in cell.split()), default=0)
        for cells in zip(columns, *rows, strict=True)
    ]
    return sum(min(word, LONG_WORD) for word in words)


def _print_records(console: Console, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A block for each row, a line for each cell that is not empty: for more columns than a terminal is wide."""
    from rich.table import Table
    from rich.text import Text

    if title:
        console.print(Text(title, style="italic"))
    for row in rows:
        block = Table.grid(padding=(0, 2))
        block.add_column(min_width=max(map(len, columns)))
        block.add_column(overflow="fold")
        for column, cell in zip(columns, row, strict=True):
            if cell:
                block.add_row(Text(column, style="bold"), Text(cell))
        console.print(block)
        console.print()


def guarded(program: Callable[[], Any]) -> int:
    """Run the command line and turn what it raises into a message and an exit code."""
    came: list[signal.Signals] = []
    try:
        with told_to_end() as came:
            code = program()
        sys.stdout.flush()
    except BootcampError as error:
        return _fail(error)
    except (KeyboardInterrupt, typer.Abort):
        return _ended(came)
    except TyperException as error:
        return _bad_call(error)
    except BrokenPipeError:
        return _reader_gone()
    except SystemExit as stop:  # the parser's own way to end on a closed pipe
        if isinstance(stop.__context__, BrokenPipeError):
            return _reader_gone()
        raise
    except FileNotFoundError as error:
        return _fail(_missing(error))
    except OSError as error:
        what = "no space is left on the disk" if error.errno == errno.ENOSPC else str(error)
        return _fail(MachineError("reading or writing files", what, "mend it and run the same command again"))
    except Exception as error:
        if os.environ.get("BOOTCAMP_DEBUG"):
            raise
        return _fail(
            InternalError(
                "running this command",
                f"{type(error).__name__}: {error}",
                "this is a fault of bootcamp: run again with BOOTCAMP_DEBUG=1 for the traceback and report it",
            )
        )
    if came:  # the parser turns the exception into a number
        return _ended(came)
    return code if isinstance(code, int) else 0


def _ended(came: Sequence[signal.Signals]) -> int:
    number = came[0] if came else signal.SIGINT
    say("interrupted" if number is signal.SIGINT else f"ended by {number.name}")
    return 128 + number


def _missing(error: FileNotFoundError) -> BootcampError:
    """A file that was expected; most often somebody removed the folder that the command was started in."""
    try:
        Path.cwd()
    except FileNotFoundError:
        return MachineError("the current folder", "it was removed", "change to a folder that exists and run it again")
    return MachineError("reading or writing files", str(error), "mend it and run the same command again")


def _reader_gone() -> int:
    """Whoever read our output has had enough, as ``head`` does: nothing is wrong."""
    _discard(1, 2)
    return 0


def _discard(*streams: int) -> None:
    """What is left in their buffers goes nowhere, so that the interpreter does not fail on it at its end."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    for fd in streams:
        os.dup2(nothing, fd)
    os.close(nothing)


def _bad_call(error: Exception) -> int:
    """The parser's way to say that a call is not of the right form; naming no verb at all is asking for help."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "bootcamp"
    text = str(getattr(error, "format_message", error.__str__)())
    if type(error).__name__ == "NoArgsIsHelpError":
        say(text)
        return UsageError.exit_code
    return _fail(UsageError(path, text, f"see `{path} --help`"))


def _fail(error: BootcampError) -> int:
    """Say it on stderr; with ``--json`` the one document on stdout is the error."""
    if "--json" in sys.argv:
        words = {"asked": error.asked, "found": error.found, "do": error.do}
        try:
            print_json({"error": {**words, "exit_code": error.exit_code}})
            sys.stdout.flush()
        except OSError:  # stdout is what failed: a full disk; stderr is left
            _discard(1)
    return tell_error(error)


def tell_error(error: BootcampError) -> int:
    """Asked, found and do on stderr; returns the exit code. For a verb that has printed its result already."""
    from rich.markup import escape

    console = stderr()
    console.print(f"[bold red]error[/] {escape(spelt(error.asked))}: {escape(spelt(error.found))}", soft_wrap=True)
    if error.do:
        console.print(f"  → {escape(spelt(error.do))}", soft_wrap=True)
    return error.exit_code
