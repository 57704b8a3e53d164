"""The reference as a Python 3 program: as it came, without its template, or translated from Python 2 or C++."""

from __future__ import annotations

from dataclasses import dataclass

from authoring.compiler import cpp, python2
from authoring.compiler.outcome import Refused, Stage
from authoring.compiler.program_templates import without_templates
from authoring.compiler.python2_lexer import NotPython2
from bootcamp_kit.brief import Solution

_NO_TREE = (SyntaxError, ValueError, RecursionError, MemoryError)


@dataclass(frozen=True, slots=True)
class Reference:
    """A program to run.

    Attributes:
        code: Python 3.
        origin: What it was made from, in words; "" where it is the text as it came.
        rivals: Programs that must print the same on every input: every order of a dictionary turned round.
        other: The text read as the other language; where that runs, it must print the same.
        compiled: The text in C++ that ``code`` was translated from; compiled, it must print the same.
    """

    code: str
    origin: str = ""
    rivals: tuple[str, ...] = ()
    other: str = ""
    compiled: str = ""


def readings(solution: Solution) -> tuple[Reference, ...]:
    """The programs the text can be, the likelier first; the samples decide.

    Raises:
        Refused: another language, or Python 2 that has no translation.
    """
    if solution.language == "cpp":
        return (_from_cpp(solution.code),)
    if solution.language not in ("python3", "python2"):
        raise Refused(Stage.READ, f"the reference is written in {solution.language}; only Python and C++ are covered")
    code = solution.code.replace("\r\n", "\n").replace("\r", "\n")
    modern = _modern(code)
    if modern is None or solution.language == "python2" or python2.looks_like_python2(modern.code):
        return (_translated(code, modern),)
    if python2.looks_like_python3(modern.code):
        return (modern,)
    try:
        old = _translated(modern.code, modern)
    except Refused:
        return (modern,)
    if old.code == modern.code:
        return (modern,)
    return Reference(modern.code, modern.origin, other=old.code), old


def _from_cpp(code: str) -> Reference:
    try:
        made = cpp.translate(code)
    except cpp.NotCovered as error:
        raise Refused(Stage.SOLUTION, f"the reference is C++ and cannot be translated: it uses {error}") from error
    return Reference(made, "a program in C++, translated to Python", compiled=code)


def _modern(code: str) -> Reference | None:
    try:
        tidy = without_templates(code)
    except _NO_TREE:
        return None
    return Reference(tidy, "" if tidy == code else "the program without code that is never reached")


def _translated(code: str, modern: Reference | None) -> Reference:
    try:
        made = python2.translate(code)
    except NotPython2 as error:
        if modern is not None and not python2.looks_like_python2(modern.code):
            return modern
        raise Refused(Stage.SOLUTION, f"the reference is Python 2 and cannot be translated: {error}") from error
    rivals = (made.turned,) if made.turned else ()
    return Reference(made.code, "a program in Python 2, translated to Python 3", rivals)
