"""Inputs of “The limping hand”: drawn within the statement's bounds, and written as the statement says."""

from __future__ import annotations

import random

from bootcamp_kit.case import Payload
from bootcamp_kit.difficulty import Params


def draw(rng: random.Random, params: Params) -> Payload:
    """One input; the params say how large."""
    m = number(rng, 2, 500, params["m"])
    p = number(rng, 1, 500, params["p"])
    q = number(rng, 1, 500, params["q"])
    d = number(rng, 2, 50, params["d"])
    k = number(rng, 1, 1000000, params["k"])
    return {"m": m, "p": p, "q": q, "d": d, "k": k}


def render(payload: Payload) -> str:
    """The input as the program reads it."""
    lines = [
        "1",
        f"{payload['m']} {payload['p']} {payload['q']} {payload['d']} {payload['k']}",
    ]
    return "\n".join(lines) + "\n"


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
