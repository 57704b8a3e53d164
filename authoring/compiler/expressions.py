"""Small integer expressions over variables, such as ``2*n - 1``: the counts and bounds of an input format.

They are kept as text in Python's own notation, so that they can be read, written by hand and put into generated code.
Only integers, names, ``+ - * //``, a sign, ``min`` and ``max`` are allowed, powers of one digit, and ``len(s)``,
the length of a word that was read before; it counts as a variable of that name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from bootcamp_kit.python_source import parse_python

MAX_DIGITS = 40
MAX_POWER = 100
_OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//"}


class NotAnExpression(ValueError):
    """The text is not an expression of this small language."""


def normal(text: str) -> str:
    """The one spelling of an expression: ``2n-1`` → ``2*n - 1``, constants folded.

    Raises:
        NotAnExpression: it is none.
    """
    text = re.sub(
        r"(?<![A-Za-z_0-9])(\d+)(?=[A-Za-z(])",
        r"\1*",
        text.strip().replace("−", "-").replace("·", "*").replace("^", "**"),
    )
    tree = _tree(text)
    if not names(text):
        return str(evaluate(text, {}))
    return _written(tree, 0)


def names(text: str) -> tuple[str, ...]:
    """The variables in it, in order of appearance.

    Raises:
        NotAnExpression: it is none.
    """
    tree = _tree(text)
    lengths = {node.args[0]: f"len({node.args[0].id})" for node in ast.walk(tree) if _is_length(node)}  # type: ignore[attr-defined]
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id not in ("min", "max", "len")]
    return tuple(dict.fromkeys(lengths.get(node, node.id) for node in sorted(found, key=lambda node: node.col_offset)))


def evaluate(text: str, values: Mapping[str, int]) -> int:
    """Its value.

    Raises:
        NotAnExpression: it is none, or a variable has no value.
    """
    return _value(_tree(text), values)


def constant(text: str) -> int | None:
    """Its value where it has no variables."""
    return None if names(text) else evaluate(text, {})


def _is_length(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name()], keywords=[]):
            return True
    return False


def _tree(text: str) -> ast.expr:
    if len(text) > 200 or re.search(rf"\d{{{MAX_DIGITS + 1}}}", text):
        raise NotAnExpression(f"too long: {text[:40]!r}…")
    try:
        tree = parse_python(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NotAnExpression(f"not an expression: {text[:60]!r}") from error
    _check(tree)
    return tree


def _check(node: ast.expr) -> None:
    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            return
        case ast.Name():
            return
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            _check(operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            _check(left)
            _check(right)
        case ast.BinOp(left=ast.Constant(value=int() as base), op=ast.Pow(), right=exponent) if 2 <= base <= 9:
            _check(exponent)
        case ast.Call() if _is_length(node):
            return
        case ast.Call(func=ast.Name(id="min" | "max"), args=[first, second], keywords=[]):
            _check(first)
            _check(second)
        case _:
            raise NotAnExpression(f"not allowed in an expression: {type(node).__name__}")


def _value(node: ast.expr, values: Mapping[str, int]) -> int:
    match node:
        case ast.Constant(value=int() as value):
            return value
        case ast.Name(id=name):
            if name not in values:
                raise NotAnExpression(f"{name} has no value")
            return values[name]
        case ast.UnaryOp(operand=operand):
            return -_value(operand, values)
        case ast.Call(args=[ast.Name(id=name)]) if _is_length(node):
            if f"len({name})" not in values:
                raise NotAnExpression(f"{name} has no length")
            return values[f"len({name})"]
        case ast.Call(func=ast.Name(id=function), args=arguments):
            return (min if function == "min" else max)(_value(item, values) for item in arguments)
        case ast.BinOp(left=left, op=op, right=right):
            first, second = _value(left, values), _value(right, values)
            if isinstance(op, ast.Pow):
                if not 0 <= second <= MAX_POWER:
                    raise NotAnExpression(f"a power of {second}")
                return int(first**second)
            if isinstance(op, ast.FloorDiv):
                if second == 0:
                    raise NotAnExpression("a division by zero")
                return first // second
            return first + second if isinstance(op, ast.Add) else _difference(op, first, second)
    raise NotAnExpression("not an expression")


def _difference(op: ast.operator, first: int, second: int) -> int:
    return first - second if isinstance(op, ast.Sub) else first * second


def _written(node: ast.expr, strength: int) -> str:
    match node:
        case ast.Constant(value=value):
            return str(value)
        case ast.Name(id=name):
            return name
        case ast.UnaryOp(operand=operand):
            return f"-{_written(operand, 3)}"
        case ast.Call(func=ast.Name(id=function), args=arguments):
            return f"{function}({', '.join(_written(item, 0) for item in arguments)})"
        case ast.BinOp(left=ast.Constant(value=int() as base), op=ast.Pow(), right=right):
            return f"{base}**{_written(right, 3)}"
        case ast.BinOp(left=left, op=op, right=right):
            own = 1 if isinstance(op, ast.Add | ast.Sub) else 2
            space = " " if own == 1 else ""
            text = f"{_written(left, own)}{space}{_OPERATORS[type(op)]}{space}{_written(right, own + 1)}"
            return f"({text})" if own < strength else text
    raise NotAnExpression("not an expression")
