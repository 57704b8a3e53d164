"""Difficulty axes and their values at five levels: level 1 by hand, level 5 hard, every value inside the bounds."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from authoring.compiler import expressions
from authoring.compiler.input_format import InputFormat, Item, Line, Number, Numbers, Rows, Word
from authoring.compiler.outcome import Refused, Stage

LEVELS = 5
UNBOUNDED = 10**6
LADDERS: dict[str, tuple[int, ...]] = {
    "elements": (5, 8, 12, 18, 26),
    "cells": (3, 4, 6, 8, 11),
    "lines": (3, 5, 8, 12, 17),
    "nodes": (4, 6, 9, 12, 16),
    "edges": (4, 7, 11, 15, 21),
    "letters": (6, 10, 15, 22, 32),
    "short words": (3, 4, 5, 6, 8),
    "values": (9, 20, 60, 200, 999),
    "numbers": (20, 60, 200, 1_000, 5_000),
    "only numbers": (30, 200, 2_000, 20_000, 200_000),
}


@dataclass(frozen=True, slots=True)
class Ladder:
    """One axis. ``name`` is what the generated code reads from its params."""

    name: str
    values: tuple[int, ...]
    meaning: str


def ladders(format_: InputFormat) -> tuple[Ladder, ...]:
    """All axes of a format, in reading order.

    Raises:
        Refused: two neighbouring levels would be the same.
    """
    roles = _roles(format_)
    found: list[Ladder] = []
    for block in format_.blocks:
        for item in block.items:
            axis = _axis(item, block, roles, only_numbers=not format_.sizes())
            if axis is None:
                continue
            name, role, low, high, meaning = axis
            found.append(Ladder(name, _inside(LADDERS[role], low, high), meaning))
    steps = list(zip(*(axis.values for axis in found), strict=True))
    if not found or any(first == second for first, second in itertools.pairwise(steps)):
        raise Refused(Stage.LEVELS, "the bounds leave no room for five different sizes")
    return tuple(found)


def axis_name(item: Item) -> str:
    """The axis of an item: a number is named like its variable, a list gets a maximum, a word a length."""
    return {"number": item.name, "numbers": f"{item.name}_max", "word": f"{item.name}_length"}[item.kind]


def _axis(
    item: Item, block: Line | Rows, roles: dict[str, str], *, only_numbers: bool
) -> tuple[str, str, int, int, str] | None:
    low, high = expressions.constant(item.low), expressions.constant(item.high)
    if isinstance(item, Word):
        if item.low == item.high or low is None or high is None:
            return None
        role = "short words" if isinstance(block, Rows) else "letters"
        return axis_name(item), role, low, high, f"characters of {item.name}"
    if isinstance(item, Number) and isinstance(block, Line):
        if item.name in roles:
            if low is None and high is None:
                return None  # it lies between sizes that have an axis
            # The generator never draws less or more than its bounds allow.
            low, high = 1 if low is None else low, UNBOUNDED if high is None else high
            return item.name, roles[item.name], low, high, f"largest {item.name}"
        if high is None:
            return None
        role = "only numbers" if only_numbers else "numbers"
        return item.name, role, *_extent(low or 0, high), f"largest {item.name}"
    if low is None or high is None or (isinstance(item, Numbers) and item.permutation):
        return None
    if isinstance(block, Rows) and block.is_ragged and item.name in _row_sizes(block):
        return item.name, "short words", low, high, f"largest {item.name}"
    least, most = _extent(low, high)
    # Else all values of the first level would be the same one.
    least = least if low < 0 < high else min(least + 1, most)
    return axis_name(item), "values", least, most, f"largest {item.name}"


def _extent(low: int, high: int) -> tuple[int, int]:
    """The largest absolute values that a level may choose between."""
    if low < 0 < high:
        return 1, max(-low, high)
    return (low, high) if low >= 0 else (-high, -low)


def _roles(format_: InputFormat) -> dict[str, str]:
    """What each size counts; cells are the most costly to read, then lines, then elements."""
    found: dict[str, str] = {}
    for block in format_.blocks:
        if isinstance(block, Rows):
            inner = [name for item in block.items for name in _counted(item)]
            if block.graph:
                found[block.graph.nodes] = "nodes"
                if block.count.isidentifier():
                    found[block.count] = "edges"
                continue
            # A grid or a matrix grows in two directions.
            for name in (*expressions.names(block.count), *inner):
                found[name] = "cells" if inner or block.is_grid else found.get(name, "lines")
            continue
        for item in block.items:
            for name in _counted(item):
                found.setdefault(name, "letters" if isinstance(item, Word) else "elements")
    return found


def _row_sizes(block: Rows) -> set[str]:
    """The items of a row that count the list beside them."""
    return {name for item in block.items for name in _counted(item)}


def _counted(item: Item) -> tuple[str, ...]:
    if isinstance(item, Numbers):
        return expressions.names(item.count)
    return expressions.names(item.low) if isinstance(item, Word) else ()


def _inside(ladder: tuple[int, ...], low: int, high: int) -> tuple[int, ...]:
    """The ladder moved into the bounds; spread evenly where they are narrow."""
    if low > ladder[0]:
        ladder = tuple(value + low - 1 for value in ladder)
    values = tuple(min(max(value, low), high) for value in ladder)
    if len(set(values)) == LEVELS or high - low < LEVELS - 1:
        return values
    top = min(high, max(ladder[-1], low + LEVELS - 1))
    base = max(low, min(ladder[0], low + (top - low) // LEVELS))
    return tuple(base + (top - base) * step // (LEVELS - 1) for step in range(LEVELS))
