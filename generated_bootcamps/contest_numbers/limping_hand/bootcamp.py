"""The limping hand: a case is one input of a contest problem, its answer what the reference solution prints.

Written by compiler/1 from brief.md. ``solver.py``, the reference solution as a pure function, decides what is right;
``oracle.py`` runs the original program instead, so that each checks the other.
"""

from __future__ import annotations

import random

from bootcamp_kit.answers import integer, last_answer
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params
from bootcamp_kit.jsondata import canonical

from .instances import draw, render
from .solver import solve

RULES = (
    "# The limping hand\n"
    "\n"
    "A dial has $m$ marks, numbered $0$ to $m - 1$ clockwise. Its single hand starts at mark $0$ and moves clockwise, once a\n"
    "second. The hand limps: if it stands at a mark whose number is divisible by $d$, it moves on by $p$ marks, otherwise by\n"
    "$q$ marks. (Mark $0$ is divisible by every $d$.) After mark $m - 1$ comes mark $0$ again.\n"
    "\n"
    "Where does the hand stand after $k$ seconds?\n"
    "\n"
    "## Input\n"
    "\n"
    "The first line contains one integer $t$ ($1 \\le t \\le 1000$), the number of test cases.\n"
    "\n"
    "Each test case consists of a single line with five integers $m$, $p$, $q$, $d$ and $k$\n"
    "($2 \\le m \\le 500$, $1 \\le p, q \\le 500$, $2 \\le d \\le 50$, $1 \\le k \\le 10^6$).\n"
    "\n"
    "## Output\n"
    "\n"
    "For each test case print one integer: the number of the mark at which the hand stands after $k$ seconds.\n"
    "\n"
    "## Example\n"
    "\n"
    "For the input\n"
    "\n"
    "```\n"
    "1\n"
    "12 5 3 2 4\n"
    "```\n"
    "\n"
    "the output is\n"
    "\n"
    "```\n"
    "4\n"
    "```\n"
    "\n"
    "## Your task\n"
    "\n"
    "Do not write a program. Work out what has to be printed for the one input below. It holds one test case, so t = 1.\n"
)

ANSWER = (
    "Give the integer between <answer> and </answer>. Only the last such pair counts.\n"
)

SHOWN = (
    {"m": 12, "p": 5, "q": 3, "d": 2, "k": 4},
    {"m": 10, "p": 4, "q": 7, "d": 3, "k": 1},
    {"m": 2, "p": 1, "q": 1, "d": 2, "k": 1000000},
    {"m": 100, "p": 37, "q": 12, "d": 5, "k": 20},
)

TRIES = 40


class LimpingHandTask(Bootcamp):
    """The limping hand."""

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
        """One integer, and nothing else."""
        return integer(last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        """Compare with what the solver prints, value by value."""
        if canonical(answer) == canonical(expected(case.payload)):
            return Score.correct()
        return Score.wrong("not the answer to this input")


def expected(payload: Payload) -> Answer:
    """The right answer, in the form that ``parse`` gives."""
    return int(solve(render(payload)))


BOOTCAMP = LimpingHandTask()
