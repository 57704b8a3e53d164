"""Ids and titles for briefs whose source names them in its own way."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from authoring.sources.fields import MAX_SHORT

_LONGEST = 64


def task_id(name: str, *, prefix: str = "p") -> str:
    """An id of a-z, 0-9 and _ for any name.

    The same name gives the same id; a name that loses letters on the way keeps apart from others by six hex digits.
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
    lost = any(ord(char) > 127 for char in unicodedata.normalize("NFKC", name))
    if not slug or not slug[0].isalpha():
        slug = f"{prefix}_{slug}".rstrip("_")
    if lost or len(slug) < 3 or len(slug) > _LONGEST:
        mark = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:6]
        slug = f"{slug[: _LONGEST - 7].rstrip('_')}_{mark}"
    return slug


def title(name: str, fallback: str) -> str:
    """A name as one printable line."""
    line = "".join(char if char.isprintable() else " " for char in name)
    return " ".join(line.split())[:MAX_SHORT].strip() or fallback
