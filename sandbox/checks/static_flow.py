"""A small data-flow rule: set order that reaches the random stream."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from sandbox.checks.static_tables import ORDERED_BY_SET, RNG_METHODS


def flow_hits(tree: ast.Module) -> Iterator[tuple[str, int, str]]:
    """(code, line, message) of each place."""
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)):
        yield from _set_order(function)


def _set_order(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[tuple[str, int, str]]:
    unordered: set[str] = set()
    for node in sorted(
        (item for item in ast.walk(function) if isinstance(item, ast.Assign | ast.Call | ast.For)),
        key=lambda item: (item.lineno, item.col_offset),
    ):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    (unordered.add if _is_unordered(node.value, unordered) else unordered.discard)(target.id)
        elif isinstance(node, ast.For):
            draws = any(isinstance(item, ast.Call) and _draws(item) for item in ast.walk(node))
            if draws and _is_unordered(node.iter, unordered):
                yield "static.set_order", node.lineno, "draws while it walks through a set"
        elif _draws(node) and any(_is_unordered(argument, unordered) for argument in node.args):
            yield "static.set_order", node.lineno, "draws from the order of a set"


def _draws(node: ast.Call) -> bool:
    function = node.func
    return (
        isinstance(function, ast.Attribute)
        and function.attr in RNG_METHODS
        and isinstance(function.value, ast.Name)
        and function.value.id in ("rng", "random", "r", "rand", "generator")
    )


def _is_unordered(node: ast.expr, names: set[str]) -> bool:
    if isinstance(node, ast.Set | ast.SetComp):
        return True
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr | ast.Sub | ast.BitXor):
        return _is_unordered(node.left, names) or _is_unordered(node.right, names)
    if isinstance(node, ast.ListComp | ast.GeneratorExp):
        return _is_unordered(node.generators[0].iter, names)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id in ("set", "frozenset"):
            return True
        return node.func.id in ORDERED_BY_SET and any(_is_unordered(argument, names) for argument in node.args)
    return False
