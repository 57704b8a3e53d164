"""Faults that published verifiers were found with, as small changes of how a task compares and reads answers.

Each is what a careless author could have written in that place: the order is not looked at, nor repeats, nor what
follows the right list; a prefix is enough, or the last word of several; the sign is dropped; one off is near enough.
They stand beside the changes of the mutation test (``sandbox/audit/operators.py``), which know operators and not
intent. Whether one of them is a fault of this task, the gate tells.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.python_source import parse_python
from sandbox.audit.operators import Edit, defined
from sandbox.audit.reach import judging_functions

COMPARED = {
    "the order is not checked": "sorted({left}) == sorted({right})",
    "neither order nor repeats are checked": "set({left}) == set({right})",
    "what follows the right list is not looked at": "{left}[: len({right})] == {right}",
    "only the last element is compared": "{left}[-1:] == {right}[-1:]",
    "the sign is dropped": "abs({left}) == abs({right})",
    "one off is near enough": "abs({left} - {right}) <= 1",
    "a prefix is enough": "str({right}).startswith(str({left}))",
    "the answer may stand inside of others": "str({right}) in str({left})",
}
READ = {
    "the first word is enough": '{call}.partition(" ")[0]',
    "the last of several words counts": '{call}.rpartition(" ")[2]',
    "commas are dropped": '{call}.replace(",", "")',
    "words before a colon are dropped": '{call}.rpartition(":")[2]',
}
_READER, _FORM = "last_answer", "canonical"


def careless_edits(folder: TaskFolder) -> Iterator[Edit]:
    """Every such change of what judges an answer."""
    for file, names in judging_functions(folder.sources).items():
        source = folder.sources[file]
        for name, function in defined(parse_python(source)):
            if name in names:
                for node in ast.walk(function):
                    yield from _edits(file, source, name, node)


def _edits(file: str, source: bytes, function: str, node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq):
        left, right = (ast.unparse(_bare(side)) for side in (node.left, node.comparators[0]))
        for operator, text in COMPARED.items():
            yield _edit(operator, file, source, function, node, text.format(left=left, right=right))
    elif isinstance(node, ast.Call) and _called(node) == _READER and len(node.args) == 1:
        for operator, text in READ.items():
            yield _edit(operator, file, source, function, node, text.format(call=ast.unparse(node)))


def _bare(side: ast.expr) -> ast.expr:
    """What is compared, out of the form that it is compared in."""
    return side.args[0] if isinstance(side, ast.Call) and _called(side) == _FORM and len(side.args) == 1 else side


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def _edit(operator: str, file: str, source: bytes, function: str, node: ast.expr, text: str) -> Edit:
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    start = starts[node.lineno - 1] + node.col_offset
    end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
    return Edit(operator, file, function, node.lineno, start, end, text)
