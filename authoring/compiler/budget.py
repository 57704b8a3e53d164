"""What compiling one brief may cost: the processor time of all that is run for it, whatever else the machine does."""

from __future__ import annotations

from collections.abc import Sequence

from authoring.compiler.outcome import ProgramRunner, Refused, Stage
from sandbox.calls import Observation

MOST_S = 45.0
AT_ONCE = 8
"""So many programs are run before the time is looked at; an even number, because a runner takes turns."""


def limited(run: ProgramRunner, most: float = MOST_S) -> ProgramRunner:
    """The same runner, for one brief: it refuses to go on once the programs have computed for ``most`` seconds."""
    spent = 0.0

    def run_limited(programs: Sequence[tuple[str, str]]) -> list[Observation]:
        nonlocal spent
        found = list[Observation]()
        for start in range(0, len(programs), AT_ONCE):
            if spent > most:
                raise Refused(
                    Stage.CASES,
                    f"trying it out takes more than {most:g} s of processor time: the reference is too dear, or "
                    "drawing inputs that keep the promises and whose answers spread",
                )
            seen = run(programs[start : start + AT_ONCE])
            spent += sum(one.cpu_s for one in seen)
            found += seen
        return found

    return run_limited
