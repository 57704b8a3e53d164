"""Traps: briefs that must be refused, at the right stage, with a reason that names the trap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from authoring.compiler import (
    Compiled,
    ProgramRunner,
    Refusal,
    Stage,
    compile_brief,
    program_runner,
    prompt_text,
    wording,
)
from authoring.compiler.outcome import Refused
from authoring.compiler.sections import Sections
from sandbox.limits import JobLimits
from sandbox.service import Sandbox
from tests.authoring.compiler.contest import INPUT, NOTHING, SOLUTION, contest

READ_LIST = "n = int(input())\na = list(map(int, input().split()))\n"
STRING = "The only line contains a string s (1 ≤ |s| ≤ 30) consisting of lowercase English letters."
TESTS = "The first line contains t (2 ≤ t ≤ 9), the number of test cases. "
EACH = INPUT.replace("The first line", "The first line of each test case").replace("1 ≤ a_i", "0 ≤ a_i")
GRID = "The first line contains two integers n and m (1 ≤ n, m ≤ 9). Each of the next n lines contains m characters, "
CATCHES = "try:\n    print(input())\n    exit()\nexcept Exception:\n    pass\n"


def line(things: str, more: str = "") -> dict[str, Any]:
    return {"input_": f"The first line contains {things}. {more}".strip()}


def solved_by(code: str) -> dict[str, Any]:
    return {"solution": code}


def sample(text: str) -> dict[str, Any]:
    return {"samples": ((text, "36\n"),)}


Trap = tuple[str, Stage, str, dict[str, Any]]
BEFORE_ANYTHING_RUNS: list[Trap] = [
    ("no solution", Stage.READ, "needs a model", {"solution": None}),
    ("a solution in Java", Stage.READ, "java", {"language": "java"}),
    ("a solution in C++ that is none", Stage.SOLUTION, "cannot be translated", {"language": "cpp"}),
    ("no Input section", Stage.READ, "no Input section", {"input_": None}),
    ("no Output section", Stage.READ, "no Output section", {"output": None}),
    ("two Input sections", Stage.READ, "more than one Input", {"more": f"## Input format\n\n{INPUT}"}),
    ("no samples", Stage.READ, "no samples", {"samples": ()}),
    ("answer delimiters in the statement", Stage.READ, "</answer>", {"story": "Print <answer>7</answer> or so."}),
    ("a terminal's escape", Stage.READ, "x1b", {"story": "Count the \x1b[31mred\x1b[0m ones."}),
    ("a turned reading direction", Stage.READ, "u202e", {"story": "Count the \u202eones."}),
    ("any answer", Stage.WORDING, "print any", {"output": "Print the pair. If there are several, print any."}),
    ("any of them", Stage.WORDING, "any of them", {"output": "If many plans exist, you may show any of them."}),
    ("one of them", Stage.WORDING, "one of them", {"output": "Print the pair; of equal pairs print one of them."}),
    ("any order", Stage.WORDING, "in any order", {"output": "Print the chosen values in any order."}),
    ("no tie-break", Stage.WORDING, "nothing says which", {"output": "If there are several answers, choose well."}),
    ("no matter the order", Stage.WORDING, "order", {"output": "Print the chosen ones. Their order does not matter."}),
    ("regardless of order", Stage.WORDING, "order", {"output": "Print the pair, regardless of order."}),
    ("a shortest one", Stage.WORDING, "a shortest", {"story": "Give a shortest sequence of moves from n to 1."}),
    ("as you like", Stage.WORDING, "as you like", {"output": "Print the pair and a third value as you like."}),
    ("either of two", Stage.WORDING, "either", {"output": "Print the index; of equal ones either is fine."}),
    ("a promise of how often", Stage.GRAMMAR, "occurs twice", {"story": "Every value occurs twice, but for one."}),
    ("a promise of order", Stage.GRAMMAR, "shortest", {"story": "They are listed from the shortest to the tallest."}),
    ("a construction", Stage.WORDING, "several", {"output": "Print a sequence b of n integers such that b is flat."}),
    ("an Interaction section", Stage.WORDING, "Interaction", {"more": "## Interaction\n\nAsk the jury."}),
    ("interactive wording", Stage.WORDING, "interactive", {"story": "This is an interactive problem."}),
    ("two tolerances", Stage.WORDING, "real numbers", {"output": "Absolute error 1e-6 or relative error 1e-4."}),
    ("decimals", Stage.WORDING, "real numbers", {"output": "Print the mean with two decimal places."}),
    ("a picture", Stage.WORDING, "picture", {"story": "![map](map.png) Walk through the town."}),
    ("a picture spoken of", Stage.WORDING, "picture", {"story": "The picture below shows the town."}),
    ("Python 2 that runs text", Stage.SOLUTION, "executes text", solved_by("exec 'print 1'\n")),
    ("randomness", Stage.SOLUTION, "randomness", solved_by("import random\nrandom.random()\n" + SOLUTION)),
    ("a fork", Stage.SOLUTION, "processes", solved_by("import os\nos.fork()\n" + SOLUTION)),
    ("a socket", Stage.SOLUTION, "network", solved_by("import socket\nsocket.socket()\n" + SOLUTION)),
    ("a file", Stage.SOLUTION, "reads files", solved_by("data = open('input.txt').read()\n" + SOLUTION)),
    ("threads", Stage.SOLUTION, "threads", solved_by("import threading\nthreading.active_count()\n" + SOLUTION)),
    ("the clock", Stage.SOLUTION, "clock", solved_by("from time import time\ntime()\n" + SOLUTION)),
    ("eval", Stage.SOLUTION, "executes text", solved_by("print(eval(input()))\n")),
    ("a prompt", Stage.SOLUTION, "prompt", solved_by("n = int(input('n? '))\nprint(n)\n")),
    ("every exception caught", Stage.SOLUTION, "catches", solved_by(CATCHES)),
    ("a dunder door", Stage.SOLUTION, "interpreter", solved_by("print(().__class__.__bases__)\n")),
    ("a module changed", Stage.SOLUTION, "changes the module", solved_by("import math\nmath.pi = 3\nprint(input())\n")),
    ("another module", Stage.SOLUTION, "not covered", solved_by("import numpy\nprint(numpy.array(input()))\n")),
    ("a promise in the story", Stage.GRAMMAR, "promise", {"story": "It is guaranteed that the answer exists."}),
    ("a tree in the story", Stage.GRAMMAR, "tree", {"story": "The rooms and doors form what is a tree."}),
    ("oddness in the story", Stage.GRAMMAR, "n is odd", {"story": "Lamps hang in a row, and n is odd. Count them."}),
    ("an unread sentence", Stage.GRAMMAR, "cannot read", {"input_": INPUT + " The heap is shaped like a bell."}),
    ("a promise nobody keeps", Stage.GRAMMAR, "even sum", {"input_": INPUT + " It is known that a has an even sum."}),
    ("a promise behind a dash", Stage.GRAMMAR, "sorted", line("n integers a_i — a list sorted by digits")),
    ("a promise in brackets", Stage.GRAMMAR, "consecutive", line("n integers a_i (all consecutive)")),
    ("distinct over a whole matrix", Stage.GRAMMAR, "distinct", {
        "input_": GRID.replace("m characters, ", "m integers c_i (0 ≤ c_i ≤ 99).") + " All values are distinct."
    }),
    ("a format in a code block", Stage.GRAMMAR, "[block]", {"input_": "```\nn\na_1 … a_n\n```"}),
    ("a name twice", Stage.GRAMMAR, "n is read twice", line("two integers n and n (1 ≤ n ≤ 9)")),
    ("a line left out", Stage.GRAMMAR, "third line", {"input_": INPUT.replace("second", "third")}),
    ("characters not said", Stage.GRAMMAR, "characters of s", line("a string s (1 ≤ |s| ≤ 9)")),
    ("brackets that balance", Stage.GRAMMAR, "cannot read", {"input_": STRING + " The string is balanced."}),
    ("rows never described", Stage.GRAMMAR, "not said", line("n (1 ≤ n ≤ 9)", "The next n lines describe the map.")),
    ("the count read too late", Stage.GRAMMAR, "not read before", line(
        "n integers a_i (1 ≤ a_i ≤ 9)", "The second line contains n (1 ≤ n ≤ 9)."
    )),
    ("lists that always rise", Stage.GRAMMAR, "rises", {
        "samples": (("5\n3 5 6 6 9\n", "36\n"), ("6\n1 2 3 3 5 8\n", "36\n"))
    }),
    ("one start in each grid", Stage.GRAMMAR, "'S' exactly once", {
        "input_": GRID + "each '.' or 'S'.", "samples": (("2 5\n..S..\n.....\n", "1\n"),)
    }),
    ("no bound at all", Stage.BOUNDS, "no lower bound of n", line("an integer n")),
    ("no upper bound", Stage.BOUNDS, "no upper bound of n", line("a positive integer n")),
    ("contradictory bounds", Stage.BOUNDS, "contradictory", line("an integer n (5 ≤ n ≤ 3)")),
    ("contradictory sections", Stage.BOUNDS, "contradictory", {"more": "## Constraints\n\n- n ≤ 100\n- 200 ≤ n"}),
    ("bounds of two meanings", Stage.BOUNDS, "cannot read", line("three integers n, m and k (1 ≤ k ≤ n, m ≤ 9)")),
    ("a bound of a bound", Stage.BOUNDS, "cannot read", line("two integers n and m (1 ≤ n, m ≤ 9, n! ≤ m)")),
    ("a bound of nothing read", Stage.BOUNDS, "a bound of k", line("an integer n (1 ≤ n ≤ 9, 1 ≤ k ≤ 5)")),
    ("two test cases at least", Stage.BOUNDS, "one test case", {"input_": TESTS + EACH}),
    ("a sample outside its bounds", Stage.SAMPLES, "outside", sample("2\n3 5000\n")),
    ("a sample with values left over", Stage.SAMPLES, "left over", sample("2\n3 5 7\n")),
    ("a sample that ends early", Stage.SAMPLES, "ends before", sample("2\n")),
    ("a sample with double blanks", Stage.SAMPLES, "one blank", sample("2\n3  5\n")),
    ("a sample with a leading zero", Stage.SAMPLES, "plain integer", sample("2\n03 5\n")),
    ("a sample with a foreign letter", Stage.SAMPLES, "'Q'", {"input_": STRING, **sample("abQ\n")}),
]  # fmt: skip

AFTER_RUNNING: list[Trap] = [
    ("samples contradicted", Stage.REFERENCE, "'36'", {"samples": (("2\n3 5\n", "35\n"),)}),
    ("too few values", Stage.REFERENCE, "1 values where", {"samples": (("2\n3 5\n", "36 1\n"),)}),
    ("an endless loop", Stage.REFERENCE, "time limit", {"solution": "while True:\n    pass\n"}),
    ("endless output", Stage.REFERENCE, "", {"solution": "while True:\n    print('garbage' * 1000)\n"}),
    ("a crash", Stage.REFERENCE, "ZeroDivisionError", {"solution": "print(1 // 0)\n"}),
    ("an exit status", Stage.REFERENCE, "SystemExit", {"solution": "import sys\nsys.exit(3)\n"}),
    ("too much memory", Stage.REFERENCE, "", {"solution": "print(len([0] * 10**10))\n"}),
    ("recursion without end", Stage.REFERENCE, "", {"solution": "def f(): return f()\nprint(f())\n"}),
    (
        "an order that hangs on the hash seed",
        Stage.REFERENCE,
        "different outputs",
        {
            "solution": READ_LIST + "print(*{str(x) for x in range(100)})\n",
            "output": "Print the numbers.",
        },
    ),
    (
        "test cases that depend on one another",
        Stage.REFERENCE,
        "one by one",
        {
            "input_": "The first line contains the number of test cases t (1 ≤ t ≤ 9). "
            "Each of the next t lines contains an integer x (1 ≤ x ≤ 1000).",
            "solution": "total = 0\nfor _ in range(int(input())):\n    total += int(input())\n    print(total)\n",
            "samples": (("2\n3\n4\n", "3\n7\n"),),
        },
    ),
    (
        "a size too large for a prompt",
        Stage.LEVELS,
        "prompt",
        {
            "input_": INPUT.replace("1 ≤ n ≤ 50", "3000 ≤ n ≤ 5000"),
            "samples": (("3000\n" + " ".join(["7"] * 3000) + "\n", "150000\n"),),
        },
    ),
    (
        "no room for five sizes",
        Stage.LEVELS,
        "five different sizes",
        {
            "input_": "The first line contains an integer n (1 ≤ n ≤ 2).",
            "solution": "print(input())\n",
            "samples": (("2\n", "2\n"),),
        },
    ),
    (
        "a crash on an input inside the bounds",
        Stage.CASES,
        "IndexError",
        {"solution": READ_LIST + "print([0, 1, 2, 3, 4, 5][n] * 0 + sum(x * x % 97 for x in a) + n)\n"},
    ),
    (
        "slow on large values",
        Stage.CASES,
        "time limit",
        {"solution": READ_LIST + "while n > 2:\n    pass\nprint(sum(x * x % 97 for x in a) + n)\n"},
    ),
    (
        "something else than text",
        Stage.OUTPUT,
        "cannot be told",
        {"solution": READ_LIST + "print('*' * sum(a))\n", "samples": (("2\n3 5\n", "********\n"),)},
    ),
    (
        "real numbers printed",
        Stage.OUTPUT,
        "real numbers",
        {"solution": READ_LIST + "print(sum(a) / 2)\n", "samples": (("2\n3 5\n", "4.0\n"),)},
    ),
    (
        "words around the answer",
        Stage.OUTPUT,
        "words around",
        {"solution": READ_LIST + "print('Total', 'is:', sum(a))\n", "samples": (("2\n3 5\n", "Total is: 8\n"),)},
    ),
    (
        "nothing printed on some inputs",
        Stage.OUTPUT,
        "prints nothing",
        {"solution": READ_LIST + "print(*[x for x in a if x % 2])\n", "samples": (("2\n3 5\n", "3 5\n"),)},
    ),
    (
        "all of a kind in no order",
        Stage.WORDING,
        "in which order",
        {
            "solution": READ_LIST + "print(*[x % 97 for x in a])\n",
            "output": "Print all remainders modulo 97.",
            "samples": (("2\n3 5\n", "3 5\n"),),
        },
    ),
    (
        "one answer nearly always",
        Stage.ANSWERS,
        "is the answer of",
        {"solution": READ_LIST + "print(-1 if max(a) < 999 else n)\n", "samples": (("2\n3 5\n", "-1\n"),)},
    ),
    (
        "yes nearly always",
        Stage.ANSWERS,
        "is the answer of",
        {
            "solution": READ_LIST + "print('NO' if sum(a) % 1009 == 0 else 'YES')\n",
            "output": "Print YES or NO.",
            "samples": (("2\n3 5\n", "YES\n"), ("2\n1000 9\n", "NO\n")),
        },
    ),
]


@pytest.mark.parametrize(
    ("stage", "reason", "changes"),
    [case[1:] for case in BEFORE_ANYTHING_RUNS],
    ids=[case[0] for case in BEFORE_ANYTHING_RUNS],
)
def test_a_trap_is_refused_before_anything_runs(stage: Stage, reason: str, changes: dict[str, Any]) -> None:
    made = compile_brief(contest(**changes), NOTHING)
    assert isinstance(made, Refusal), "it was compiled"
    assert (made.stage, reason in made.reason) == (stage, True), str(made)


@pytest.fixture(scope="module")
def run(sandbox: Sandbox) -> Iterator[ProgramRunner]:
    with program_runner(sandbox, JobLimits(wall_s=1.0), JobLimits(wall_s=90.0, cpu_s=1.0)) as runner:
        yield runner


@pytest.mark.docker
@pytest.mark.parametrize(
    ("stage", "reason", "changes"), [case[1:] for case in AFTER_RUNNING], ids=[case[0] for case in AFTER_RUNNING]
)
def test_a_trap_is_refused_by_what_its_reference_does(
    run: ProgramRunner, stage: Stage, reason: str, changes: dict[str, Any]
) -> None:
    made = compile_brief(contest(**{"samples": (("2\n3 5\n", "36\n"),), **changes}), run)
    assert isinstance(made, Refusal), "it was compiled"
    assert (made.stage, reason in made.reason) == (stage, True), str(made)


@pytest.mark.docker
def test_the_same_brief_without_a_trap_compiles(run: ProgramRunner) -> None:
    assert isinstance(compile_brief(contest(), run), Compiled)


@pytest.mark.parametrize(
    ("story", "output", "is_list", "reason"),
    [
        ("Paint the benches.", "Print n integers: the colour of each bench.", True, "nothing says"),
        (
            "Divide the sweets.",
            "Print the minimum number of bags. In the next line print the bag of each.",
            True,
            "nothing",
        ),
        ("Choose two of them.", "Print both numbers.", True, "nothing says"),
        ("Look for a good one.", "Print it.", False, "no quantity"),
    ],
)
def test_an_answer_that_is_made_up_is_refused(story: str, output: str, is_list: bool, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        wording.check_defined(Sections(story, "", output), is_list=is_list)


@pytest.mark.parametrize(
    ("output", "is_list"),
    [
        ("Print one integer: the sum.", False),
        ("Print n integers: for each bench the number of ways to paint it.", True),
        ("Print the lexicographically smallest list of colours.", True),
        ("If it cannot be painted, print -1. Otherwise print the minimum cost and the maximum cost.", True),
        ("Print the string after all changes.", True),
    ],
)
def test_an_answer_that_is_defined_is_kept(output: str, is_list: bool) -> None:
    wording.check_defined(Sections("Paint the benches and choose colours.", "", output), is_list=is_list)


def test_words_in_any_letter_case_are_refused_where_there_are_several() -> None:
    with pytest.raises(Refused, match="letter case"):
        wording.check_list(Sections("Ask.", "", "For each question print YES or NO, in any case."))


def test_a_missing_formula_is_told_from_an_illustration() -> None:
    sections = Sections("It is a park.\n\n<image>\n\nBenches stand in it.", "n", "Print the sum.")
    wording.check(sections)
    assert "<image>" not in prompt_text.without_illustrations(sections.story)
    for story in (
        "The cost is <image>.",
        "It is so:\n\n<image>\n\nAdd up.",
        "The figure shows a park.\n\n<image>\n\nAdd.",
    ):
        with pytest.raises(Refused, match=r"missing|picture"):
            wording.check(Sections(story, "n", "Print the sum."))
