"""Runs *inside* the sandbox: the reference code that a task's docstring quotes, as a program from text to text.

Which reading of the code is meant (Python 2 or 3, quoted with or without escapes) is decided by the statement's own
examples: the reading that gives most of them right is taken.
"""

from __future__ import annotations

import ast
import atexit
import builtins
import ctypes
import fractions
import functools
import io
import math
import os
import re
import signal
import string
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from bootcamp_kit.python_source import parse_python

MAX_OUTPUT = 100_000
COMPILED = Path("/opt/foreign/.reference")
_CODE = re.compile(r"reference code.*?\n```[\w+]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_EXAMPLE = re.compile(
    r"\n\s*Input\s*\n(.*?)\n\s*Output\s*\n(.*?)(?=\n\s*Input\s*\n|\n\s*Note\b|\nHere is|\Z)", re.DOTALL
)
_NOT_FOR_PYTHON_2 = ("lib2to3.fixes.fix_input", "lib2to3.fixes.fix_future")


class TooSlow(BaseException):
    """A program's time is over; no ``except Exception`` of it may swallow this."""


class TooLong(Exception):
    """A program prints more than is looked at."""


class Reference:
    """One task's reference program."""

    def __init__(self, source: str, document: str, name: str) -> None:
        self.program: Callable[[str], str] | None = None
        self.language, self.examples, self.right, self.ran = "", 0, 0, 0
        texts = [source.replace('\\"', '"'), document]
        examples = [pair for text in texts[1:] for pair in _examples(text)]
        self.pairs, self.examples = examples, len(examples)
        for program, language in _readings(texts, name):
            right = ran = 0
            for given, expected in examples[:4]:
                try:
                    told = run(program, given, 1.0)
                except BaseException:  # noqa: BLE001 - whatever that reading raises: it is not what is meant
                    continue
                ran += bool(told.strip())
                right += same(told, expected)
            if self.program is None or (right, ran) > (self.right, self.ran):
                self.program, self.language, self.right, self.ran = program, language, right, ran
            if right and right == min(4, len(examples)):
                break


def run(program: Callable[[str], str], text: str, seconds: float) -> str:
    """What a program prints for one input."""

    def over(*_: Any) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, over)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)  # of its own work, whatever else the machine does
    try:
        told = program(text)
        if len(told) >= MAX_OUTPUT:
            raise TooLong
        return told
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def same(one: str, other: str) -> bool:
    """Whether two outputs say the same, number by number."""
    first, second = one.split(), other.split()
    return len(first) == len(second) and all(_near(a, b) for a, b in zip(first, second, strict=True))


def _near(one: str, other: str) -> bool:
    if one == other:
        return True
    try:
        return math.isclose(float(one), float(other), rel_tol=1e-6, abs_tol=1e-6)
    except ValueError:
        return one.casefold() == other.casefold()


def _examples(document: str) -> list[tuple[str, str]]:
    start = max(document.find("\nExamples"), document.find("\nExample\n"))
    if start < 0:
        return []
    part = document[start:]
    return [(given.strip("\n") + "\n", told.strip()) for given, told in _EXAMPLE.findall(part)]


def _readings(texts: list[str], name: str) -> Iterator[tuple[Callable[[str], str], str]]:
    codes = list(dict.fromkeys(found.group(1) for text in texts for found in [_CODE.search(text)] if found))
    if codes and "#include" in codes[0]:
        library = COMPILED / f"{name.replace('/', '.')}.so"
        if library.exists():
            yield functools.partial(_run_library, str(library)), "C++"
        return
    for code in codes:
        for fixed, whole in ((None, False), (True, True), (False, True)):
            try:
                text = code if fixed is None else _from_python_2(code, with_input=fixed)
                tree = parse_python(text)
                if whole and "import division" not in code:
                    tree = ast.fix_missing_locations(_AsPython2().visit(tree))
                ready = builtins.compile(tree, "<reference>", "exec")
            except Exception:  # noqa: BLE001 - not this language
                continue
            yield functools.partial(_run_python, ready), "Python 2" if whole else "Python 3"


