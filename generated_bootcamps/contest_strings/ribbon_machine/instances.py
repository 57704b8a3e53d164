"""Inputs of “The ribbon machine”: drawn within the statement's bounds, and written as the statement says."""

from __future__ import annotations

import random

from bootcamp_kit.case import Payload
from bootcamp_kit.difficulty import Params

WORD_STYLES = ("any", "any", "runs", "block", "mirror")


def draw(rng: random.Random, params: Params) -> Payload:
    """One input; the params say how large."""
    k = number(rng, 1, 30, params["k"])
    s = word(rng, size(rng, 2, 40, params["s_length"]), "abc")
    return {"k": k, "s": s}


def render(payload: Payload) -> str:
    """The input as the program reads it."""
    lines = [
        f"{payload['k']}",
        f"{payload['s']}",
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


def word(rng: random.Random, length: int, alphabet: str) -> str:
    """A string over the alphabet or a few of its letters, in one of several styles."""
    style = rng.choice(WORD_STYLES)
    if len(alphabet) > 4 and rng.random() < 0.8:
        alphabet = "".join(rng.sample(alphabet, rng.randint(2, 5)))
    letters = [rng.choice(alphabet) for _ in range(length)]
    if style == "runs":
        for at in range(1, length):
            if rng.random() < 0.6:
                letters[at] = letters[at - 1]
    elif style == "block":
        block = letters[: rng.randint(1, max(1, length // 2))]
        letters = [block[at % len(block)] for at in range(length)]
        letters[rng.randrange(length)] = rng.choice(alphabet)
    elif style == "mirror":
        letters = [letters[min(at, length - 1 - at)] for at in range(length)]
        letters[rng.randrange(length)] = rng.choice(alphabet)
    return "".join(letters)
