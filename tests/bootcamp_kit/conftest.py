"""A tiny sound task that the kit's tests write, load and break."""

import pytest

CARD = """
id = "doubling"
version = "1.0.0"
title = "Doubling"
summary = "Double a number."
family = "arithmetic"
tags = ["toy"]
solutions = "unique"
author = "compiler/1"

[answer]
kind = "integer"
format = "one integer between <answer> and </answer>"
example = "<answer>7</answer>"

[source]
kind = "brief"
name = "tests"
licence = "CC0-1.0"
sha256 = "0000000000000000000000000000000000000000000000000000000000000000"

[difficulty.axes]
digits = [1, 2, 3]
"""

BOOTCAMP = '''
"""Double a number."""

from bootcamp_kit.answers import integer, last_answer
from bootcamp_kit.case import Score
from bootcamp_kit.contract import Bootcamp


class Doubling(Bootcamp):
    """Double a number."""

    def generate(self, rng, params):
        return {"n": rng.randrange(10 ** params["digits"])}

    def prompt(self, case):
        return f"What is twice {case.payload['n']}? End with <answer>…</answer>."

    def parse(self, response):
        return integer(last_answer(response))

    def verify(self, case, answer):
        return Score.correct() if answer == 2 * case.payload["n"] else Score.wrong("not twice the number")


BOOTCAMP = Doubling()
'''

ORACLE = '''
"""Reference solver."""

from bootcamp_kit.contract import Oracle


class Doubler(Oracle):
    """Adds the number to itself."""

    def solve(self, case):
        return f"<answer>{case.payload['n'] + case.payload['n']}</answer>"


ORACLE = Doubler()
'''


@pytest.fixture
def doubling_task() -> dict[str, bytes]:
    return {
        "card.toml": CARD.encode(),
        "brief.md": b"Double a number.\n",
        "bootcamp.py": BOOTCAMP.encode(),
        "oracle.py": ORACLE.encode(),
        "examples.toml": b"",
    }
