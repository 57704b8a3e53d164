"""Reading TOML that somebody else wrote: whatever is wrong with it is one kind of error."""

from __future__ import annotations

import tomllib
from typing import Any

from bootcamp_kit.plain_toml import read_plain_toml

MAX_BYTES = 1 << 20


def read_toml(data: bytes | str) -> dict[str, Any]:
    """The document's tables.

    Raises:
        ValueError: with the reason: not UTF-8, not TOML, larger than a mebibyte, nested too deep, a number too long.
    """
    if len(data) > MAX_BYTES:
        raise ValueError(f"{len(data):,} bytes or characters, more than {MAX_BYTES:,}")
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
        plain = read_plain_toml(text)
        return tomllib.loads(text) if plain is None else plain
    except RecursionError:
        raise ValueError("nested too deep") from None
