"""Conditions on a whole input, such as ``n*m <= 40``, ``is_prime(p)`` or ``sum(a) >= k``: a small language.

A condition is one comparison chain or one call that says yes or no. It is read as Python, checked against a list of
what may occur, and evaluated here on samples and on every generated input; the generator of a task holds the same text,
with the same functions (:mod:`authoring.compiler.condition_functions`), and draws again until it holds.

A name is a scalar, a list, a word, or a column of rows. Nothing of a statement's own text reaches generated code: a
condition is written out again from its tree.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Any

from authoring.compiler import condition_functions
from bootcamp_kit.python_source import parse_python

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sum": sum,
    "len": len,
    "max": max,
    "min": min,
    "is_prime": condition_functions.is_prime,
    "is_power_of_two": condition_functions.is_power_of_two,
    "is_palindrome": condition_functions.is_palindrome,
    "all_distinct": condition_functions.all_distinct,
    "rises": condition_functions.rises,
    "never_falls": condition_functions.never_falls,
    "holds_all": condition_functions.holds_all,
    "one_each": condition_functions.one_each,
    "total_length": condition_functions.total_length,
}
"""What a condition may call; the first four are Python's own."""
_COMPARED: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], bool]]] = {
    ast.LtE: ("<=", lambda one, other: one <= other),
    ast.Lt: ("<", lambda one, other: one < other),
    ast.GtE: (">=", lambda one, other: one >= other),
    ast.Gt: (">", lambda one, other: one > other),
    ast.Eq: ("==", lambda one, other: one == other),
    ast.NotEq: ("!=", lambda one, other: one != other),
    ast.In: ("in", lambda one, other: one in other),
    ast.NotIn: ("not in", lambda one, other: one not in other),
}
_COUNTED: dict[type[ast.operator], tuple[str, Callable[[int, int], int]]] = {
    ast.Add: ("+", lambda one, other: one + other),
    ast.Sub: ("-", lambda one, other: one - other),
    ast.Mult: ("*", lambda one, other: one * other),
    ast.Mod: ("%", lambda one, other: one % other),
    ast.FloorDiv: ("//", lambda one, other: one // other),
}
_TREE_FAULTS = (SyntaxError, ValueError, RecursionError, MemoryError)
MAX_LENGTH = 200


class NotACondition(ValueError):
    """The text is not a condition of this small language, or has no value."""


def normal(text: str) -> str:
    """The one spelling of a condition.

    Raises:
        NotACondition: it is none.
    """
    return _written(_tree(text))


def names(text: str) -> tuple[str, ...]:
    """The variables in it, in order of appearance."""
    return tuple(dict.fromkeys(node.id for node in _walk(_tree(text)) if isinstance(node, ast.Name)))


def renamed(text: str, name_of: Callable[[str], str]) -> str:
    """The condition with other names for its variables."""
    tree = _tree(text)
    for node in _walk(tree):
        if isinstance(node, ast.Name):
            node.id = name_of(node.id)
    return _written(tree)


def called(text: str) -> tuple[str, ...]:
    """The functions in it that generated code has to bring along, in order of appearance."""
    calls = [node.func for node in _walk(_tree(text)) if isinstance(node, ast.Call)]
    used = [function.id for function in calls if isinstance(function, ast.Name)]
    return tuple(dict.fromkeys(name for name in used if hasattr(condition_functions, name)))


def holds(text: str, values: Mapping[str, Any]) -> bool:
    """Whether it holds of these values.

    Raises:
        NotACondition: it is none, or a variable has no value or one of another kind.
    """
    try:
        return bool(_value(_tree(text), values))
    except (TypeError, ValueError, ZeroDivisionError, IndexError) as error:
        raise NotACondition(f"{text}: {error}") from error


def _walk(node: ast.expr) -> Iterator[ast.expr]:
    """The nodes from left to right, without the names of functions."""
    yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr) and not (isinstance(node, ast.Call) and child is node.func):
            yield from _walk(child)


