"""Ids and titles for briefs whose source names them in its own way."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from authoring.sources.fields import MAX_SHORT

_LONGEST = 64


def task_id(prefix: str, name: str) -> str:
    """An id of a-z, 0-9 and _ for any name, ``PREFIX_NAME``.

    The prefix keeps collections apart, and all of them from tasks that people named: a brief whose id the library has
    would be taken for a new version of that task. The same name gives the same id; a name that loses letters on the way
    is kept apart from others by six hex digits.
    """
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = f"{prefix}_" + re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
    lost = any(ord(char) > 127 for char in unicodedata.normalize("NFKC", name))
    if lost or slug.endswith("_") or len(slug) > _LONGEST:
        mark = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:6]
        slug = f"{slug[: _LONGEST - 7].rstrip('_')}_{mark}"
    return slug


def title(name: str, fallback: str) -> str:
    """A name as one printable line."""
    line = "".join(char if char.isprintable() else " " for char in name)
    return " ".join(line.split())[:MAX_SHORT].strip() or fallback
