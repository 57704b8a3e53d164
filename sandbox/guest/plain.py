"""Whether a value is plain JSON data by exact type: ``numpy.int64``, a tuple, a subclass of ``str`` is not."""

from __future__ import annotations

import math
from typing import Any

from bootcamp_kit.jsondata import MAX_DEPTH, MAX_INT_DIGITS, MAX_NODES

_MAX_INT_BITS = int(MAX_INT_DIGITS / math.log10(2))


class WrongType(TypeError):
    """A callee returned something that is not what the contract says."""


def require_plain(value: Any, what: str) -> None:
    """Accept exactly ``dict`` with ``str`` keys, ``list``, ``str``, ``int``, ``float``, ``bool`` and ``None``.

    Raises:
        WrongType: with the path and the type of the first thing that is something else, is not finite, is too deep or
            too big for JSON.
    """
    stack: list[tuple[Any, str, int]] = [(value, "", 0)]
    nodes = 0
    while stack:
        item, path, depth = stack.pop()
        nodes += 1
        kind = type(item)
        if kind is str or kind is bool or item is None:
            continue
        fault = _scalar_fault(item, kind) if kind in (int, float) else None
        if fault is None and kind is dict:
            for key in item:
                if type(key) is not str:
                    raise WrongType(f"{what}{path} has a key of type {type_name(key)}, not str")
            stack.extend((child, f"{path}[{key!r:.60}]", depth + 1) for key, child in item.items())
        elif fault is None and kind is list:
            stack.extend((child, f"{path}[{index}]", depth + 1) for index, child in enumerate(item))
        elif fault is None and kind not in (int, float):
            fault = f"is of type {type_name(item)}, not plain JSON data (dict, list, str, int, float, bool, None)"
        if depth > MAX_DEPTH:
            fault = f"is nested deeper than {MAX_DEPTH}"
        if nodes + len(stack) > MAX_NODES:
            fault = f"is past {MAX_NODES} values"
        if fault:
            raise WrongType(f"{what}{path[:200]} {fault}")


def _scalar_fault(item: Any, kind: type) -> str | None:
    if kind is float and not math.isfinite(item):
        return f"is {item!r}: not finite"
    if kind is int and item.bit_length() > _MAX_INT_BITS:
        return f"is an integer of more than {MAX_INT_DIGITS} digits"
    return None


def require_str(value: Any, what: str) -> None:
    """Accept exactly ``str``.

    Raises:
        WrongType: it is something else.
    """
    if type(value) is not str:
        raise WrongType(f"{what} is of type {type_name(value)}, not str")


def type_name(value: Any) -> str:
    """``module.QualName`` of a value's type, without ``builtins.``; capped."""
    kind = type(value)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    return str(name)[:200]
