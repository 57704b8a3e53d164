"""Reads the text of a right answer into a shape that can be changed piece by piece and written back the same way."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from bootcamp_kit.answers import CLOSE, OPEN
from bootcamp_kit.card import AnswerFormat

INTEGER = re.compile(r"[+-]?\d{1,4000}", re.ASCII)
DECIMAL = re.compile(r"[+-]?\d{1,400}\.\d{1,400}", re.ASCII)
_SEPARATOR = re.compile(r"\s*,\s*|\s+")
_BRACKETS = {"[": "]", "(": ")", "{": "}"}


@dataclass(frozen=True, slots=True)
class Delimited:
    """A response cut at its last ``<answer>…</answer>``; ``wrap`` puts another content between the same delimiters."""

    before: str
    content: str
    after: str

    def wrap(self, content: str) -> str:
        """The same response around another answer."""
        return f"{self.before}{OPEN}{content}{CLOSE}{self.after}"


def delimited(response: str) -> Delimited | None:
    """Cut a response at its last delimited answer; None when it has none."""
    end = response.rfind(CLOSE)
    start = response.rfind(OPEN, 0, end) if end >= 0 else -1
    if start < 0:
        return None
    return Delimited(response[:start], response[start + len(OPEN) : end], response[end + len(CLOSE) :])


@dataclass(frozen=True, slots=True)
class Shape:
    """The parsed content of an answer.

    Attributes:
        kind: ``integer`` (value int), ``decimal`` (Decimal), ``list`` (list of str), ``rows`` (list of lists of str),
            ``json`` (a list or dict), ``word`` (str without white space), ``text`` (list of words), ``choice`` (str).
        value: As said for each kind.
        render: Writes a value of this kind back in the style of the original.
    """

    kind: str
    value: Any
    render: Callable[[Any], str]


def read_shape(content: str, answer: AnswerFormat) -> Shape:
    """The shape of an answer's text; total: what has no structure is ``word`` or ``text``."""
    text = content.strip()
    if answer.kind == "choice":
        return Shape("choice", text, str)
    if text[:1] in ("[", "{") and (tree := _json(text)) is not None:
        if answer.kind == "integers" and isinstance(tree, list) and tree and all(type(item) is int for item in tree):
            return _list(text)
        return Shape("json", tree, lambda value: json.dumps(value, ensure_ascii=False))
    if "\n" in text or answer.kind == "grid":
        return _rows(text, answer)
    if answer.kind in ("integers", "strings"):
        return _list(text)
    if answer.kind in ("string", "text"):
        return Shape("text", text.split(), " ".join) if len(text.split()) > 1 else Shape("word", text, str)
    if INTEGER.fullmatch(text):
        return Shape("integer", int(text), str)
    if DECIMAL.fullmatch(text):
        return Shape("decimal", Decimal(text), lambda value: format(value, "f"))
    parts = _SEPARATOR.split(text.strip("[](){}"))
    if len(parts) > 1 and all(INTEGER.fullmatch(part) for part in parts):
        return _list(text)
    if len(text.split()) > 1:
        return Shape("text", text.split(), " ".join)
    return Shape("word", text, str)


def _json(text: str) -> Any:
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return tree if isinstance(tree, list | dict) else None


def _rows(text: str, answer: AnswerFormat) -> Shape:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    spaced = any(" " in line for line in lines) or (answer.kind != "grid" and not _even(lines))
    cell = " " if spaced else ""
    rows = [line.split() if spaced else list(line) for line in lines]
    return Shape("rows", rows, lambda value: "\n".join(cell.join(row) for row in value))


def _even(lines: list[str]) -> bool:
    return len({len(line) for line in lines}) == 1


def _list(text: str) -> Shape:
    head, tail = "", ""
    if _BRACKETS.get(text[:1]) == text[-1:] and len(text) > 1:
        head, tail, text = text[0], text[-1], text[1:-1].strip()
    found = _SEPARATOR.search(text)
    separator = ", " if found and "," in found[0] else " "
    items = _SEPARATOR.split(text) if text else []
    return Shape("list", items, lambda value: head + separator.join(value) + tail)
