"""Untrusted text made fit to be kept and shown: capped, and nothing in it that a terminal would obey."""

from __future__ import annotations

import re

# C0 but tab and line feed, DEL and C1, surrogates, bidirectional controls, line separators, invisible characters.
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")


def escaped(text: str, limit: int) -> str:
    r"""``text`` with unsafe characters as ``\xNN`` or ``\uNNNN``, cut to ``limit`` characters with a ``…``."""
    cut = text[: limit + 1]
    safe = UNSAFE.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), cut)
    return safe if len(safe) <= limit else safe[: max(0, limit - 1)] + "…"
