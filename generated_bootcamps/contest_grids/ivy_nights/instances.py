"""Inputs of “Ivy by night”: drawn within the statement's bounds, and written as the statement says."""

from __future__ import annotations

import random

from bootcamp_kit.case import Payload
from bootcamp_kit.difficulty import Params

GRID_STYLES = ("any", "any", "patches", "repeated rows")


def draw(rng: random.Random, params: Params) -> Payload:
    """One input; the params say how large."""
    n = size(rng, 1, 20, params["n"])
    m = size(rng, 1, 20, params["m"])
    k = number(rng, 1, 6, params["k"])
    grid_ = grid(rng, n, m, ".#i")
    return {"n": n, "m": m, "k": k, "grid": grid_}


def render(payload: Payload) -> str:
    """The input as the program reads it."""
    lines = [
        f"{payload['n']} {payload['m']} {payload['k']}",
        *payload["grid"],
    ]
    return "\n".join(lines) + "\n"


def size(rng: random.Random, low: int, high: int, most: int) -> int:
    """A size near the largest that the level allows."""
    top = max(low, min(high, most))
    return rng.randint(max(low, top - top // 4), top)


def window(low: int, high: int, most: int) -> tuple[int, int]:
    """The part of [low, high] whose values are at most ``most`` in size."""
    if high <= 0:
        return min(high, max(low, -most)), high
    return min(high, max(low, -most)), max(low, min(high, most))


def number(rng: random.Random, low: int, high: int, most: int) -> int:
    """One value in [low, high] of at most ``most`` in size; large ones come more often."""
    low, high = window(low, high, most)
    value = rng.randint(low, high)
    return value if low < 0 else max(value, rng.randint(low, high))


def grid(rng: random.Random, rows: int, columns: int, symbols: str) -> list[str]:
    """Rows of symbols whose shares differ from grid to grid, in one of several styles."""
    style = rng.choice(GRID_STYLES)
    weights = [rng.randint(1, 6) for _ in symbols]
    cells = [rng.choices(symbols, weights, k=columns) for _ in range(rows)]
    if style == "patches":
        for _ in range(rng.randint(1, 4)):
            top, left = rng.randrange(rows), rng.randrange(columns)
            height, width, symbol = rng.randint(1, rows), rng.randint(1, columns), rng.choice(symbols)
            for row in cells[top : top + height]:
                row[left : left + width] = [symbol] * len(row[left : left + width])
    elif style == "repeated rows":
        for at in range(1, rows):
            if rng.random() < 0.5:
                cells[at] = list(cells[at - 1])
                cells[at][rng.randrange(columns)] = rng.choice(symbols)
    return ["".join(row) for row in cells]
