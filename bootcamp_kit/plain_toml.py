"""The plain part of TOML, read several times as fast as the standard library does; cards and records are mostly that.

:func:`read_plain_toml` gives what ``tomllib.loads`` would give, or None: then ``tomllib`` must read it, or say what is
wrong. What it knows: ``key = value`` with a bare key; the value a number, a boolean, a string in double quotes, or a
flat list of these, which may run over lines; ``[table]`` and ``[[table]]``; blank lines and lines of comment. Anything
else (dots in keys, escapes by number, other quotes, dates, lists in lists, carriage returns, a table named twice) is
None.
"""

from __future__ import annotations

import json
import re
from typing import Any

_STRING = r'"(?:[^"\\\x00-\x1f\x7f]++|\\[btnfr"\\])*+"'
_ONE = rf"(?:{_STRING}|-?(?:0|[1-9][0-9]{{0,17}}+)(?:\.[0-9]{{1,17}}+)?+|true|false)"
_LIST = rf"\[[ \n]*+(?:{_ONE}[ \n]*+(?:,[ \n]*+{_ONE}[ \n]*+)*+(?:,[ \n]*+)?+)?+\]"
_NAME = r"[A-Za-z0-9_-]++"
_STATEMENT = re.compile(
    rf"(?:({_NAME}) *+= *+({_ONE}|{_LIST}) *+"
    rf"|\[({_NAME}(?:\.{_NAME})*+)\]"
    rf"|\[\[({_NAME}(?:\.{_NAME})*+)\]\]"
    r"|[ \t]*+(?:#[^\x00-\x08\x0a-\x1f\x7f]*+)?+)(?:\n|\Z)"
)


def read_plain_toml(text: str) -> dict[str, Any] | None:
    """The document's tables, or None where it is not of the plain kind."""
    root: dict[str, Any] = {}
    here = root
    lists: set[int] = set()
    place = 0
    while place < len(text):
        found = _STATEMENT.match(text, place)
        if found is None:
            return None
        place = found.end()
        key, value, single, several = found.groups()
        if key:
            if key in here:
                return None
            here[key] = _value(value)
        elif single or several:
            opened = _open(root, lists, (single or several).split("."), several is not None)
            if opened is None:
                return None
            here = opened
    return root


def _value(text: str) -> Any:
    if text[0] == '"' and "\\" not in text:
        return text[1:-1]
    if text[0] == "[":
        return json.loads(text[:-1].rstrip(" \n,") + "]")
    return json.loads(text)


def _open(root: dict[str, Any], lists: set[int], names: list[str], several: bool) -> dict[str, Any] | None:
    """The new table that a header opens; ``lists`` are those that headers have made."""
    place: Any = root
    for name in names[:-1]:
        place = place.setdefault(name, {})
        if id(place) in lists:
            place = place[-1]
        if not isinstance(place, dict):
            return None
    table: dict[str, Any] = {}
    last = names[-1]
    if several and id(place.get(last)) in lists:
        place[last].append(table)
    elif last in place:
        return None
    elif several:
        place[last] = [table]
        lists.add(id(place[last]))
    else:
        place[last] = table
    return table
