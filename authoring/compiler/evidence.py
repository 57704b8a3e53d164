"""What the samples have in common although the statement does not say it: a promise may have been overlooked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from authoring.compiler.input_format import InputFormat, Item, Number, Numbers, Rows, Word
from authoring.compiler.outcome import Refused, Stage

ENOUGH = 7
"""So many neighbouring pairs in order, or so many values that form permutations, are no accident."""


def check(format_: InputFormat, payloads: Sequence[Mapping[str, Any]]) -> None:
    """Refuse a format that looks too wide for its samples.

    Raises:
        Refused: every sample grid holds a symbol exactly once; all sample lists are sorted, or permutations; all words
            read the same backwards.
    """
    for block in format_.blocks:
        if isinstance(block, Rows):
            if block.is_grid:
                _check_grids(block, [payload[block.name] for payload in payloads])
            continue
        for item in block.items:
            if not isinstance(item, Number):
                _check_values(item, [payload[item.name] for payload in payloads])


def _refused(what: str) -> Refused:
    return Refused(Stage.GRAMMAR, f"{what}, in every sample, and the Input section does not say whether it must be so")


def _check_grids(block: Rows, grids: Sequence[Sequence[str]]) -> None:
    item = block.items[0]
    assert isinstance(item, Word)
    if sum(len(row) for grid in grids for row in grid) <= ENOUGH:
        return
    for symbol in item.alphabet:
        if all(sum(row.count(symbol) for row in grid) == 1 for grid in grids):
            raise _refused(f"the grid holds {symbol!r} exactly once")


def _check_values(item: Item, values: Sequence[Any]) -> None:
    if isinstance(item, Word):
        long = [word for word in values if len(set(word)) > 1]
        if sum(len(word) // 2 for word in long) > ENOUGH and all(word == word[::-1] for word in long):
            raise _refused(f"{item.name} reads the same backwards")
        return
    assert isinstance(item, Numbers)
    pairs = [(a, b) for numbers in values for a, b in pairwise(numbers) if a != b]
    if item.order == "any" and len(pairs) >= ENOUGH:
        for name, holds in (("rises", [a < b for a, b in pairs]), ("falls", [a > b for a, b in pairs])):
            if all(holds):
                raise _refused(f"{item.name} {name}")
    total = sum(map(len, values))
    if (
        not item.permutation
        and total > ENOUGH
        and all(sorted(part) == list(range(1, len(part) + 1)) for part in values)
    ):
        raise _refused(f"{item.name} is a permutation")
