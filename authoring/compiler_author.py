"""The compiler as an author: no model, no key; it writes the one task a brief stands for, or refuses."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from dataclasses import asdict

from authoring.author import Assignment, Draft, Refused
from authoring.compiler import compile_brief
from authoring.compiler.outcome import AUTHOR, Compiled, ProgramRunner, Refusal, Stage
from authoring.known_answers import with_known_answers
from bootcamp_kit.brief import Brief
from bootcamp_kit.candidate import Candidate, Lineage
from bootcamp_kit.report import Finding
from sandbox.compiled.programs import CompiledRunner

_JUDGES = {
    "custom": "the source judges with a checker of its own: several answers may be right",
    "interactive": "the source judges by talking with the solver: the problem is interactive",
    "tolerance": "the source accepts answers that are near enough: real numbers",
}


def judged_otherwise(brief: Brief) -> Refusal | None:
    """A refusal where the source says that it does not compare answers exactly, whatever the statement's wording."""
    reason = _JUDGES.get(brief.judge)
    return Refusal(Stage.WORDING, reason) if reason else None


OUTCOMES = "compiler.jsonl"


def outcome_row(brief: Brief, made: Compiled | Refusal, seconds: float) -> dict[str, str | float]:
    """One row of ``compiler.jsonl``: what the compiler made of a brief, before any gate.

    ``brief`` id · ``outcome`` compiled or refused · ``stage`` and ``reason`` of a refusal, and ``advice``: what to do ·
    ``seconds``.
    """
    refusal = made if isinstance(made, Refusal) else None
    return {
        "brief": brief.id,
        "outcome": "refused" if refusal else "compiled",
        "stage": refusal.stage.value if refusal else "",
        "reason": refusal.reason if refusal else "",
        "advice": refusal.advice if refusal else "",
        "seconds": round(seconds, 2),
    }


class CompilerAuthor:
    """Compiles contest-style briefs.

    Args:
        run_program: Runs reference solutions in the sandbox; called in threads, also several at once.
        run_compiled: The same for references in C++; None where there is no compiler.
    """

    name = AUTHOR
    deterministic = True

    def __init__(self, run_program: ProgramRunner, run_compiled: CompiledRunner | None = None) -> None:
        self.run_program, self.run_compiled = run_program, run_compiled

    async def draft(self, work: Assignment) -> Draft:
        """Compile the brief. What the compiler understood and measured is kept as the turn's transcript.

        What came of it is a line of ``compiler.jsonl`` in the run's folder, see :func:`outcome_row`.
        """
        started = time.perf_counter()
        made = await asyncio.to_thread(self._compiled, work.brief)
        row = outcome_row(work.brief, made, time.perf_counter() - started)
        with (work.run.root / OUTCOMES).open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
        if isinstance(made, Refusal):
            return Refused(made.stage.value, f"{made.reason} → {made.advice}")
        work.run.put_transcript(
            f"{work.brief.id}-c{work.index}-t{work.number}",
            {"author": self.name, "explanation": asdict(made.explanation)},
        )
        lineage = Lineage(self.name, work.brief.hash, index=work.index, run=work.run.run_id)
        return Candidate(made.folder, lineage)

    def _compiled(self, brief: Brief) -> Compiled | Refusal:
        refusal = judged_otherwise(brief)
        made = refusal or compile_brief(brief, self.run_program, self.run_compiled)
        if isinstance(made, Refusal):
            return made
        return with_known_answers(made, brief, self.run_program, self.run_compiled)

    async def repair(self, work: Assignment, candidate: Candidate, findings: Sequence[Finding], reason: str) -> Draft:
        """The same brief compiles to the same bytes: only another author, or another brief, can mend it."""
        return Refused("repair", "the compiler makes the same task again; repair it with a model, or mend the brief")

    async def close(self) -> None:
        """Nothing to give back."""
