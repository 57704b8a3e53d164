"""Reading TOML that somebody else wrote: whatever is wrong with it is one kind of error."""

from __future__ import annotations

import contextlib
import re
import tomllib
from collections.abc import Callable
from typing import Any

# Twelve times as fast where it is installed; inside the sandbox it is not. It takes later TOML than `tomllib` of
# Python 3.11 does, and declines a few numbers: what it declines, `tomllib` decides.
quick: Callable[[str], dict[str, Any]] | None = None
with contextlib.suppress(ImportError):
    from rtoml import loads as quick

MAX_BYTES = 1 << 20
MAX_PARTS = 128
_PART = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')"""
# The parser keeps every beginning of a dotted key: half a megabyte of dots would be 160 GB.
_LONG_KEY = re.compile(rf"(?<![A-Za-z0-9_-])(?:{_PART}[ \t]*+\.[ \t]*+){{{MAX_PARTS}}}")


def read_toml(data: bytes | str) -> dict[str, Any]:
    """The document's tables.

    Raises:
        ValueError: with the reason: not UTF-8, not TOML, larger than a mebibyte, nested too deep, a number too long, a
            key of too many parts.
    """
    if len(data) > MAX_BYTES:
        raise ValueError(f"{len(data):,} bytes or characters, more than {MAX_BYTES:,}")
    text = data.decode("utf-8") if isinstance(data, bytes) else data
    if quick is not None and not text.startswith("\ufeff"):
        with contextlib.suppress(ValueError):
            return quick(text)
    if text.count(".") >= MAX_PARTS and _LONG_KEY.search(text):
        raise ValueError(f"something like a key of more than {MAX_PARTS} parts with dots between them")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None
