"""The compiler's ``ProgramRunner`` on a real sandbox."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from authoring.compiler.outcome import ProgramRunner
from sandbox.calls import Call, JobOutcome, Observation, Op
from sandbox.limits import JobLimits

if TYPE_CHECKING:
    from sandbox.box import Box
    from sandbox.service import Sandbox

LIMITS = JobLimits(wall_s=5.0, cpu_s=120.0)
PATIENT = JobLimits(wall_s=90.0, cpu_s=5.0)
"""For one more try of a program that ran past the first limit: its own processor time decides, not a busy machine."""
HASH_SEEDS = (1, 2)


@contextmanager
def program_runner(
    sandbox: Sandbox, limits: JobLimits = LIMITS, patience: JobLimits = PATIENT
) -> Iterator[ProgramRunner]:
    """Run programs in two containers with different hash seeds, in turn.

    A program that is asked twice in a row therefore runs under both seeds: one whose output hangs on the order of a
    set gives itself away. The runner may be called from several threads at once; each call uses a pair of its own, and
    pairs are kept for the next call until the block ends.
    """
    idle: SimpleQueue[tuple[Box, Box, Box]] = SimpleQueue()
    with ExitStack() as boxes:

        def run(programs: Sequence[tuple[str, str]]) -> list[Observation]:
            try:
                even, odd, patient = idle.get_nowait()
            except Empty:
                first, second = (sandbox.box({}, limits, hash_seed=seed) for seed in HASH_SEEDS)
                even, odd = boxes.enter_context(first), boxes.enter_context(second)
                patient = sandbox.box({}, patience, hash_seed=HASH_SEEDS[0])
                boxes.callback(patient.close)
            calls = [Call(Op.PROGRAM, {"source": source, "stdin": stdin}) for source, stdin in programs]
            found: dict[int, Observation] = {}
            try:
                for start, box in enumerate((even, odd)):
                    found.update(zip(range(start, len(calls), 2), box.batch(calls[start::2]), strict=True))
                late = [number for number in range(len(calls)) if found[number].outcome is JobOutcome.TIMEOUT]
                for number in late:
                    found[number] = patient.fresh(calls[number])
                    if found[number].outcome is JobOutcome.TIMEOUT:
                        break  # it does run too long: once is enough to know
            finally:
                idle.put((even, odd, patient))
            return [found[number] for number in range(len(calls))]

        yield run
