"""The mutation test of a verifier, run for a reviewer: the gate does not have the time, a person at one item does."""

from __future__ import annotations

from bootcamp_kit.folder import TaskFolder
from review.visible import one_line, visible
from sandbox.audit.mutation import SURVIVING, Mutant, diff, run_mutation
from sandbox.checks.evidence import Evidence
from sandbox.runner import run_gate
from sandbox.service import Sandbox

SHOWN = 5


def mutants(sandbox: Sandbox, folder: TaskFolder) -> tuple[tuple[str, str], ...]:
    """What became of careless versions of the verifier: (label, text), those that nothing noticed in full.

    Raises:
        MachineError: the engine failed.
    """
    kept: list[Evidence] = []
    run_gate(sandbox, folder, keep=kept.append)
    run = run_mutation(sandbox, kept[0])
    if run.fault or run.skipped:
        return (("not run", one_line(run.fault or run.skipped, at_most=300)),)
    killed, surviving = run.count("killed"), run.count(SURVIVING)
    score = "" if run.score is None else f", score {run.score:.2f}"
    same = len(run.mutants) - killed - surviving
    counted = f"{killed} of {killed + surviving} noticed{score}; {same} more judge all answers alike"
    survivors = [mutant for mutant in run.mutants if mutant.status == SURVIVING]
    steps = [("careless versions", counted), *(_step(folder, mutant) for mutant in survivors[:SHOWN])]
    if len(survivors) > SHOWN:
        steps.append(("and", f"{len(survivors) - SHOWN} more that nothing noticed"))
    return tuple(steps)


def _step(folder: TaskFolder, mutant: Mutant) -> tuple[str, str]:
    edit, item = mutant.edit, mutant.question
    told = ""
    if item is not None:
        place = f"level {item.case.level}, seed {item.case.seed}"
        told = f"\n{place}: {one_line(item.response, at_most=200)} → {mutant.was} now, {mutant.became} if changed"
    where = f"nothing tried notices “{edit.operator}” in {edit.function}"
    return f"{edit.file}:{edit.line}", f"{where}{told}\n{visible(diff(folder, edit), at_most=2_000)}"
