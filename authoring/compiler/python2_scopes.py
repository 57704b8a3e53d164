"""Names and scopes of a Python 2 program after its syntax was translated, and what would mean something else now."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from authoring.compiler.python2_lexer import NotPython2
from authoring.compiler.python2_words import SPECIAL

_COLLECTIONS = ("dict", "defaultdict", "Counter", "set", "frozenset", "OrderedDict")
_Place = tuple[int, int]


def bound_names(tree: ast.Module) -> set[str]:
    """Every name that the program itself gives a value, wherever."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.arg(arg=name):
                found.add(name)
            case ast.ExceptHandler(name=str() as name):
                found.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found |= {(alias.asname or alias.name).partition(".")[0] for alias in names}
    return found


def collections_named(tree: ast.Module) -> set[str]:
    """Names that hold a dictionary or a set somewhere."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and _is_collection(node.value):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return found


def _is_collection(node: ast.expr) -> bool:
    match node:
        case ast.Dict() | ast.DictComp() | ast.Set() | ast.SetComp():
            return True
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in _COLLECTIONS
    return False


def check_meanings(tree: ast.Module) -> None:
    """Refuse what Python 3 would do differently without a word.

    Raises:
        NotPython2: names it.
    """
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef():
                for inner in node.body:
                    name = getattr(inner, "name", "")
                    if name.startswith("__") and name not in SPECIAL:
                        raise NotPython2(f"a class with {name}")
            case ast.Attribute(attr="most_common" | "popitem" as name):
                raise NotPython2(f".{name}() depends on an order that is another one now")
    for scope in ast.walk(tree):
        if isinstance(scope, ast.Module | ast.FunctionDef):
            _check_leaks(scope)


def _own(scope: ast.AST, loops: tuple[ast.AST, ...] = ()) -> Iterator[tuple[ast.AST, tuple[ast.AST, ...]]]:
    """The nodes of a scope outside nested functions, each with the loops around it."""
    for child in ast.iter_child_nodes(scope):
        if isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            continue
        yield child, loops
        yield from _own(child, (*loops, child) if isinstance(child, ast.For | ast.While) else loops)


def _check_leaks(scope: ast.Module | ast.FunctionDef) -> None:
    """A list comprehension gave its variable to the scope around it; nothing may still count on that."""
    nodes = list(_own(scope))
    leaks: dict[str, list[tuple[_Place, tuple[ast.AST, ...]]]] = {}
    for node, loops in nodes:
        if isinstance(node, ast.ListComp):
            for generator in node.generators:
                for name in ast.walk(generator.target):
                    if isinstance(name, ast.Name):
                        leaks.setdefault(name.id, []).append(((node.lineno, node.col_offset), loops))
    if not leaks:
        return
    inside = {
        id(inner)
        for node, _ in nodes
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Name) and inner.id in _targets(node)
    }
    names = [(node, loops) for node, loops in nodes if isinstance(node, ast.Name) and id(node) not in inside]
    for leaked, places in leaks.items():
        same = [(node, loops) for node, loops in names if node.id == leaked]
        stores = [(_place(node), loops) for node, loops in same if isinstance(node.ctx, ast.Store)]
        for node, loops in same:
            if isinstance(node.ctx, ast.Load):
                _check_load(node, loops, stores, places)


def _check_load(
    node: ast.Name,
    loops: tuple[ast.AST, ...],
    stores: list[tuple[_Place, tuple[ast.AST, ...]]],
    leaks: list[tuple[_Place, tuple[ast.AST, ...]]],
) -> None:
    here = _place(node)
    last = max((place for place, _ in stores if place < here), default=(0, 0))
    for place, around in leaks:
        between = last < place < here
        shared = [loop for loop in loops if loop in around]
        again = place > here and any(_place(loop) > last for loop in shared)
        if between or again:
            raise NotPython2(f"the variable {node.id} of a list comprehension is used after it")


def _targets(node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> set[str]:
    return {
        name.id for generator in node.generators for name in ast.walk(generator.target) if isinstance(name, ast.Name)
    }


def _place(node: ast.AST) -> _Place:
    return node.lineno, node.col_offset  # type: ignore[attr-defined]
