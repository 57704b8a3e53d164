"""Numbers of things in words: ``1 brief``, ``2 briefs``."""

from __future__ import annotations


def counted(number: int, thing: str, things: str = "") -> str:
    """How many there are of what, in a sentence; ``things`` is the plural where an s does not make it."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"
