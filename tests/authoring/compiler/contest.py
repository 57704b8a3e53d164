"""Small contest-style briefs for the compiler's tests, each part replaceable."""

from __future__ import annotations

from collections.abc import Sequence

from authoring.compiler import ProgramRunner
from bootcamp_kit.brief import Brief, Sample, Solution, Source
from bootcamp_kit.jsondata import digest
from sandbox.calls import Observation

STORY = "Count how often the list goes up and down, in a way told here."
INPUT = (
    "The first line contains an integer n (1 ≤ n ≤ 50).\n\n"
    "The second line contains n integers a_1, a_2, …, a_n (1 ≤ a_i ≤ 1000)."
)
OUTPUT = "Print one integer: the answer."
SOLUTION = "n = int(input())\na = list(map(int, input().split()))\nprint(sum(x * x % 97 for x in a) + n)\n"
SAMPLES = (("2\n3 5\n", "36\n"), ("1\n10\n", "4\n"))


def contest(
    *,
    story: str = STORY,
    input_: str | None = INPUT,
    output: str | None = OUTPUT,
    more: str = "",
    solution: str | None = SOLUTION,
    language: str = "python3",
    samples: Sequence[tuple[str, str]] = SAMPLES,
    title: str = "Ups and downs",
) -> Brief:
    parts = [story]
    parts += [] if input_ is None else [f"## Input\n\n{input_}"]
    parts += [] if output is None else [f"## Output\n\n{output}"]
    text = "\n\n".join([*parts, more]).strip() + "\n"
    return Brief(
        id="ups_and_downs",
        family="contest_tests",
        title=title,
        text=text,
        source=Source("brief", "written for a test", "CC0-1.0", digest(text.encode())),
        samples=tuple(Sample(*sample) for sample in samples),
        solution=None if solution is None else Solution(language, solution),
    )


def nothing_may_run(programs: Sequence[tuple[str, str]]) -> list[Observation]:
    """The runner of a brief that has to be refused before anything runs."""
    raise AssertionError("a program was run")


NOTHING: ProgramRunner = nothing_may_run
