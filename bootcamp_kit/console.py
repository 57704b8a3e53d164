"""Standard streams in memory, for a contest program that was rewritten as a function of its console.

Where ``stdio_program`` runs a program's text, this calls a function: nothing is compiled, ``sys`` is not touched, and
two calls share nothing. The console has the parts of ``sys`` such programs use.
"""

from __future__ import annotations

import gc
import io
import sys
from collections.abc import Callable
from typing import NoReturn, TextIO

from bootcamp_kit.stdio_program import _Capped


class Console:
    """What a program sees of ``sys``: the three streams (text and ``.buffer``), ``exit`` and a few more."""

    maxsize = sys.maxsize

    def __init__(self, stdin: str, *, max_output: int = 1 << 20) -> None:
        self._printed = _Capped(max_output)
        self.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
        self.stdout = io.TextIOWrapper(self._printed, encoding="utf-8", write_through=True)
        self.stderr = io.TextIOWrapper(_Capped(max_output), encoding="utf-8", write_through=True)

    def read_line(self, prompt: object = "") -> str:
        """``input()``.

        Raises:
            EOFError: nothing is left.
        """
        self.stdout.write(str(prompt))
        line = self.stdin.readline()
        if not line:
            raise EOFError("EOF when reading a line")
        return line.removesuffix("\n")

    def write_line(
        self,
        *values: object,
        sep: str | None = " ",
        end: str | None = "\n",
        file: TextIO | None = None,
        flush: bool = False,
    ) -> None:
        """``print(…)``."""
        print(*values, sep=sep, end=end, file=file or self.stdout, flush=flush)

    def exit(self, status: object = None) -> NoReturn:
        """``sys.exit(…)``: ends the program, as ``run`` understands it."""
        raise SystemExit(status)

    def setrecursionlimit(self, limit: int) -> None:
        """Nothing: the limit belongs to the process, not to one call."""

    def printed(self) -> str:
        """All that was printed on ``stdout``."""
        self.stdout.flush()
        return self._printed.getvalue().decode("utf-8", "strict")


def run(program: Callable[[Console], None], stdin: str, *, max_output: int = 1 << 20) -> str:
    """Call ``program`` with a console that holds ``stdin`` and return what it printed.

    Raises:
        stdio_program.OutputTooLong: past ``max_output`` bytes.
        SystemExit: with a status that is neither 0 nor None.
        Exception: whatever the program raises.
    """
    console = Console(stdin, max_output=max_output)
    try:
        program(console)
    except SystemExit as stop:
        if stop.code not in (0, None):
            raise
    finally:
        gc.collect(1)  # functions inside the program hold each other, and with them its lists
    return console.printed()
