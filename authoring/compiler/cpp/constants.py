"""Values of expressions that can be told without running: array extents."""

from __future__ import annotations

from collections.abc import Mapping

from authoring.compiler.cpp.nodes import Binary, Expr, Make, Name, Number, Unary


def constant(expr: Expr | None, known: Mapping[str, int]) -> int | None:
    """The value of numbers, known names and simple operations on them; None for anything else."""
    if isinstance(expr, Number):
        return int(expr.value)
    if isinstance(expr, Name):
        return known.get(expr.name)
    if isinstance(expr, Make) and len(expr.args) == 1:
        return constant(expr.args[0], known)
    if isinstance(expr, Unary) and expr.op == "-":
        inner = constant(expr.inner, known)
        return None if inner is None else -inner
    if not isinstance(expr, Binary):
        return None
    left, right = constant(expr.left, known), constant(expr.right, known)
    if left is None or right is None:
        return None
    match expr.op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "<<" if 0 <= right < 64:
            return left << right
        case "/" if right > 0 <= left:
            return left // right
    return None
