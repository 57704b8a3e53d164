"""Runs *inside* the sandbox: one program from text to text, with standard input and output in memory."""

from __future__ import annotations

import atexit
import builtins
import ctypes
import faulthandler
import fractions
import functools
import io
import math
import os
import resource
import signal
import string
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

MAX_OUTPUT, AGAIN_S = 100_000, 0.25
GRACE_S, WAIT_S, CALL_S = 1.0, 20.0, 1.5
"""Work past its allowance, and seconds of a clock for each second of work, that end a process; work of a compiled call
that ends it."""


class TooSlow(BaseException):
    """A program's time is over; no ``except Exception`` of it may swallow this."""


class TooLong(Exception):
    """A program prints more than is looked at."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raises ``TooSlow`` inside once so much work is done, and again where it is swallowed; clocks do not count."""

    def over(*_: Any) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextmanager
def ended_after(seconds: float) -> Iterator[None]:
    """Lets the kernel end this process once so much work is done, or long waited: code of C hears no handler.

    What Python was doing then is written to the standard error first.
    """
    faulthandler.enable(file=2, all_threads=False)
    faulthandler.register(signal.SIGPROF, file=2, all_threads=False, chain=True)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    faulthandler.register(signal.SIGALRM, file=2, all_threads=False, chain=True)
    signal.setitimer(signal.ITIMER_PROF, seconds + GRACE_S)
    signal.setitimer(signal.ITIMER_REAL, WAIT_S * (seconds + GRACE_S))
    before = _last_end(seconds + GRACE_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        resource.setrlimit(resource.RLIMIT_CPU, before)


def _last_end(seconds: float) -> tuple[int, int]:
    """The kernel's own limit, a little later, for code that spoilt the handler of the other; returns what it was."""
    before = resource.getrlimit(resource.RLIMIT_CPU)
    end = math.ceil(time.process_time() + seconds + GRACE_S)
    resource.setrlimit(resource.RLIMIT_CPU, (end if before[1] < 0 else min(end, before[1]), before[1]))
    return before


@contextmanager
def _tightly() -> Iterator[None]:
    """The same for one call of compiled code, which keeps its own time as far as it can."""
    begun, clock = time.process_time(), time.monotonic()
    work, wait = signal.setitimer(signal.ITIMER_PROF, CALL_S)[0], signal.setitimer(signal.ITIMER_REAL, WAIT_S)[0]
    before = _last_end(CALL_S)
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, before)
        spent, waited = time.process_time() - begun, time.monotonic() - clock
        signal.setitimer(signal.ITIMER_PROF, max(0.01, work - spent) if work else 0)
        signal.setitimer(signal.ITIMER_REAL, max(0.01, wait - waited) if wait else 0)


def last_words(number: int) -> None:
    """The same, said beforehand: a process whose memory is spoilt has no last words."""
    os.write(2, b" in asked_%d\n" % number)


def named(number: int, function: Callable[..., Any]) -> Callable[[], Any]:
    """A call that a dying process's last words name, so that the host knows which of many it died in."""

    def asked() -> Any:
        return function()

    asked.__code__ = asked.__code__.replace(co_name=f"asked_{number}", co_qualname=f"asked_{number}")
    return asked


def run(program: Callable[[str], str], text: str, seconds: float) -> str:
    """What a program prints for one input."""
    with limited(seconds):
        told = program(text)
        if len(told) >= MAX_OUTPUT:
            raise TooLong
        return told


def _divide(one: Any, other: Any) -> Any:
    return one // other if isinstance(one, int) and isinstance(other, int) else one / other


class _Bytes(io.StringIO):
    """Takes and gives text where a Python 2 program means bytes."""

    def __new__(cls, *_: Any, **__: Any) -> Any:
        made = super().__new__(cls)
        io.StringIO.__init__(made)  # some programs' own classes on top of this never do
        return made

    def __init__(self, first: Any = "") -> None:
        super().__init__(first.decode("latin-1") if isinstance(first, bytes) else first)

    mode = "r+"

    def fileno(self) -> int:
        """Any: reading and writing by number are replaced too."""
        return 0

    def close(self) -> None:
        """Not: what was written is read afterwards."""

    def write(self, text: Any) -> int:
        return super().write(text.decode("latin-1") if isinstance(text, bytes) else str(text))


class _Thread:
    """Runs its target at once."""

    def __init__(self, group: Any = None, target: Any = None, name: Any = None, args: Any = (), **rest: Any) -> None:
        self._target, self._args = target, args

    def start(self) -> None:
        self._target(*self._args)

    def join(self, *_: Any) -> None:
        return


class _Size:
    """What ``os.fstat`` tells of the input: a size that no reader needs."""

    st_size = 1 << 20


_SIZE = _Size()


