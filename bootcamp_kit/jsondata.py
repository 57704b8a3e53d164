"""JSON values as the product means them: canonical bytes, hashes, and strict reading of untrusted text."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Callable
from typing import Any, TypeAlias

Json: TypeAlias = Any
"""``None | bool | int | float (finite) | str | list[Json] | dict[str, Json]``."""

MAX_DEPTH = 64
MAX_NODES = 2_000_000
MAX_INT_DIGITS = 4_300
_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


def canonical(value: Json) -> bytes:
    """UTF-8 JSON with sorted keys and no white space: equal values give equal bytes.

    Raises:
        ValueError: NaN or infinity inside.
        TypeError: not JSON data.
    """
    return _CANONICAL.encode(value).encode()


def digest(data: bytes) -> str:
    """Hex SHA-256."""
    return hashlib.sha256(data).hexdigest()


def strict_loads(data: bytes, *, max_bytes: int = 16 << 20) -> Json:
    """Decode untrusted JSON, or say why not.

    Refused: more than ``max_bytes`` bytes, text that is not UTF-8, nesting past 64, more than 2,000,000 nodes, NaN and
    infinities (also ``1e999``), integers past 4,300 digits, repeated keys, lone surrogates.

    Raises:
        ValueError: with the reason.
    """
    if len(data) > max_bytes:
        raise ValueError(f"{len(data)} bytes, more than {max_bytes}")
    text = data.decode("utf-8", "strict")
    _bound_structure(text)
    try:
        value = _STRICT.decode(text)
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    if "\\u" in text:
        _no_surrogates(value)
    return value


def _bound_structure(text: str) -> None:
    """Refuse depth and size before the parser recurses; counts that cannot be over the caps need no scan."""
    if text.count(",") > MAX_NODES:
        raise ValueError(f"more than {MAX_NODES} values")
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return
    depth = 0
    for match in _STRUCTURE.finditer(text):
        char = match.group()[0]
        if char in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise ValueError(f"nested deeper than {MAX_DEPTH}")
        elif char in "]}":
            depth -= 1


def _refuse(what: str) -> Callable[[str], Json]:
    def refuse(text: str) -> Json:
        raise ValueError(f"{what} {text[:20]} is not JSON data")

    return refuse


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"the number {text[:20]} is not finite")
    return value


def _bounded_int(text: str) -> int:
    if len(text) > MAX_INT_DIGITS:
        raise ValueError(f"an integer of more than {MAX_INT_DIGITS} digits")
    return int(text)


def _unique_keys(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a repeated key")
    return found


def _no_surrogates(value: Json) -> None:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            item.encode("utf-8", "strict")
        elif isinstance(item, list):
            stack.extend(item)
        elif isinstance(item, dict):
            stack.extend(item)
            stack.extend(item.values())


_STRICT = json.JSONDecoder(
    parse_constant=_refuse("the constant"),
    parse_float=_finite,
    parse_int=_bounded_int,
    object_pairs_hook=_unique_keys,
)
