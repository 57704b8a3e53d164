"""Which functions of a task judge an answer: what ``parse`` and ``verify`` reach in the task's own modules.

By name, without types: a call of ``helper`` or ``thing.helper`` reaches every function of that name. The modules that
*know* the answer (``solver.py``, ``oracle.py``, ``second_oracle.py``, ``reference.py``) are not entered: another answer
there is another task, not a careless check.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from bootcamp_kit.python_source import parse_python
from sandbox.audit.operators import defined

ROOTS = ("parse", "verify")
ANSWER_MODULES = frozenset({"solver.py", "oracle.py", "second_oracle.py", "reference.py"})


def judging_functions(files: Mapping[str, bytes]) -> dict[str, frozenset[str]]:
    """File → qualified names of the functions that judge; files that do not parse have none."""
    known: dict[tuple[str, str], ast.FunctionDef] = {}
    foreign: dict[str, set[str]] = {}
    for file, source in files.items():
        if file.endswith(".py") and file not in ANSWER_MODULES:
            try:
                tree = parse_python(source)
            except (SyntaxError, ValueError, RecursionError):
                continue
            known.update({(file, name): node for name, node in defined(tree)})
            foreign[file] = _imported(tree)
    todo = [key for key in known if key[0] == "bootcamp.py" and key[1].rpartition(".")[2] in ROOTS]
    reached = set(todo)
    while todo:
        place = todo.pop()
        for name in _names(known[place]) - foreign[place[0]]:
            more = [key for key in known if key[1].rpartition(".")[2] == name and key not in reached]
            reached.update(more)
            todo += more
    files_reached = sorted({file for file, _ in reached})
    return {file: frozenset(name for other, name in reached if other == file) for file in files_reached}


def _imported(tree: ast.Module) -> set[str]:
    """Names that other packages give this module."""
    return {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and not node.level
        for alias in node.names
    }


def _names(function: ast.FunctionDef) -> set[str]:
    names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
    return names | {node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute)}
