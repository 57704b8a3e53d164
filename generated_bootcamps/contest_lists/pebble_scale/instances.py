"""Inputs of “Pebbles in a tube”: drawn within the statement's bounds, and written as the statement says."""

from __future__ import annotations

import random

from bootcamp_kit.case import Payload
from bootcamp_kit.difficulty import Params

NUMBER_STYLES = ("any", "any", "few", "block", "nearly sorted", "walk")


def draw(rng: random.Random, params: Params) -> Payload:
    """One input; the params say how large."""
    n = size(rng, 1, 200, params["n"])
    a = numbers(rng, n, *window(1, 1000000, params["a_max"]))
    return {"n": n, "a": a}


def render(payload: Payload) -> str:
    """The input as the program reads it."""
    lines = [
        f"{payload['n']}",
        " ".join(map(str, payload["a"])),
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


def numbers(rng: random.Random, count: int, low: int, high: int) -> list[int]:
    """``count`` values in [low, high], in one of several styles."""
    style = rng.choice(NUMBER_STYLES)
    values = [rng.randint(low, high) for _ in range(count)]
    if style == "few":
        pool = values[: rng.randint(2, 4)]
        values = [rng.choice(pool) for _ in range(count)]
    elif style == "block":
        block = values[: rng.randint(2, max(2, count // 2))]
        values = [block[at % len(block)] for at in range(count)]
        values[rng.randrange(count)] = rng.randint(low, high)
    elif style == "nearly sorted":
        values.sort(reverse=rng.random() < 0.5)
        first, second = rng.randrange(count), rng.randrange(count)
        values[first], values[second] = values[second], values[first]
    elif style == "walk":
        step = max(1, (high - low) // 6)
        for at in range(1, count):
            values[at] = min(high, max(low, values[at - 1] + rng.randint(-step, step)))
    return values
