"""Pebbles in a tube: a case is one input of a contest problem, its answer what the reference solution prints.

Written by compiler/1 from brief.md. ``solver.py``, the reference solution as a pure function, decides what is right;
``oracle.py`` runs the original program instead, so that each checks the other.
"""

from __future__ import annotations

import random

from bootcamp_kit.answers import integers, last_answer
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params
from bootcamp_kit.jsondata import canonical

from .instances import draw, render
from .solver import solve

RULES = (
    "# Pebbles in a tube\n"
    "\n"
    "A narrow glass tube stands upright, closed at the bottom. One after another, `n` pebbles are dropped into it; the i-th\n"
    "has weight `a_i`. What a dropped pebble does depends only on the pebble that lies on top at that moment:\n"
    "\n"
    "- If the tube is empty, or the top pebble is lighter, the dropped pebble stays and is the new top pebble.\n"
    "- If both weigh the same, both crumble to dust: the top pebble is gone, and so is the dropped one.\n"
    "- If the top pebble is heavier, it loses as much weight as the dropped pebble has, and the dropped pebble crumbles to\n"
    "  dust. The top pebble stays where it is, lighter than before.\n"
    "\n"
    "Which pebbles lie in the tube in the end?\n"
    "\n"
    "## Input\n"
    "\n"
    "The first line contains an integer `n` (`1 <= n <= 200`), the number of pebbles.\n"
    "\n"
    "The second line contains `n` integers `a_1, a_2, ..., a_n` (`1 <= a_i <= 10^6`), where `a_i` is the weight of the i-th\n"
    "pebble dropped.\n"
    "\n"
    "## Output\n"
    "\n"
    "Print the weights of the pebbles in the tube on one line, from the bottom to the top. If the tube is empty, print `0`.\n"
    "\n"
    "## Example\n"
    "\n"
    "For the input\n"
    "\n"
    "```\n"
    "6\n"
    "4 9 3 6 2 5\n"
    "```\n"
    "\n"
    "the output is\n"
    "\n"
    "```\n"
    "2 5\n"
    "```\n"
    "\n"
    "## Your task\n"
    "\n"
    "Do not write a program. Work out what has to be printed for the one input below.\n"
)

ANSWER = (
    "Give the integers in the order of the output, separated by blanks, between <answer> and </answer>. Only the last such pair counts.\n"
)

SHOWN = (
    {"n": 6, "a": [4, 9, 3, 6, 2, 5]},
    {"n": 2, "a": [7, 7]},
)

TRIES = 40


class PebbleScaleTask(Bootcamp):
    """Pebbles in a tube."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        """One input within the bounds, and none of the samples."""
        payload = draw(rng, params)
        for _ in range(TRIES):
            if payload not in SHOWN:
                break
            payload = draw(rng, params)
        return payload

    def prompt(self, case: Case) -> str:
        """The rules, one input, and how to answer."""
        return f"{RULES}\n```\n{render(case.payload)}```\n\n{ANSWER}"

    def parse(self, response: str) -> Answer:
        """Integers between white space or commas, and nothing else."""
        return integers(last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        """Compare with what the solver prints, value by value."""
        if canonical(answer) == canonical(expected(case.payload)):
            return Score.correct()
        return Score.wrong("not the answer to this input")


def expected(payload: Payload) -> Answer:
    """The right answer, in the form that ``parse`` gives."""
    return [int(token) for token in solve(render(payload)).split()]


BOOTCAMP = PebbleScaleTask()