def _from_python_2(code: str, *, with_input: bool) -> str:
    from lib2to3 import refactor

    fixers = [
        name for name in refactor.get_fixers_from_package("lib2to3.fixes")
        if name not in _NOT_FOR_PYTHON_2 or (with_input and name.endswith("input"))
    ]  # fmt: skip
    return str(refactor.RefactoringTool(fixers, {"print_function": "import print_function" in code}).refactor_string(
        code.expandtabs(8) + "\n", "reference"
    ))  # fmt: skip


class _AsPython2(ast.NodeTransformer):
    """``a / b`` of whole numbers rounds down; functions that compare are taken by ``sort``."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        return ast.Call(ast.Name("__divide__", ast.Load()), [node.left, node.right], [])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Comparing functions of ``sort`` and ``sorted`` become keys."""
        self.generic_visit(node)
        sort = isinstance(node.func, ast.Attribute) and node.func.attr == "sort" and len(node.args) == 1
        sorts = isinstance(node.func, ast.Name) and node.func.id == "sorted" and len(node.args) == 2
        compare = [node.args.pop()] if sort or sorts else []
        compare += [item.value for item in node.keywords if item.arg == "cmp"]
        if compare:
            key = ast.Call(ast.Name("__key__", ast.Load()), compare[:1], [])
            node.keywords = [*(item for item in node.keywords if item.arg != "cmp"), ast.keyword("key", key)]
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div) or not isinstance(node.target, ast.Name):
            return node
        left = ast.Name(node.target.id, ast.Load())
        return ast.Assign([node.target], ast.Call(ast.Name("__divide__", ast.Load()), [left, node.value], []))


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


def _run_python(ready: Any, text: str) -> str:
    given, told, last = _Bytes(text), _Bytes(), []
    vars(given)["buffer"], vars(told)["buffer"] = io.BytesIO(text.encode()), told

    def line(*_: Any) -> str:
        found = given.readline()
        if not found:
            raise EOFError
        return found.rstrip("\n")

    replaced: list[tuple[Any, str, Any]] = [
        (sys, "stdin", given), (sys, "stdout", told), (sys, "maxint", sys.maxsize), (sys, "argv", [""]),
        (sys, "setrecursionlimit", lambda limit: None), (builtins, "input", line), (builtins, "open", _no_file(given)),
        (os, "read", lambda fd, size: given.read()), (os, "fstat", lambda fd: _SIZE),
        (os, "write", lambda fd, data: told.write(data)), (io, "BytesIO", _Bytes),
        (atexit, "register", lambda function, *args: last.append((function, args))),
        (fractions, "gcd", math.gcd), (threading, "Thread", _Thread), (threading, "stack_size", lambda *_: 0),
        (string, "lowercase", string.ascii_lowercase), (string, "uppercase", string.ascii_uppercase),
        (string, "letters", string.ascii_letters), (string, "maketrans", str.maketrans),
        (string, "join", lambda parts, by=" ": by.join(parts)),
    ]  # fmt: skip
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
    if shown is not told and isinstance(shown, io.StringIO) and not told.getvalue():
        return shown.getvalue()
    return told.getvalue()


def _no_file(given: io.StringIO) -> Callable[..., Any]:
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


def _run_library(path: str, text: str) -> str:
    """A C++ program that was compiled to a library with one entry point; loaded anew, so that its globals are new."""
    for needed in ("libstdc++.so.6", "libgcc_s.so.1", "libm.so.6"):
        ctypes.CDLL(needed, mode=ctypes.RTLD_GLOBAL)
    library = ctypes.CDLL(path)
    try:
        room = ctypes.create_string_buffer(MAX_OUTPUT)
        data = text.encode()
        size = library.bootcamp_reference(data, len(data), room, MAX_OUTPUT)
        return room.raw[: max(0, size)].decode("utf-8", "replace")
    finally:
        handle = ctypes.c_void_p(library._handle)
        ctypes.CDLL(None).dlclose(handle)
