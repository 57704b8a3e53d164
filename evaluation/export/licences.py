"""Which licences let a task's cases leave the house. One pure function; what it refuses a person may allow by name."""

from __future__ import annotations

import re
from collections.abc import Collection

_TOKEN = re.compile(r"[()]|[^\s()]+")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+:-]*")
_NONE = {"unknown", "none", "noassertion", "proprietary", "all-rights-reserved"}
_OPERATORS = {"OR", "AND", "WITH"}
_MAX_DEPTH = 20


def refusal(licence: str, allowed: Collection[str] = ()) -> str:
    """Why cases under this SPDX expression are not exported; "" when they may be.

    Refused: no known licence; no derivatives (``-ND``: a generated case derives from its source); a private
    ``LicenseRef-``; what cannot be read as an expression. In ``A OR B`` one good side is enough; in ``A AND B``, which
    binds closer, both must be good.
    """
    if licence in allowed:
        return ""
    tokens = _TOKEN.findall(licence)
    try:
        found = _either(tokens, allowed, 0)
    except (IndexError, ValueError):
        found, tokens = "", [licence]
    return f"the licence {licence!r} cannot be read" if tokens else found


def _either(tokens: list[str], allowed: Collection[str], depth: int) -> str:
    reasons = [_both(tokens, allowed, depth)]
    while tokens and tokens[0] == "OR":
        tokens.pop(0)
        reasons.append(_both(tokens, allowed, depth))
    return "" if "" in reasons else reasons[0]


def _both(tokens: list[str], allowed: Collection[str], depth: int) -> str:
    reasons = [_one(tokens, allowed, depth)]
    while tokens and tokens[0] == "AND":
        tokens.pop(0)
        reasons.append(_one(tokens, allowed, depth))
    return next(filter(None, reasons), "")


def _one(tokens: list[str], allowed: Collection[str], depth: int) -> str:
    """A name, with its exception, or an expression in brackets. Takes its tokens off the list.

    Raises:
        IndexError: there are no more.
        ValueError: it is neither.
    """
    name = tokens.pop(0)
    if name == "(" and depth < _MAX_DEPTH:
        found = _either(tokens, allowed, depth + 1)
        if tokens.pop(0) != ")":
            raise ValueError
        return found
    if not _NAME.fullmatch(name) or name in _OPERATORS:
        raise ValueError
    if tokens and tokens[0] == "WITH":
        name = f"{name} WITH {tokens[1]}"
        del tokens[:2]
    return "" if name in allowed else _forbids(name)


def _forbids(name: str) -> str:
    if name.lower() in _NONE:
        return f"the licence is {name!r}"
    if name.startswith(("LicenseRef-", "DocumentRef-")):
        return f"{name} is a private licence"
    if re.search(r"-ND\b", name):
        return f"{name} forbids derivatives"
    return ""
