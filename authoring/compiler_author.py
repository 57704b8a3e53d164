"""The compiler as an author: no model, no key; it writes the one task a brief stands for, or refuses."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict

from authoring.author import Assignment, Draft, Refused
from authoring.compiler import compile_brief
from authoring.compiler.outcome import AUTHOR, ProgramRunner, Refusal
from bootcamp_kit.candidate import Candidate, Lineage
from bootcamp_kit.report import Finding


class CompilerAuthor:
    """Compiles contest-style briefs.

    Args:
        run_program: Runs reference solutions in the sandbox; called in threads, also several at once.
    """

    name = AUTHOR
    deterministic = True

    def __init__(self, run_program: ProgramRunner) -> None:
        self.run_program = run_program

    async def draft(self, work: Assignment) -> Draft:
        """Compile the brief. What the compiler understood and measured is kept as the turn's transcript."""
        made = await asyncio.to_thread(compile_brief, work.brief, self.run_program)
        if isinstance(made, Refusal):
            return Refused(made.stage.value, f"{made.reason} → {made.advice}")
        work.run.put_transcript(
            f"{work.brief.id}-c{work.index}-t{work.number}",
            {"author": self.name, "explanation": asdict(made.explanation)},
        )
        lineage = Lineage(self.name, work.brief.hash, index=work.index, run=work.run.run_id)
        return Candidate(made.folder, lineage)

    async def repair(self, work: Assignment, candidate: Candidate, findings: Sequence[Finding], reason: str) -> Draft:
        """The same brief compiles to the same bytes: only another author, or another brief, can mend it."""
        return Refused("repair", "the compiler makes the same task again; repair it with a model, or mend the brief")

    async def close(self) -> None:
        """Nothing to give back."""
