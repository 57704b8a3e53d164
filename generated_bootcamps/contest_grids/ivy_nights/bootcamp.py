"""Ivy by night: a case is one input of a contest problem, its answer what the reference solution prints.

Written by compiler/1 from brief.md. ``solver.py``, the reference solution as a pure function, decides what is right;
``oracle.py`` runs the original program instead, so that each checks the other.
"""

from __future__ import annotations

import random

from bootcamp_kit.answers import grid, last_answer
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params
from bootcamp_kit.jsondata import canonical

from .instances import draw, render
from .solver import solve

RULES = (
    "# Ivy by night\n"
    "\n"
    "A courtyard is paved with square slabs, `n` rows of `m`. On each slab there is a stone, ivy, or nothing. Two slabs are\n"
    "neighbours if they share a side. Stones never change. Every night, all at the same moment, and judged by how the\n"
    "courtyard looked in the evening:\n"
    "\n"
    "- an empty slab with exactly one neighbour that has ivy gets ivy;\n"
    "- a slab with ivy loses it and becomes empty if two or more of its neighbours have ivy;\n"
    "- every other slab stays as it is.\n"
    "\n"
    "Draw the courtyard after `k` nights.\n"
    "\n"
    "## Input\n"
    "\n"
    "The first line contains three integers `n`, `m` and `k` (`1 ≤ n, m ≤ 20`, `1 ≤ k ≤ 6`).\n"
    "\n"
    "Each of the next `n` lines contains `m` characters, each '.', '#' or 'i': an empty slab, a stone, or ivy.\n"
    "\n"
    "## Output\n"
    "\n"
    "Print `n` lines of `m` characters each: the courtyard after `k` nights, in the same notation.\n"
    "\n"
    "## Example\n"
    "\n"
    "For the input\n"
    "\n"
    "```\n"
    "3 4 1\n"
    "i...\n"
    ".#i.\n"
    "..ii\n"
    "```\n"
    "\n"
    "the output is\n"
    "\n"
    "```\n"
    "iii.\n"
    "i#i.\n"
    ".i.i\n"
    "```\n"
    "\n"
    "## Your task\n"
    "\n"
    "Do not write a program. Work out what has to be printed for the one input below.\n"
)

ANSWER = (
    "Give the rows of the grid, one a line, between <answer> and </answer>. Only the last such pair counts.\n"
)

SYMBOLS = "#.i"

SHOWN = (
    {"n": 3, "m": 4, "k": 1, "grid": ["i...", ".#i.", "..ii"]},
    {"n": 2, "m": 5, "k": 3, "grid": ["..i..", "#...#"]},
)

TRIES = 40


class IvyNightsTask(Bootcamp):
    """Ivy by night."""

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
        """Rows of cells, and nothing else."""
        return grid(last_answer(response), symbols=SYMBOLS)

    def verify(self, case: Case, answer: Answer) -> Score:
        """Compare with what the solver prints, value by value."""
        if canonical(answer) == canonical(expected(case.payload)):
            return Score.correct()
        return Score.wrong("not the answer to this input")


def expected(payload: Payload) -> Answer:
    """The right answer, in the form that ``parse`` gives."""
    return solve(render(payload)).split()


BOOTCAMP = IvyNightsTask()
