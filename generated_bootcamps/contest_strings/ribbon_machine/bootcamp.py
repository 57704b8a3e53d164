"""The ribbon machine: a case is one input of a contest problem, its answer what the reference solution prints.

Written by compiler/1 from brief.md. ``solver.py``, the reference solution as a pure function, decides what is right;
``oracle.py`` runs the original program instead, so that each checks the other.
"""

from __future__ import annotations

import random

from bootcamp_kit.answers import last_answer, word
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params
from bootcamp_kit.jsondata import canonical

from .instances import draw, render
from .solver import solve

RULES = (
    "# The ribbon machine\n"
    "\n"
    "A ribbon carries letters, each of them `a`, `b` or `c`. A machine works on it in steps. In each step it cuts off the\n"
    "first letter of the ribbon, glues that letter to the other end, and then does one thing more, which depends on the letter\n"
    "it has moved:\n"
    "\n"
    "- after an `a`: nothing more;\n"
    "- after a `b`: it turns the whole ribbon round, so that it reads backwards;\n"
    "- after a `c`: it re-inks the whole ribbon, the moved letter too: every `a` becomes `b`, every `b` becomes `c`, and every\n"
    "  `c` becomes `a`.\n"
    "\n"
    "What does the ribbon read after $k$ steps?\n"
    "\n"
    "## Input\n"
    "\n"
    "The first line contains one integer $k$ ($1 \\le k \\le 30$), the number of steps.\n"
    "\n"
    "The second line contains a string $s$ ($2 \\le |s| \\le 40$) consisting of the letters 'a', 'b' and 'c': the ribbon at the\n"
    "beginning.\n"
    "\n"
    "## Output\n"
    "\n"
    "Print one string: the ribbon after $k$ steps.\n"
    "\n"
    "## Example\n"
    "\n"
    "For the input\n"
    "\n"
    "```\n"
    "3\n"
    "abca\n"
    "```\n"
    "\n"
    "the output is\n"
    "\n"
    "```\n"
    "bcaa\n"
    "```\n"
    "\n"
    "## Your task\n"
    "\n"
    "Do not write a program. Work out what has to be printed for the one input below.\n"
)

ANSWER = (
    "Give the string, exactly as it has to be printed, between <answer> and </answer>. Only the last such pair counts.\n"
)

SHOWN = (
    {"k": 3, "s": "abca"},
    {"k": 5, "s": "bbac"},
)

TRIES = 40


class RibbonMachineTask(Bootcamp):
    """The ribbon machine."""

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
        """One word, and nothing else."""
        return word(last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        """Compare with what the solver prints, value by value."""
        if canonical(answer) == canonical(expected(case.payload)):
            return Score.correct()
        return Score.wrong("not the answer to this input")


def expected(payload: Payload) -> Answer:
    """The right answer, in the form that ``parse`` gives."""
    return solve(render(payload)).strip()


BOOTCAMP = RibbonMachineTask()