def python_2(ready: Any, text: str) -> str:
    """A program for which text and bytes are the same, as they were in Python 2."""
    given, told = _Bytes(text), _Bytes()
    last: list[Any] = []
    vars(given)["buffer"], vars(told)["buffer"], vars(told)["mode"] = io.BytesIO(text.encode()), told, "w"

    def line(*_: Any) -> str:
        found = given.readline()
        if not found:
            raise EOFError
        return found.rstrip("\n")

    replaced: list[tuple[Any, str, Any]] = [
        *_around(last), (sys, "stdin", given), (sys, "stdout", told), (sys, "maxint", sys.maxsize),
        (sys, "__stdin__", given), (sys, "__stdout__", told),
        (sys, "subversion", ("CPython", "", "")), (builtins, "input", line), (builtins, "open", _no_file(given)),
        (os, "read", lambda fd, size: given.read()), (os, "write", lambda fd, data: told.write(data)),
        (os, "fdopen", lambda fd, *rest: told if fd == 1 else given), (io, "BytesIO", _Bytes),
        (string, "lowercase", string.ascii_lowercase), (string, "uppercase", string.ascii_uppercase),
        (string, "letters", string.ascii_letters), (string, "maketrans", str.maketrans),
        (string, "join", lambda parts, by=" ": by.join(parts)),
    ]  # fmt: skip
    shown = _executed(ready, replaced, last, line)
    if shown is not told and isinstance(shown, io.StringIO) and not told.getvalue():
        return shown.getvalue()
    return told.getvalue()


def python_3(ready: Any, text: str) -> str:
    """A program that may read bytes by number, or from the buffer below the text."""
    given, told = _Numbered(text.encode()), _Numbered()
    last: list[Any] = []
    told.number = 1
    stdin, stdout = _Text(given, "utf-8"), _Text(told, "utf-8", newline="", write_through=True)
    vars(stdin)["mode"], vars(stdout)["mode"] = "r", "w"

    def line(*_: Any) -> str:
        found = sys.stdin.readline()
        if not found:
            raise EOFError
        return (found.decode() if isinstance(found, bytes) else found).rstrip("\n")

    replaced: list[tuple[Any, str, Any]] = [
        *_around(last), (sys, "stdin", stdin), (sys, "stdout", stdout), (builtins, "input", line),
        (sys, "__stdin__", stdin), (sys, "__stdout__", stdout),
        (builtins, "open", _no_file(stdin)), (os, "read", lambda fd, size: given.read(size)),
        (os, "write", lambda fd, data: told.write(data)),
        (os, "fdopen", lambda fd, *rest: stdout if fd == 1 else stdin),
    ]  # fmt: skip
    _executed(ready, replaced, last, line)
    return told.getvalue().decode("utf-8", "replace")


class _Text(io.TextIOWrapper):
    """Text over bytes in memory that no program closes."""

    def close(self) -> None:
        self.flush()


class _Numbered(io.BytesIO):
    """Bytes in memory that say they are the standard input or output."""

    number = 0

    def fileno(self) -> int:
        """Which of the two."""
        return self.number


def _around(last: list[Any]) -> list[tuple[Any, str, Any]]:
    return [
        (sys, "argv", [""]), (sys, "setrecursionlimit", lambda limit: None), (os, "fstat", lambda fd: _SIZE),
        (atexit, "register", lambda function, *args: last.append((function, args))),
        (threading, "Thread", _Thread), (threading, "stack_size", lambda *_: 0), (fractions, "gcd", math.gcd),
    ]  # fmt: skip


def _executed(ready: Any, replaced: list[tuple[Any, str, Any]], last: list[Any], line: Callable[..., str]) -> Any:
    """Run it; what its standard output was in the end, flushed."""
    scope = {
        "__name__": "__main__", "__divide__": _divide,
        "__key__": functools.cmp_to_key, "exit": sys.exit, "quit": sys.exit, "unicode": str, "long": int,
        "cmp": lambda a, b: (a > b) - (a < b), "xrange": range, "raw_input": line, "reduce": functools.reduce,
    }  # fmt: skip
    with _in_place(replaced):
        with suppress(SystemExit):
            exec(ready, scope)  # noqa: S102 - inside the sandbox
        for function, args in reversed(last):
            function(*args)
        shown = sys.stdout
        with suppress(AttributeError, TypeError):  # whatever the program put in its place
            shown.flush()
    return shown


def _no_file(given: Any) -> Callable[..., Any]:
    def open_(path: Any, *_: Any, **__: Any) -> Any:
        if path in (0, "/dev/stdin"):
            return given
        raise FileNotFoundError(path)

    return open_


@contextmanager
def _in_place(replaced: list[tuple[Any, str, Any]]) -> Iterator[None]:
    absent = object()
    before = [(place, name, getattr(place, name, absent)) for place, name, _ in replaced]
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    for place, name, value in replaced:
        setattr(place, name, value)
    try:
        yield
    finally:
        for place, name, value in before:
            delattr(place, name) if value is absent else setattr(place, name, value)
        sys.setrecursionlimit(limit)


def compiled(path: str, text: str) -> str:
    """A C++ program that was compiled to a library with one entry point; loaded anew, so that its globals are new."""
    for needed in ("libstdc++.so.6", "libgcc_s.so.1", "libm.so.6"):
        ctypes.CDLL(needed, mode=ctypes.RTLD_GLOBAL)
    library = ctypes.CDLL(path)
    try:
        room = ctypes.create_string_buffer(MAX_OUTPUT)
        data = text.encode()
        with _tightly():
            size = library.bootcamp_reference(data, len(data), room, MAX_OUTPUT)
        return room.raw[: max(0, size)].decode("utf-8", "replace")
    finally:
        handle = ctypes.c_void_p(library._handle)
        ctypes.CDLL(None).dlclose(handle)
