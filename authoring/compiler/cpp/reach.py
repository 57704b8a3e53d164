"""What a program uses, and what a function may change."""

from __future__ import annotations

from authoring.compiler.cpp.base import walk
from authoring.compiler.cpp.nodes import Assign, Binary, Call, Function, Name, Struct, Type, Unary, Unit, Variable


def reachable(unit: Unit) -> Unit:
    """The program without functions and variables that ``main`` never comes to; structs stay whole."""
    by_name: dict[str, list[Variable | Function]] = {}
    for part in unit.parts:
        if not isinstance(part, Struct):
            by_name.setdefault(part.name.rstrip(";"), []).append(part)
    reached, waiting = set[str](), ["main"]
    waiting += [
        one.name for part in unit.parts if isinstance(part, Struct) for one in walk(part) if isinstance(one, Name)
    ]
    waiting += [
        name for name in by_name if name.startswith("operator") and name != "operator<<" and name != "operator>>"
    ]
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        reached.add(name)
        for part in by_name.get(name, ()):
            waiting += [one.name for one in walk(part) if isinstance(one, Name)]
            waiting += [name for one in walk(part) if isinstance(one, Variable) for name in extents_of(one.type)]
    return Unit([part for part in unit.parts if isinstance(part, Struct) or part.name.rstrip(";") in reached])


def extents_of(type_: Type) -> list[str]:
    """Names in the extents of an array's type."""
    found = [one.name for one in walk(type_.extent) if isinstance(one, Name)]
    return found + [name for arg in type_.args for name in extents_of(arg)]


def may_change(node: Function, name: str) -> bool:
    """Whether a parameter may be assigned to, or handed on to something that does."""
    for one in walk(node.body):
        if isinstance(one, Assign) and _is(one.target, name):
            return True
        if isinstance(one, Unary) and one.op in ("++", "--", "post++", "post--", "&") and _is(one.inner, name):
            return True
        if isinstance(one, Binary) and one.op == ">>" and _is(one.right, name):
            return True
        if isinstance(one, Call) and any(_is(arg, name) for arg in one.args):
            return True
        if isinstance(one, Variable) and one.type.ref and one.init is not None and _is(one.init, name):
            return True
    return False


def _is(expr: object, name: str) -> bool:
    return isinstance(expr, Name) and expr.name == name
