"""What compiling one brief may cost: the processor time of all that is run for it, whatever else the machine does."""

from __future__ import annotations

from collections.abc import Sequence

from authoring.compiler.outcome import ProgramRunner, Refused, Stage
from sandbox.calls import Observation

MOST_S = 30.0
FIRST, MOST_AT_ONCE = 8, 64
"""So many programs are run before the time is looked at, then twice as many; even, because a runner takes turns."""


def limited(run: ProgramRunner, most: float = MOST_S) -> ProgramRunner:
    """The same runner, for one brief: it refuses to go on once the programs have computed for ``most`` seconds."""
    spent = 0.0

    def run_limited(programs: Sequence[tuple[str, str]]) -> list[Observation]:
        nonlocal spent
        found = list[Observation]()
        at_once = FIRST
        while len(found) < len(programs):
            if spent > most:
                raise Refused(
                    Stage.CASES,
                    f"trying it out takes more than {most:g} s of processor time: the reference is too dear, or "
                    "drawing inputs that keep the promises and whose answers spread",
                )
            seen = run(programs[len(found) : len(found) + at_once])
            spent += sum(one.cpu_s for one in seen)
            found += seen
            at_once = min(MOST_AT_ONCE, 2 * at_once)
        return found

    return run_limited
