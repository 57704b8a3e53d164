"""Which licences let a task's cases leave the house. One pure function; what it refuses a person may allow by name."""

from __future__ import annotations

import re
from collections.abc import Collection

_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]*")
_NONE = {"unknown", "none", "noassertion", "proprietary", "all-rights-reserved"}


def refusal(licence: str, allowed: Collection[str] = ()) -> str:
    """Why cases under this SPDX expression are not exported; "" when they may be.

    Refused: no known licence; no derivatives (``-ND``: a generated case derives from its source); a private
    ``LicenseRef-``. In ``A OR B`` one good side is enough; in ``A AND B`` both must be good.
    """
    if licence in allowed:
        return ""
    reasons = [_conjunction(side, allowed) for side in re.split(r"\s+OR\s+", licence)]
    return "" if "" in reasons else reasons[0]


def _conjunction(text: str, allowed: Collection[str]) -> str:
    for part in re.split(r"\s+AND\s+", text):
        name = part.strip(" ()")
        word = (_WORD.match(name) or [""])[0]
        if name in allowed:
            continue
        if not word or word.lower() in _NONE:
            return f"the licence is {name or 'empty'!r}"
        if word.startswith("LicenseRef-"):
            return f"{word} is a private licence"
        if re.search(r"-ND\b", word):
            return f"{word} forbids derivatives"
    return ""
