"""Whether a value is plain JSON data by exact type: ``numpy.int64``, a tuple, a subclass of ``str`` is not."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from bootcamp_kit.jsondata import MAX_DEPTH, MAX_INT_DIGITS, MAX_NODES

_MAX_INT_BITS = int(MAX_INT_DIGITS / math.log10(2))


class WrongType(TypeError):
    """A callee returned something that is not what the contract says."""


@dataclass(slots=True)
class _Place:
    """A value and where it was found; the path is spelt out only when it must be told."""

    value: Any
    parent: _Place | None = None
    key: str | int = 0
    depth: int = 0

    def path(self) -> str:
        keys = []
        place = self
        while place.parent is not None:
            keys.append(f"[{place.key!r:.60}]")
            place = place.parent
        return "".join(reversed(keys))[:200]


def require_plain(value: Any, what: str) -> None:
    """Accept exactly ``dict`` with ``str`` keys, ``list``, ``str``, ``int``, ``float``, ``bool`` and ``None``.

    Raises:
        WrongType: with the path and the type of the first thing that is something else, is not finite, is too deep or
            too big for JSON.
    """
    nodes = 1
    stack = [_Place(value)]
    while stack:
        place = stack.pop()
        item, kind = place.value, type(place.value)
        if kind is str or kind is bool or item is None:
            continue
        if kind is dict or kind is list:
            nodes += len(item)
            fault = _container_fault(item, place.depth, nodes)
            if not fault:
                children = item.items() if kind is dict else enumerate(item)
                stack.extend(_Place(child, place, key, place.depth + 1) for key, child in children)
        else:
            fault = _scalar_fault(item)
        if fault:
            raise WrongType(f"{what}{place.path()} {fault}")


def _container_fault(item: Any, depth: int, nodes: int) -> str:
    if depth >= MAX_DEPTH:
        return f"is nested deeper than {MAX_DEPTH}"
    if nodes > MAX_NODES:
        return f"is past {MAX_NODES} values"
    if type(item) is dict:
        for key in item:
            if type(key) is not str:
                return f"has a key of type {type_name(key)}, not str"
    return ""


def _scalar_fault(item: Any) -> str:
    kind = type(item)
    if kind is float:
        return "" if math.isfinite(item) else f"is {item!r}: not finite"
    if kind is int:
        return f"is an integer of more than {MAX_INT_DIGITS} digits" if item.bit_length() > _MAX_INT_BITS else ""
    return f"is of type {type_name(item)}, not plain JSON data (dict, list, str, int, float, bool, None)"


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
