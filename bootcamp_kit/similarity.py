"""How alike two tasks are: their code after renaming, their statements as words. Pure, deterministic, nothing is run.

Both measures are a weighted Jaccard index of short runs (of syntax nodes, of words): 1.0 for the same, 0.0 for nothing
in common. :class:`Shape` is what is compared; make it once per text when one is held against many::

    mine = code_shape(folder.sources)
    nearest = max(others, key=lambda other: likeness(mine, other))

What is covered: renamed variables and functions, changed constants, comments, docstrings, layout, the order of files.
What is not: the same idea written anew. Code that a generator stamps on each task makes all of them alike; take it off
with ``code_shape(sources).without(code_shape(stamped))``, or compare only the files that differ by design.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from zlib import crc32

from bootcamp_kit.python_source import parse_python

NODE_RUN, WORD_RUN = 5, 2
MAX_FILE_BYTES = 200_000
"""A larger file is compared by its first bytes, as words."""
MAX_TOKENS = 40_000
MAX_TEXT_CHARS = 100_000
_BUILTINS = frozenset(dir(builtins))
_WORD = re.compile(r"[^\W\d_]+|\d+")
_IGNORED_FIELDS = frozenset({"ctx", "type_comment", "kind", "annotation", "returns", "type_ignores", "level"})
_COMMON_WORDS = (
    "a an and are as at be by each for from has have if in is it its no not of on one or that the their there they this"
    " to two was were which will with you your can may must than then all any given print output input line lines"
    " integer integers number numbers contains first second third single answer problem find"
)
_COMMON = frozenset(_WORD.findall(_COMMON_WORDS))


@dataclass(frozen=True, slots=True)
class Shape:
    """What is compared: how often each run occurs, by a hash that is the same in every process."""

    runs: Mapping[int, int]

    def without(self, other: Shape) -> Shape:
        """This shape with the runs of another taken off, as often as they occur there."""
        left = {run: count - other.runs.get(run, 0) for run, count in self.runs.items()}
        return Shape({run: count for run, count in left.items() if count > 0})


def code_similarity(first: Mapping[str, bytes], second: Mapping[str, bytes]) -> float:
    """How alike two sets of Python files are (path → source); other files are left out."""
    return likeness(code_shape(first), code_shape(second))


def statement_similarity(first: str, second: str) -> float:
    """How alike two texts are: words and pairs of words, without numbers' values and the commonest words."""
    return likeness(text_shape(first), text_shape(second))


def likeness(first: Shape, second: Shape) -> float:
    """Weighted Jaccard index of two shapes, 0..1; two empty shapes have nothing in common."""
    small, large = sorted((first.runs, second.runs), key=len)
    shared = sum(min(count, large.get(run, 0)) for run, count in small.items())
    total = sum(first.runs.values()) + sum(second.runs.values()) - shared
    return shared / total if total else 0.0


def code_shape(sources: Mapping[str, bytes]) -> Shape:
    """The shape of the ``.py`` files among these; a file that is not Python is taken as words."""
    runs: Counter[int] = Counter()
    for path in sorted(sources):
        if path.endswith(".py"):
            runs.update(_runs(_tokens(sources[path]), NODE_RUN))
    return Shape(dict(runs))


def text_shape(text: str) -> Shape:
    """The shape of a statement: its first ``MAX_TEXT_CHARS`` characters."""
    words = [word for word in _words(text) if word not in _COMMON]
    return Shape(dict(Counter([*_runs(words, 1), *_runs(words, WORD_RUN)])))


def _runs(tokens: Iterable[str], length: int) -> list[int]:
    kept = list(tokens)[:MAX_TOKENS]
    if not kept:
        return []
    ends = range(max(1, len(kept) - length + 1))
    return [crc32(" ".join(kept[start : start + length]).encode("utf-8", "replace")) for start in ends]


def _words(text: str) -> list[str]:
    found = _WORD.findall(text[:MAX_TEXT_CHARS].casefold())
    return ["#" if word[0].isdecimal() else word for word in found]


def _tokens(source: bytes) -> list[str]:
    if len(source) <= MAX_FILE_BYTES:
        try:
            return list(_nodes(parse_python(source)))
        except (SyntaxError, ValueError, RecursionError, MemoryError, SystemError):
            pass
    return _words(source[:MAX_FILE_BYTES].decode("utf-8", "replace"))


def _nodes(tree: ast.Module) -> Iterator[str]:
    """Node kinds in reading order. Names of the author's own become ``_``; attributes and built-ins keep theirs."""
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        yield _word_of(node)
        children: list[ast.AST] = []
        for name, value in ast.iter_fields(node):
            if name in _IGNORED_FIELDS:
                continue
            parts = value if isinstance(value, list) else [value]
            children.extend(part for part in parts if isinstance(part, ast.AST) and not _is_remark(part))
        pending.extend(reversed(children))


def _word_of(node: ast.AST) -> str:
    kind = type(node).__name__
    if isinstance(node, ast.Name):
        return node.id if node.id in _BUILTINS else "_"
    if isinstance(node, ast.Attribute):
        return f".{node.attr}"
    if isinstance(node, ast.Constant):
        return type(node.value).__name__
    if isinstance(node, ast.ImportFrom):
        return f"from {node.module}"
    return kind


def _is_remark(node: ast.AST) -> bool:
    """A docstring, or any other text that stands alone."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
