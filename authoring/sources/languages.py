"""Which language a program is written in, from its text alone: nothing is compiled or run."""

from __future__ import annotations

import re
import warnings

from bootcamp_kit.python_source import parse_python

UNKNOWN = "unknown"
MAX_PARSED = 200_000
_CPP = re.compile(r"^[ \t]*#\s*include\b|\busing\s+namespace\b|\bstd::|\bint\s+main\s*\(", re.MULTILINE)
_JAVA = re.compile(r"\bpublic\s+(?:final\s+)?class\b|^[ \t]*import\s+java\.", re.MULTILINE)
_PYTHON = re.compile(
    r"^[ \t]*(?:import|from|def|for|if|while|print|class)\b|\b(?:raw_input|input|xrange)\s*\(", re.MULTILINE
)
_ONLY_PYTHON_2 = re.compile(
    r"(?<![\w.])(?:raw_input|xrange|unicode|unichr|basestring|execfile|reduce|cmp|long|file)\s*\("
    r"|\.(?:has_key|iteritems|itervalues|iterkeys)\s*\(|\bsys\.maxint\b|\b(?:izip|imap|ifilter)\b"
    r"|\bstring\.(?:maketrans|letters|lowercase|uppercase|join|atoi)\b|^[ \t]*print\s*>>",
    re.MULTILINE,
)
_DEFINED = re.compile(r"^[ \t]*(?:def\s+(\w+)|(\w+)\s*=[^=]|from\s+\w+\s+import\s+(.+))", re.MULTILINE)


def detect(code: str) -> str:
    """``python3``, ``python2``, ``cpp``, ``java`` or ``unknown``.

    A program that parses as Python 3 is Python 2 when it calls what only Python 2 has and does not define it itself.
    """
    if _is_python3(code):
        return "python2" if _calls_python2(code) else "python3"
    if _CPP.search(code):
        return "cpp"
    if _JAVA.search(code):
        return "java"
    return "python2" if _PYTHON.search(code) else UNKNOWN


def _is_python3(code: str) -> bool:
    if len(code) > MAX_PARSED:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a compiler warns of says nothing about the language
            parse_python(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError, SystemError):
        return False
    return True


def _calls_python2(code: str) -> bool:
    own = {word for names in _DEFINED.findall(code) for name in names for word in re.findall(r"\w+", name)}
    calls = {found[0].strip().rstrip("(").strip() for found in _ONLY_PYTHON_2.finditer(_without_text(code))}
    return any(call not in own for call in calls)


def _without_text(code: str) -> str:
    """The code without comments and one-line strings, which may speak of anything."""
    return re.sub(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|#[^\n]*", "", code)
