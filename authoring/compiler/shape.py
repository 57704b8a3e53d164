"""The form of the printed answer: read off the samples and off every output seen, and refused where it has none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from authoring.compiler.outcome import Refused, Stage
from authoring.compiler.plain import plain
from authoring.compiler.tolerance import is_real
from authoring.compiler.wording import in_any_case

KINDS = ("integer", "integers", "decimal", "choice", "string", "strings", "grid")
MAX_CHOICES = 6
_INTEGER = re.compile(r"0|-?[1-9]\d*")
_REAL = re.compile(r"-?\d+\.\d+(?:[eE]-?\d+)?")
_SAFE = re.compile(r"[A-Za-z0-9#@+=<>()\[\]{}/|%!?:;&~^-]+")
_SAFE_CELL = re.compile(r"[A-Za-z0-9#@+=<>()\[\]{}/|%!?:;&~^.-]+")


@dataclass(frozen=True, slots=True)
class Shape:
    """The form of an answer.

    Attributes:
        kind: One of ``KINDS``; the same word as on the card.
        choices: For ``choice``: every answer there is.
        symbols: For ``grid``: the cells that may occur.
        tolerance: For ``decimal``: how far an answer may be off.
    """

    kind: str
    choices: tuple[str, ...] = ()
    symbols: str = ""
    tolerance: float = 0.0

    def __str__(self) -> str:
        words = {
            "integer": "one integer",
            "integers": "integers",
            "decimal": f"one number, within {self.tolerance:g}",
            "choice": " or ".join(self.choices),
            "string": "one string without white space",
            "strings": "words",
            "grid": f"a grid of {' '.join(self.symbols)}",
        }
        return words[self.kind]


def infer(outputs: Sequence[str], statement: str, *, grid_rows: Sequence[int | None], near: float = 0.0) -> Shape:
    """The one form that all outputs have.

    Args:
        outputs: What the reference printed.
        statement: The Output section: only a word that stands there can be a choice.
        grid_rows: For each output the number of rows of the input's grid; None where the input has none.
        near: The tolerance that the statement declares; 0.0 for none.

    Raises:
        Refused: an output is empty, holds characters that a strict reader would confuse, or real numbers.
    """
    split = [output.split() for output in outputs]
    if not all(split):
        raise Refused(Stage.OUTPUT, "the reference prints nothing on some input")
    tokens = [token for parts in split for token in parts]
    if near:
        if not all(len(parts) == 1 and is_real(parts[0]) for parts in split):
            raise Refused(Stage.OUTPUT, "an answer with a tolerance that is not one number")
        return Shape("decimal", tolerance=near)
    if any(_REAL.fullmatch(token) for token in tokens):
        raise Refused(Stage.OUTPUT, "real numbers, and no tolerance stated")
    if all(_INTEGER.fullmatch(token) for token in tokens) and not _two_named(tokens, split, statement):
        if any(len(token) > 4_000 for token in tokens):
            raise Refused(Stage.OUTPUT, "an integer of more than 4,000 digits")
        return Shape("integer" if all(len(parts) == 1 for parts in split) else "integers")
    if all(len(parts) == 1 for parts in split) and not any(rows for rows in grid_rows):
        return _one_token(tokens, statement)
    if _is_grid(outputs, grid_rows):
        symbols = "".join(sorted({char for token in tokens for char in token}))
        if not _SAFE_CELL.fullmatch(symbols):
            raise Refused(Stage.OUTPUT, f"a grid of {symbols!r} cannot be told from Markdown")
        return Shape("grid", symbols=symbols)
    if all(len(parts) == 1 for parts in split):
        return _one_token(tokens, statement)
    _check_safe(tokens)
    if len(outputs) >= 5 and any(
        len(set(column)) == 1 and not _INTEGER.fullmatch(column[0]) for column in zip(*split, strict=False)
    ):
        raise Refused(Stage.OUTPUT, f"words around the answer: {' '.join(split[0])[:60]}")
    return Shape("strings")


def _two_named(tokens: Sequence[str], split: Sequence[Sequence[str]], statement: str) -> bool:
    """0 and 1 (or 1 and 2) as words for no and yes."""
    found = set(tokens)
    return (
        len(split) >= 20
        and all(len(parts) == 1 for parts in split)
        and len(found) == 2
        and all(_named(token, statement) for token in found)
    )


def _one_token(tokens: Sequence[str], statement: str) -> Shape:
    found = sorted(set(tokens))
    if 2 <= len(found) <= MAX_CHOICES and all(_named(token, statement) for token in found):
        if len({token.casefold() for token in found}) < len(found):
            raise Refused(Stage.OUTPUT, f"answers that differ in case only: {', '.join(found)}")
        _check_safe(found)
        return Shape("choice", choices=tuple(found))
    _check_safe(tokens)
    return Shape("string")


def _named(token: str, statement: str) -> bool:
    text = re.sub(r"[«»\"'“”‘’`]", " ", plain(statement))
    if in_any_case(statement):
        text, token = text.casefold(), token.casefold()
    return re.search(rf"(?<![\w-]){re.escape(token)}(?![\w-])", text) is not None


def _check_safe(tokens: Sequence[str]) -> None:
    for token in tokens:
        if not _SAFE.fullmatch(token):
            raise Refused(Stage.OUTPUT, f"the answer {token[:30]!r} cannot be told from Markdown or punctuation")


def _is_grid(outputs: Sequence[str], grid_rows: Sequence[int | None]) -> bool:
    for output, wanted in zip(outputs, grid_rows, strict=True):
        rows = output.strip("\n").split("\n")
        if any(len(row.split()) != 1 for row in rows) or len({len(row.strip()) for row in rows}) != 1:
            return False
        if len(rows) != wanted and (wanted is not None or len(rows) < 2):
            return False
    return True
