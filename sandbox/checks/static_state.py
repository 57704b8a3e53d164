"""State that outlives a call: on self, in classes, functions, defaults, module values, or in what was imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from sandbox.checks.static_names import Names, dotted
from sandbox.checks.static_tables import CHANGERS, MUTATORS

Place = tuple[str, int, str]
_CONSTANT_MAKERS = frozenset({"frozenset", "tuple", "range", "str", "int", "float", "bytes", "bool", "field"})
_MAKERS = ast.List | ast.Dict | ast.Set | ast.Call | ast.ListComp | ast.DictComp | ast.SetComp | ast.GeneratorExp
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def state_hits(tree: ast.Module, names: Names) -> Iterator[Place]:
    """(code, line, message) of each place."""
    shared = _containers(tree.body) | _taken_values(names)
    in_classes = frozenset(
        name for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for name in _containers(node.body)
    )
    for function in _outermost(tree):
        kept = shared - _stored(function) | _mutable_defaults(function)
        yield from _changes(function, kept, in_classes)
    for owner in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and _is_task(node, tree)):
        for item in owner.body:
            if isinstance(item, _Function) and item.name not in ("__init__", "__post_init__"):
                yield from _on_self(item)
    yield from _attributes(tree, names)
    yield from _closures(tree)


def _is_task(node: ast.ClassDef, tree: ast.Module) -> bool:
    """Whether one object of the class answers all calls: a bootcamp, an oracle, or one made at import."""
    at_import = {
        item.value.func.id
        for item in tree.body
        if isinstance(item, ast.Assign) and isinstance(item.value, ast.Call) and isinstance(item.value.func, ast.Name)
    }
    methods = {item.name for item in node.body if isinstance(item, _Function)}
    based = any(dotted(base).rpartition(".")[2] in ("Bootcamp", "Oracle") for base in node.bases)
    return based or node.name in at_import or bool(methods & {"generate", "verify"})


def _outermost(tree: ast.Module) -> Iterator[_Function | ast.Lambda]:
    """Functions that are made once, not anew in every call of another."""
    pending: list[ast.AST] = [tree]
    while pending:
        for child in ast.iter_child_nodes(pending.pop()):
            if isinstance(child, _Function | ast.Lambda):
                yield child
            else:
                pending.append(child)


def _taken_values(names: Names) -> frozenset[str]:
    """What comes from the task's own modules."""
    return frozenset(name for name, full in names.imported.items() if full.startswith(".") and full.count(".") > 1)


def _containers(body: list[ast.stmt]) -> frozenset[str]:
    """Names bound in a body to something that can change."""
    return frozenset(
        target.id
        for node in body
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, _MAKERS) and not _fixed(node.value)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    )


def _fixed(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CONSTANT_MAKERS


def _stored(function: _Function | ast.Lambda) -> frozenset[str]:
    """Names a function binds itself: its arguments and what it assigns."""
    bound = {item.id for item in ast.walk(function) if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)}
    return frozenset(bound | {item.arg for item in ast.walk(function) if isinstance(item, ast.arg)})


def _mutable_defaults(function: _Function | ast.Lambda) -> frozenset[str]:
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    pairs = [
        *zip(positional[len(positional) - len(given.defaults) :], given.defaults, strict=True),
        *zip(given.kwonlyargs, given.kw_defaults, strict=True),
    ]
    return frozenset(
        argument.arg
        for argument, default in pairs
        if default is not None and isinstance(default, _MAKERS) and not _fixed(default)
    )


def _on_self(function: _Function) -> Iterator[Place]:
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load) and _is_name(node.value, "self"):
            yield "static.state", node.lineno, f"{function.name} keeps something on self"
        changed = _changed(node)
        if isinstance(changed, ast.Attribute) and _is_name(changed.value, "self"):
            yield "static.state", changed.lineno, f"{function.name} changes self.{changed.attr[:40]}"


def _is_name(node: ast.AST, *names: str) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _changed(node: ast.AST) -> ast.expr | None:
    """What an expression changes in place: ``x`` of ``x[i] = …``, ``x.append(…)``, ``next(x)``."""
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        return node.value
    if not isinstance(node, ast.Call):
        return None
    function = node.func
    last = dotted(function).rpartition(".")[2] or (function.attr if isinstance(function, ast.Attribute) else "")
    if last in CHANGERS and node.args:
        return node.args[0]
    return function.value if isinstance(function, ast.Attribute) and last in MUTATORS else None


def _changes(function: _Function | ast.Lambda, kept: frozenset[str], in_classes: frozenset[str]) -> Iterator[Place]:
    for node in ast.walk(function):
        changed = _changed(node)
        if isinstance(changed, ast.Name) and changed.id in kept:
            yield "static.state", changed.lineno, f"changes {changed.id[:40]}, which outlives the call"
        elif isinstance(changed, ast.Attribute) and changed.attr in in_classes and not _is_name(changed.value, "self"):
            yield "static.state", changed.lineno, f"changes the class's {changed.attr[:40]}"
        elif isinstance(node, ast.AugAssign) and _is_name(node.target, *(kept - _stored(function))):
            yield "static.state", node.lineno, "changes a module's value"


def _attributes(tree: ast.Module, names: Names) -> Iterator[Place]:
    """Attributes set on what was imported, on classes and on functions."""
    for node in ast.walk(tree):
        target = node.value if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load) else None
        if target is None and isinstance(changed := _changed(node), ast.Attribute):
            target = changed.value if isinstance(changed.value, ast.Name) else None
            if not (isinstance(target, ast.Name) and target.id in names.imported):
                continue
        while isinstance(target, ast.Attribute):
            target = target.value
        line = getattr(node, "lineno", 1)
        if isinstance(target, ast.Name) and target.id in names.imported:
            yield "static.import_trick", line, f"changes {target.id[:40]}, which it imported"
        elif isinstance(target, ast.Name) and target.id in names.own | {"cls"}:
            yield "static.state", line, f"keeps something on {target.id[:40]}"
        elif isinstance(target, ast.Call) and _is_name(target.func, "type", "super"):
            yield "static.state", line, "keeps something on the class"


def _closures(tree: ast.Module) -> Iterator[Place]:
    """A function with inner state, made once at import."""
    stateful = {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and any(isinstance(item, ast.Nonlocal) for item in ast.walk(node))
    }
    for node in tree.body:
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in stateful:
            yield "static.state", node.lineno, f"keeps the inner state of {value.func.id[:40]}"
