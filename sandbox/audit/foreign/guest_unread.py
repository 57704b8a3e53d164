"""Runs *inside* the sandbox: parameters of a constructor that nothing reads, told from the source alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bootcamp_kit.python_source import parse_python

_TAKERS = ("get", "pop", "setdefault")


def unread(source: str, class_name: str) -> list[str]:
    """Names that the constructor takes, and that nothing but itself and its own checks ever looks at again."""
    tree = parse_python(source)
    found = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == class_name]
    inits = [item for node in found for item in node.body if isinstance(item, ast.FunctionDef)]
    init = next((item for item in inits if item.name == "__init__"), None)
    if init is None or _looks_at_all(tree):
        return []
    elsewhere = [node for part in ast.walk(tree) if part in inits and part is not init for node in ast.walk(part)]
    elsewhere += [node for item in tree.body if item not in found for node in ast.walk(item)]
    read = {node.attr for node in elsewhere if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)}
    read |= {node.value for node in elsewhere if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return [name for name, kept in _kept(init).items() if kept is not None and not kept & read and name not in read]


def _kept(init: ast.FunctionDef) -> dict[str, set[str] | None]:
    """For each parameter the attributes it is stored in; None where it is used in any other way."""
    names = [item.arg for item in (*init.args.args[1:], *init.args.kwonlyargs)]
    kept: dict[str, set[str] | None] = {name: set() for name in names}
    for statement in init.body:
        if isinstance(statement, ast.If) and all(isinstance(item, ast.Raise) for item in statement.body):
            continue
        stored = _stored(statement)
        for name in _taken(statement):
            kept.setdefault(name, set())
        for name in {*_loaded(statement), *_taken(statement)} & set(kept):
            known = kept[name]
            kept[name] = known | stored if known is not None and stored else None
    attributes = {attribute for known in kept.values() for attribute in known or ()}
    again = [node.attr for node in ast.walk(init) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load)]
    used = attributes & set(again)  # the constructor itself goes on with it
    return {name: None if known is None or known & used else known for name, known in kept.items()}


def _stored(statement: ast.stmt) -> set[str]:
    """The attributes of ``self`` that one assignment sets; empty for anything else."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    targets = [statement.target] if isinstance(statement, ast.AnnAssign) else targets
    plain = [item for item in targets if isinstance(item, ast.Attribute) and isinstance(item.value, ast.Name)]
    return {item.attr for item in plain} if len(plain) == len(targets) else set()


def _loaded(statement: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _taken(statement: ast.stmt) -> Iterator[str]:
    """Names of keywords that are taken out of a dict of them."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _TAKERS:
            first = node.args[0] if node.args else None
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value


def _looks_at_all(tree: ast.Module) -> bool:
    """Whether something takes attributes or parameters by names that the source does not show."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("getattr", "vars"):
            return True
        if isinstance(node, ast.Attribute) and node.attr in ("__dict__", "items", "values") and _of_self(node):
            return True
        if isinstance(node, ast.keyword) and node.arg is None and _of_self(node):
            return True
    return False


def _of_self(node: ast.AST) -> bool:
    return any(isinstance(item, ast.Name) and item.id in ("self", "params", "kwargs") for item in ast.walk(node))
