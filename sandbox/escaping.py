"""Untrusted text made fit to be kept and shown: capped, and nothing in it that a terminal would obey."""

from __future__ import annotations

import re

# C0 but tab and line feed, DEL and C1, surrogates, bidirectional controls, line separators, invisible characters, tags.
UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
"""A fixed list, not Python's own categories: what is kept in a report must not depend on the version of Python."""


def escaped(text: str, limit: int) -> str:
    r"""``text`` with unsafe characters as ``\xNN`` or ``\uNNNN``, cut to ``limit`` characters with a ``…``."""
    cut = text[: limit + 1]
    safe = UNSAFE.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), cut)
    return safe if len(safe) <= limit else safe[: max(0, limit - 1)] + "…"
