"""A throw-away library of small tasks for the training examples: rearrange the letters of a word by named moves.

Every task is one or two moves (``reverse``, ``rotate left, then swap ends``, …), so there are 36 of one family that
share parts: enough to ask whether training on more of them helps on those left out. Level 1 has three letters, each
further level one more. The folders carry an approval that this script writes: they are its own code, made for this and
for nothing else.
"""

from __future__ import annotations

from pathlib import Path

from bootcamp_kit.folder import TaskFolder

MOVES = {
    "reverse": "letters[::-1]",
    "rotate left": "letters[1:] + letters[:1]",
    "rotate right": "letters[-1:] + letters[:-1]",
    "swap ends": "letters[-1:] + letters[1:-1] + letters[:1]",
    "swap the first two": "letters[1::-1] + letters[2:]",
    "swap the last two": "letters[:-2] + letters[:-3:-1]",
}

CARD = """\
id = "{name}"
version = "1.0.0"
title = "{title}"
summary = "Rearrange the letters of a word."
family = "rearranging"
tags = ["letters"]
solutions = "unique"
author = "examples/toy_library.py"

[answer]
kind = "strings"
format = "the letters with blanks between, between <answer> and </answer>"
example = "<answer>b a c</answer>"

[source]
kind = "brief"
name = "examples/toy_library.py"
licence = "CC0-1.0"
sha256 = "0000000000000000000000000000000000000000000000000000000000000000"

[difficulty.axes]
length = [3, 4, 5, 6]
"""

BOOTCAMP = '''\
"""Rearrange the letters of a word: {title}."""

import random

from bootcamp_kit import answers
from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.difficulty import Params


class Task(Bootcamp):
    """{title}."""

    def generate(self, rng: random.Random, params: Params) -> Payload:
        return {{"letters": rng.sample("abcdefgh", params["length"])}}

    def prompt(self, case: Case) -> str:
        letters = " ".join(case.payload["letters"])
        return (
            f"Take the letters {{letters}} and do this : {title} . Write the letters that you get , blanks between , "
            "in this form : <answer> a b </answer>"
        )

    def parse(self, response: str) -> Answer:
        return answers.tokens(answers.last_answer(response))

    def verify(self, case: Case, answer: Answer) -> Score:
        wanted = moved(case.payload["letters"])
        if answer == wanted:
            return Score.correct()
        if sorted(answer) != sorted(wanted):
            return Score.wrong("other letters")  # one letter repeated would be sure of a hit
        hits = sum(left == right for left, right in zip(answer, wanted))
        return Score.partial(0.5 * hits / len(wanted), "some are in place") if hits else Score.wrong("none is in place")


def moved(letters: list[str]) -> list[str]:
    """Do the moves."""
{body}
    return letters


BOOTCAMP = Task()
'''

ORACLE = '''\
"""Reference solver."""

from bootcamp_kit.case import Case
from bootcamp_kit.contract import Oracle

from .bootcamp import moved


class Solver(Oracle):
    """Does the moves."""

    def solve(self, case: Case) -> str:
        return "<answer> " + " ".join(moved(case.payload["letters"])) + " </answer>"


ORACLE = Solver()
'''


def task_titles() -> list[str]:
    """All tasks: single moves first, then pairs of different moves."""
    pairs = [f"{first} , then {second}" for first in MOVES for second in MOVES if first != second]
    return [*MOVES, *pairs]


def task_id(title: str) -> str:
    """``rotate left , then swap ends`` → ``rotate_left_then_swap_ends``."""
    return title.replace(" ,", "").replace(" ", "_")


def write_library(root: Path) -> list[str]:
    """Write every task below ``root``; returns the ids, in the order of :func:`task_titles`."""
    for title in task_titles():
        name = task_id(title)
        body = "\n".join(f"    letters = {MOVES[move]}" for move in title.split(" , then "))
        files = {
            "card.toml": CARD.format(name=name, title=title),
            "brief.md": f"Rearrange the letters of a word: {title}.\n",
            "bootcamp.py": BOOTCAMP.format(title=title, body=body),
            "oracle.py": ORACLE,
            "examples.toml": "",
        }
        folder = TaskFolder({path: text.encode() for path, text in files.items()})
        place = root / folder.card.address
        if place.exists():
            continue
        folder.write(place)
        (place / "evidence").mkdir()
        record = f'[approval]\ncontent_hash = "{folder.content_hash}"\n'
        (place / "evidence" / "record.toml").write_text(record, "utf-8")
    return [task_id(title) for title in task_titles()]
