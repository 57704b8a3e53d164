"""Further solutions that a source accepts: one that prints something else gives a wrong reference away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from authoring.compiler import ProgramRunner, accepted, program_runner
from authoring.compiler.compile import understand
from authoring.compiler.measure import Measured, Solved
from authoring.compiler.outcome import Refused
from authoring.compiler.shape import Shape
from bootcamp_kit.brief import Solution
from sandbox.service import Sandbox
from tests.authoring.compiler.contest import SOLUTION, contest

pytestmark = pytest.mark.docker
INPUTS = (([3, 5], "36"), ([10], "4"), ([98, 1], "4"))


@pytest.fixture(scope="module")
def program(sandbox: Sandbox) -> Iterator[ProgramRunner]:
    with program_runner(sandbox) as runner:
        yield runner


def checked(run: ProgramRunner, *programs: str) -> int:
    brief = replace(contest(), accepted=tuple(Solution("python3", code) for code in programs))
    cases = [Solved(1, seed, {"n": len(a), "a": a}, printed, 9) for seed, (a, printed) in enumerate(INPUTS)]
    return accepted.check(understand(brief), Shape("integer"), Measured(tuple(cases)), run, None)


def test_solutions_that_agree_are_counted_and_others_pass_over(program: ProgramRunner) -> None:
    fails = SOLUTION.replace("print(", "print(1 // (max(a) < 98) and ")
    misread = "print(input())\n"
    assert checked(program, SOLUTION + "\n", fails, misread) == 2


def test_one_that_differs_is_a_refusal(program: ProgramRunner) -> None:
    with pytest.raises(Refused, match="two solutions that the source accepts differ"):
        checked(program, SOLUTION.replace("x * x", "min(x, 50) ** 2"))
