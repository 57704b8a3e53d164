"""What the compiler makes of problems kept elsewhere: ``python benchmarks/compiler.py PATH --out FILE``.

Reads every brief below PATH (any form that ``bootcamp author`` reads), compiles it and puts what was compiled through
the gate, with one sandbox and its boxes kept warm for all. FILE gets one JSON line a brief as soon as it is done:
``brief outcome stage reason seconds`` and how the time was spent. A brief that has a line there is not done again, so
that a run can be stopped at any time and taken up by the same command. Only briefs with a statement, samples and a
solution are counted. At the end: how many ended where, and briefs a minute.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # also run as a file, which has a package's name

from authoring.compiler import ProgramRunner, program_runner
from authoring.compiler.compile import compile_brief, understand
from authoring.compiler.outcome import Compiled, Refusal, Refused
from authoring.compiler_author import judged_otherwise
from authoring.known_answers import with_known_answers
from authoring.sources.read import read_briefs
from bootcamp_kit.brief import Brief
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Report, Severity, Verdict
from sandbox.compiled.programs import CompiledRunner, compiled_runner
from sandbox.runner import run_gate
from sandbox.service import Sandbox, SandboxSettings

Row = dict[str, Any]
PASSED, FAILED, REFUSED, UNREADABLE = "passed", "gate", "refused", "machine"
"""Outcomes: compiled and through the gate; compiled, and the gate says no; refused; our own fault or the engine's."""


def read_only(brief: Brief) -> Row:
    """What reading alone says."""
    start = time.perf_counter()
    refusal = judged_otherwise(brief)
    if refusal is None:
        try:
            understand(brief)
        except Refused as refused:
            refusal = refused.refusal
    return _row(brief, refusal or "understood", compile_s=time.perf_counter() - start)


class Works:
    """Compiles briefs and puts them through the gate; called from several threads."""

    def __init__(self, sandbox: Sandbox, run: ProgramRunner, run_compiled: CompiledRunner | None, folders: Path | None):
        self.sandbox, self.run, self.run_compiled, self.folders = sandbox, run, run_compiled, folders

    def __call__(self, brief: Brief) -> Row:
        """One brief to its end."""
        start = time.perf_counter()
        made = judged_otherwise(brief) or compile_brief(brief, self.run, self.run_compiled)
        if isinstance(made, Compiled):
            made = with_known_answers(made, brief, self.run, self.run_compiled)
        between = time.perf_counter()
        if isinstance(made, Refusal):
            return _row(brief, made, compile_s=between - start)
        self._keep(brief.id, made.folder)
        report = run_gate(self.sandbox, made.folder)
        return _row(brief, report, compile_s=between - start, gate_s=time.perf_counter() - between)

    def _keep(self, name: str, folder: TaskFolder) -> None:
        for path, content in folder.files.items() if self.folders else ():
            target = (self.folders or Path()) / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)


def _row(brief: Brief, made: Refusal | Report | str, *, compile_s: float, gate_s: float = 0.0) -> Row:
    outcome, stage, reason = str(made), "", ""
    if isinstance(made, Refusal):
        outcome, stage, reason = REFUSED, made.stage.value, made.reason
    elif isinstance(made, Report):
        serious = [finding for finding in made.findings if finding.severity.rank >= Severity.MAJOR.rank]
        passed = made.verdict is Verdict.PASS
        outcome, stage = (PASSED, "") if passed else (FAILED, made.verdict.value)
        reason = "" if passed else "; ".join(f"{finding.code}: {finding.message}" for finding in serious[:3])
    return {
        "brief": brief.id,
        "outcome": outcome,
        "stage": stage,
        "reason": reason[:600],
        "seconds": round(compile_s + gate_s, 2),
        "compile_s": round(compile_s, 2),
        "gate_s": round(gate_s, 2),
        "language": brief.solution.language if brief.solution else "",
    }


def run_all(briefs: Sequence[Brief], work: Callable[[Brief], Row], out: Path, *, workers: int, minutes: float) -> float:
    """Do the briefs, a row each; the seconds it took. None is begun once the minutes are over."""
    lock, start = threading.Lock(), time.perf_counter()

    def one(brief: Brief) -> None:
        if minutes and time.perf_counter() - start > 60 * minutes:
            return
        try:
            row = work(brief)
        except Exception as error:  # noqa: BLE001 - one brief's accident must not lose the others; it is told in its row
            row = _row(brief, UNREADABLE, compile_s=0.0) | {"reason": f"{type(error).__name__}: {error}"[:600]}
        with lock:
            with out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
            print(f"{row['brief']}: {row['outcome']} {row['stage']} {row['seconds']} s", file=sys.stderr, flush=True)

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(one, briefs))
    return time.perf_counter() - start


def rows_of(out: Path) -> list[Row]:
    """What was done already; accidents of the machine are done again."""
    lines = out.read_text("utf-8").splitlines() if out.exists() else []
    return [row for row in map(json.loads, lines) if row["outcome"] != UNREADABLE]


def summary(rows: Sequence[Row], *, done: int, seconds: float) -> dict[str, Any]:
    """How many ended where; briefs a minute of this run."""
    spent = sum(row["seconds"] for row in rows)
    return {
        "briefs": len(rows),
        "outcomes": dict(Counter(row["outcome"] for row in rows).most_common()),
        "refused_at": dict(Counter(row["stage"] for row in rows if row["outcome"] == REFUSED).most_common()),
        "passed_by_language": dict(Counter(row["language"] for row in rows if row["outcome"] == PASSED)),
        "seconds_of_briefs": round(spent, 1),
        "this_run": {
            "briefs": done,
            "seconds": round(seconds, 1),
            "briefs_a_minute": round(60 * done / seconds, 1) if seconds else 0.0,
        },
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Read, do, and tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("path", type=Path, help="a file, folder or checkout of briefs")
    parser.add_argument("--out", type=Path, required=True, help="JSON Lines, one a brief; added to")
    parser.add_argument("--folders", type=Path, help="where to keep the compiled task folders")
    parser.add_argument("--only", type=Path, help="a file of brief ids, one a line")
    parser.add_argument("--minutes", type=float, default=0.0, help="begin no brief after so many; 0: no limit")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--read-only", action="store_true", help="read, and run nothing")
    parser.add_argument("--first", type=int, default=0, help="at most so many of those that are left; 0: all")
    given = parser.parse_args(arguments)
    briefs = [brief for brief in read_briefs(given.path).briefs if brief.solution and brief.samples]
    if given.only:
        wanted = given.only.read_text("utf-8").split()
        briefs = sorted((brief for brief in briefs if brief.id in wanted), key=lambda brief: wanted.index(brief.id))
    there = {row["brief"] for row in rows_of(given.out)}
    left = [brief for brief in briefs if brief.id not in there][: given.first or None]
    given.out.parent.mkdir(parents=True, exist_ok=True)
    if given.read_only:
        seconds = run_all(left, read_only, given.out, workers=1, minutes=given.minutes)
    else:
        with (
            Sandbox(SandboxSettings()) as sandbox,
            program_runner(sandbox) as run,
            compiled_runner(sandbox) as run_compiled,
        ):
            works = Works(sandbox, run, run_compiled, given.folders)
            seconds = run_all(left, works, given.out, workers=given.workers, minutes=given.minutes)
    rows = rows_of(given.out)
    print(json.dumps(summary(rows, done=len(rows) - len(there), seconds=seconds), indent=2))


if __name__ == "__main__":
    main()
