"""What the samples have in common although the statement does not say it: a promise may have been overlooked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from authoring.compiler.input_format import InputFormat, Item, Number, Numbers, Rows, Word
from authoring.compiler.outcome import Refused, Stage

ENOUGH = 7
"""So many neighbouring pairs in order, or so many values that form permutations, are no accident."""


def check(format_: InputFormat, payloads: Sequence[Mapping[str, Any]], told: str = "") -> None:
    """Refuse a format that looks too wide for its samples.

    Args:
        format_: The format.
        payloads: The test cases of the samples.
        told: The Input section; a product with its sign in it is no power that copying flattened.

    Raises:
        Refused: every sample grid holds a symbol exactly once; all sample lists are sorted, or permutations; all words
            read the same backwards.
    """
    _check_sizes(format_, payloads, told)
    for block in format_.blocks:
        if isinstance(block, Rows):
            _check_trees(block, payloads)
            if block.is_grid:
                _check_grids(block, [payload[block.name] for payload in payloads])
            continue
        for item in block.items:
            if not isinstance(item, Number) and f"is_palindrome({item.name})" not in format_.conditions:
                _check_values(item, [payload[item.name] for payload in payloads], format_)


def _check_sizes(format_: InputFormat, payloads: Sequence[Mapping[str, Any]], told: str) -> None:
    """``2*n`` may be what copying left of ``2^n``: some sample has to tell them apart."""
    counts = [block.count for block in format_.rows()]
    counts += [item.count for item in format_.every_item() if isinstance(item, Numbers)]
    counts += [item.low for item in format_.every_item() if isinstance(item, Word) and item.low == item.high]
    for factor, name in {found for count in counts for found in re.findall(r"\b(\d)\*([A-Za-z]\w*)", count)}:
        if re.search(rf"\b{factor} ?(?:[·⋅*×]|\\cdot|\\times) ?{name}\b", told):
            continue
        sizes = [payload[name] for payload in payloads if isinstance(payload.get(name), int)]
        if sizes and all(size <= 64 and int(factor) * size == int(factor) ** max(size, 0) for size in sizes):
            raise Refused(Stage.GRAMMAR, f"{factor}{name} may have been {factor}^{name}: no sample tells them apart")


def _check_trees(block: Rows, payloads: Sequence[Mapping[str, Any]]) -> None:
    """As many pairs as a tree has edges: the statement may say it is one in words that were not understood."""
    ends = [item for item in block.items if isinstance(item, Number) and item.low == "1" and item.high.isidentifier()]
    if block.graph or len(ends) < 2 or ends[0].high != ends[1].high or block.count != f"{ends[0].high} - 1":
        return
    rows = [row for payload in payloads for row in payload[block.name]]
    if rows and all(row[0] != row[1] for row in rows):
        raise _refused(f"{block.name} has as many rows as a tree has edges")


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


def _check_values(item: Item, values: Sequence[Any], format_: InputFormat) -> None:
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
        # n different numbers from 1 to n are one by themselves.
        and not (item.distinct and item.low == "1" and item.high == item.count)
        and total > ENOUGH
        # Each of 1 … n at least once among n numbers.
        and not any(text.startswith(f"holds_all({item.name},") for text in format_.conditions)
        and all(sorted(part) == list(range(1, len(part) + 1)) for part in values)
    ):
        raise _refused(f"{item.name} is a permutation")
