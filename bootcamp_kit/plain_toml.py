"""The plain part of TOML, which this product's own writers keep to, read at a third of the parser's price.

What it takes: one key on a line with a space on each side of ``=``; texts in ``"`` without escapes, whole and decimal
numbers, ``true`` and ``false``, lists of these over one or several lines; ``[name]``, ``[name.name]``, ``[[name]]``;
comments after these or on lines of their own. Anything else, and everything that might be wrong, is left to the parser.
"""

from __future__ import annotations

import json
import re
from typing import Any

_NAME = r"[A-Za-z0-9_-]++"
_TEXT = r'"[^"\\\x00-\x1f\x7f]*+"'
_NUMBER = r"-?+(?:0|[1-9][0-9]{0,14}+)(?:\.[0-9]{1,15}+)?+"
_ONE = rf"(?:{_TEXT}|{_NUMBER}|true|false)"
_LIST = rf"\[[ \n]*+(?:({_ONE}(?:,[ \n]*+{_ONE})*+),?+)?+[ \n]*+\]"
_PAIR = rf"({_NAME}|{_TEXT}) = (?:({_TEXT})|({_ONE})|{_LIST})"
_COMMENT = r" *+(?:#[^\x00-\x08\x0a-\x1f\x7f]*+)?+"
_LINE = re.compile(rf"(?:{_PAIR}|\[({_NAME})(?:\.({_NAME}))?+\]|\[\[({_NAME})\]\])?+{_COMMENT}(?:\n|\Z)")
_value = json.JSONDecoder().decode  # what a number, a word or a list is written as is the same in both


def read_plain_toml(text: str) -> dict[str, Any] | None:
    """What the parser would give; None where that is for the parser to say."""
    document: dict[str, Any] = {}
    lists: dict[str, list[dict[str, Any]]] = {}
    table, at = document, 0
    while at < len(text):
        line = _LINE.match(text, at)
        if line is None:
            return None
        at = line.end()
        key, string, one, items, header, below, repeated = line.groups()
        if key:
            key = key.strip('"')
            if key in table:
                return None
            table[key] = string[1:-1] if string else _value(one or f"[{items or ''}]")
        elif below:
            above = lists[header][-1] if header in lists else document.setdefault(header, {})
            if not isinstance(above, dict) or below in above:
                return None
            table = above[below] = {}
        elif header:
            if header in document:
                return None
            table = document[header] = {}
        elif repeated:
            if repeated in document and repeated not in lists:
                return None
            table = {}
            lists.setdefault(repeated, []).append(table)
            document[repeated] = lists[repeated]
    return document
