"""The compiler as an author: one candidate with its explanation, or a refusal that names the stage; never a repair."""

from __future__ import annotations

import pytest

from authoring.author import Assignment, Refused
from authoring.compiler import AUTHOR, program_runner
from authoring.compiler_author import CompilerAuthor
from authoring.outcomes import OutcomeKind
from authoring.workflow import author
from bootcamp_kit.brief import Sample, Solution
from bootcamp_kit.candidate import Candidate, Lineage
from bootcamp_kit.errors import MachineError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Report
from sandbox.calls import Observation
from sandbox.runner import run_gate
from sandbox.service import Sandbox
from tests.authoring.conftest import MakeContext
from tests.authoring.parts import Queue, draft_folder, make_brief


def no_sandbox(programs: object) -> list[Observation]:
    raise MachineError("running a program", "no engine", "start it")


async def test_a_brief_without_a_solution_is_refused_with_the_stage(make_context: MakeContext, queue: Queue) -> None:
    context = make_context(author=CompilerAuthor(no_sandbox), candidates=3)
    (outcome,) = (await author([make_brief()], context)).outcomes
    assert outcome.kind is OutcomeKind.REFUSED
    assert outcome.reason.startswith("read: ")
    assert not queue.submissions


STATEMENT = """Lamps stand in a row and the brightness of each is known. Print the largest total
brightness of lamps that stand next to each other without a gap; at least one lamp must be taken.

## Input

The first line contains one integer n (1 ≤ n ≤ 100), the number of lamps.
The second line contains n integers a_1, a_2, …, a_n (-1000 ≤ a_i ≤ 1000).

## Output

Print one integer, the largest total.
"""
SOLUTION = """n = int(input())
best = here = None
for value in map(int, input().split()):
    here = value if here is None or here < 0 else here + value
    best = here if best is None or here > best else best
print(best)
"""


@pytest.mark.docker
async def test_a_contest_brief_is_compiled_measured_and_queued(
    sandbox: Sandbox, make_context: MakeContext, queue: Queue
) -> None:
    samples = (Sample("4\n1 -2 3 4\n", "7\n"), Sample("2\n-5 -3\n", "-3\n"))
    brief = make_brief(text=STATEMENT, samples=samples, solution=Solution("python3", SOLUTION))

    def gate(folder: TaskFolder) -> Report:
        return run_gate(sandbox, folder)

    with program_runner(sandbox) as run:
        context = make_context(author=CompilerAuthor(run), gate=gate, candidates=3)
        (outcome,) = (await author([brief], context)).outcomes
    assert (outcome.kind, outcome.turns) == (OutcomeKind.QUEUED, 1), outcome.reason
    assert queue.submissions[outcome.content_hash].candidate.lineage.author == AUTHOR
    assert context.run.transcript(f"{brief.id}-c0-t1")["explanation"]["samples"] == 2


async def test_the_compiler_does_not_repair(make_context: MakeContext) -> None:
    context = make_context()
    work = Assignment(make_brief(), 0, 1, context.run)
    candidate = Candidate(draft_folder(), Lineage(AUTHOR, make_brief().hash))
    assert await CompilerAuthor(no_sandbox).repair(work, candidate, (), "too easy") == Refused(
        "repair", "the compiler makes the same task again; repair it with a model, or mend the brief"
    )