def _tree(text: str) -> ast.expr:
    if len(text) > MAX_LENGTH:
        raise NotACondition(f"too long: {text[:40]!r}…")
    try:
        tree = parse_python(text.strip(), mode="eval").body
    except _TREE_FAULTS as error:
        raise NotACondition(f"not a condition: {text[:60]!r}") from error
    if not isinstance(tree, ast.Compare | ast.Call):
        raise NotACondition(f"neither a comparison nor a call: {text[:60]!r}")
    _check(tree)
    return tree


def _check(node: ast.expr) -> None:
    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool) and abs(value) < 10**40:
            return
        case ast.Constant(value=str() as value) if len(value) == 1 and value.isprintable() and not value.isspace():
            return
        case ast.Name(id=name) if name not in FUNCTIONS:
            return
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int())):
            return
        case ast.Subscript(value=ast.Name(), slice=ast.Constant(value=0)):
            return
        case ast.Subscript(value=ast.Name(), slice=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1))):
            return
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _COUNTED:
            _check(left)
            _check(right)
        case ast.Compare(left=left, ops=ops, comparators=others) if all(type(op) in _COMPARED for op in ops):
            _each(left, *others)
        case ast.Call(func=ast.Name(id=name), args=[_, *_] as arguments, keywords=[]) if name in FUNCTIONS:
            _each(*arguments)
        case _:
            raise NotACondition(f"not allowed in a condition: {type(node).__name__}")


def _each(*nodes: ast.expr) -> None:
    for node in nodes:
        if isinstance(node, ast.Compare):
            raise NotACondition("a comparison inside another expression")
        _check(node)


def _written(node: ast.expr) -> str:
    match node:
        case ast.Compare(left=left, ops=ops, comparators=others):
            rest = "".join(
                f" {_COMPARED[type(op)][0]} {_written(other)}" for op, other in zip(ops, others, strict=True)
            )
            return _written(left) + rest
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return f"{name}({', '.join(map(_written, arguments))})"
        case ast.BinOp(left=left, op=op, right=right):
            one, other = (_in_brackets(side, op, is_right=side is right) for side in (left, right))
            return f"{one} {_COUNTED[type(op)][0]} {other}"
        case ast.Constant(value=str() as value):
            return '"\\""' if value == '"' else '"\\\\"' if value == "\\" else f'"{value}"'
        case _:
            return ast.unparse(node)


def _in_brackets(node: ast.expr, outer: ast.operator, *, is_right: bool) -> str:
    text = _written(node)
    if not isinstance(node, ast.BinOp):
        return text
    low = (ast.Add, ast.Sub)
    loose = isinstance(node.op, low) and (not isinstance(outer, low) or is_right)
    return f"({text})" if loose or (is_right and not isinstance(outer, low)) else text


def _value(node: ast.expr, values: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            if name not in values:
                raise NotACondition(f"{name} has no value")
            return values[name]
        case ast.UnaryOp(operand=ast.Constant(value=int() as value)):
            return -value
        case ast.Subscript(value=inner, slice=place):
            return _value(inner, values)[_value(place, values)]
        case ast.BinOp(left=left, op=op, right=right):
            return _COUNTED[type(op)][1](_integer(left, values), _integer(right, values))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return FUNCTIONS[name](*(_value(item, values) for item in arguments))
        case ast.Compare(left=left, ops=ops, comparators=others):
            sides = [_value(side, values) for side in (left, *others)]
            return all(_COMPARED[type(op)][1](*pair) for op, pair in zip(ops, pairwise(sides), strict=True))
    raise NotACondition("not a condition")


def _integer(node: ast.expr, values: Mapping[str, Any]) -> int:
    value = _value(node, values)
    if not isinstance(value, int):
        raise NotACondition("an operation on something else than a number")
    return value
