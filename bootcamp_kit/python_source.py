"""Reading Python text as a tree, without running it, from any thread."""

from __future__ import annotations

import ast
import threading
from typing import Literal, overload

TRIES = 20
_ONE_AT_A_TIME = threading.RLock()


@overload
def parse_python(source: str | bytes, *, filename: str = ..., mode: Literal["exec"] = ...) -> ast.Module: ...
@overload
def parse_python(source: str | bytes, *, filename: str = ..., mode: Literal["eval"]) -> ast.Expression: ...
def parse_python(
    source: str | bytes, *, filename: str = "<unknown>", mode: Literal["exec", "eval"] = "exec"
) -> ast.Module | ast.Expression:
    """``ast.parse``, safe to call from several threads.

    CPython 3.11 counts the depth of the tree it builds once per interpreter. When the collector runs a finalizer in
    the middle, another thread can start to parse, and the first then fails with ``SystemError: AST constructor
    recursion depth mismatch`` (python/cpython issue 106905) although its text is sound. So one parse runs at a
    time, and one that was disturbed by a library's own parsing is made again.

    Args:
        source: Python text; bytes are decoded as Python decodes a file.
        filename: Named in a syntax error.
        mode: ``exec`` for a module, ``eval`` for one expression.

    Raises:
        SyntaxError: not Python.
        ValueError: a NUL byte inside.
        RecursionError: nested too deeply.
        MemoryError: nested too deeply for the parser.
        SystemError: disturbed every time.
    """
    for _ in range(TRIES - 1):
        try:
            return _parse(source, filename, mode)
        except SystemError:
            continue
    return _parse(source, filename, mode)


def _parse(source: str | bytes, filename: str, mode: Literal["exec", "eval"]) -> ast.Module | ast.Expression:
    with _ONE_AT_A_TIME:
        if mode == "eval":
            return ast.parse(source, filename=filename, mode="eval")
        return ast.parse(source, filename=filename)
