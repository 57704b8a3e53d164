"""Two small data-flow rules: set order that reaches the random stream, and state kept on ``self`` or in the module."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from sandbox.checks.static_tables import ORDERED_BY_SET, RNG_METHODS

_PURE = ("generate", "prompt", "parse", "verify", "solve")
_MUTATORS = frozenset(
    {"append", "extend", "insert", "add", "update", "setdefault", "pop", "clear", "remove", "discard"}
)


def flow_hits(tree: ast.Module) -> Iterator[tuple[str, int, str]]:
    """(code, line, message) of each place."""
    shared = _module_containers(tree)
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)):
        yield from _set_order(function)
        yield from _state(function, shared)


def _module_containers(tree: ast.Module) -> frozenset[str]:
    return frozenset(
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        and isinstance(node.value, ast.List | ast.Dict | ast.Set | ast.Call)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    )


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


def _state(function: ast.FunctionDef | ast.AsyncFunctionDef, shared: frozenset[str]) -> Iterator[tuple[str, int, str]]:
    local = {item.id for item in ast.walk(function) if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)}
    for node in ast.walk(function):
        if function.name in _PURE and isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            if isinstance(node.value, ast.Name) and node.value.id == "self":
                yield "static.state", node.lineno, f"{function.name} keeps something on self"
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            if node.value.id in shared - local:
                yield "static.state", node.lineno, f"writes into the module's {node.value.id[:40]}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _MUTATORS:
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id in shared - local:
                yield "static.state", node.lineno, f"changes the module's {owner.id[:40]}"
