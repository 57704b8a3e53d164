"""Repeats one finding about a foreign task from its witness."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bootcamp_kit.errors import MachineError, UsageError
from sandbox.audit.foreign.asking import MachineFault
from sandbox.audit.foreign.battery import Battery
from sandbox.audit.foreign.library import Run, opened
from sandbox.audit.foreign.texts import seen
from sandbox.escaping import escaped
from sandbox.service import SandboxSettings

BY_SCORE = frozenset({"foreign.wrong_accepted", "foreign.nonsense_accepted", "foreign.hedge", "foreign.loose_number",
                      "foreign.hardly_checked", "foreign.reference_rejected", "foreign.answer_sometimes_not_one",
                      "foreign.answer_not_one", "foreign.out_of_range", "foreign.white_space",
                      "foreign.both_accepted"})  # fmt: skip
"""Codes whose witness is one response to one case and what it earned; all others are measured again as a whole."""
MAX_TEXT = 4_000


@dataclass(frozen=True, slots=True)
class ForeignReplay:
    """What came of it: (label, text) steps, escaped and capped."""

    reproduced: bool
    steps: tuple[tuple[str, str], ...]


def found_in(rows: Sequence[Mapping[str, Any]], finding_id: str) -> tuple[str, Mapping[str, Any]]:
    """(task, finding) of that id in the rows of an audit.

    Raises:
        UsageError: there is none.
    """
    for item in rows:
        for finding in item["findings"]:
            if finding["id"] == finding_id:
                return str(item["task"]), finding
    raise UsageError(f"replaying {finding_id[:40]!r}", f"none of {len(rows)} rows has it", "name the folder with --out")


def replay_foreign(
    settings: SandboxSettings,
    library: str,
    roots: Sequence[Path],
    task: str,
    finding: Mapping[str, Any],
    progress: Callable[[str], None],
) -> ForeignReplay:
    """Ask the library again what the finding's witness says, and nothing else where that is enough.

    Raises:
        UsageError: no such library, or not a folder.
        MachineError: the engine failed.
    """
    with opened(settings, library, roots, progress) as run:
        try:
            return _replayed(run, task, finding)
        except MachineFault as fault:
            raise MachineError(f"replaying a finding of {task[:80]}", str(fault), "try again") from fault


def _replayed(run: Run, task: str, finding: Mapping[str, Any]) -> ForeignReplay:
    witness = finding.get("witness") or {}
    number, response = witness.get("seed"), witness.get("response") or ""
    steps = [("task", task), ("finding", f"{finding['code']}: {finding['message']}")]
    with run.askers() as (first, second):
        if number is not None:
            made = first.make(task, run.plan.seed, number + 1)
            if isinstance(made, list) and len(made) > number:
                steps.append((f"prompt of case {number}", str(made[number].get("question", made[number]))))
        if finding["code"] in BY_SCORE and number is not None:
            steps.append(("response", response))
            told = seen(first.score(task, run.plan.seed, [(number, response)])[0])
            steps += [("seen now", told), ("seen then", str(witness.get("seen")))]
            return _shown(told == witness.get("seen"), steps)
        again = Battery(first, second, task, run.plan, run.policy).run()
        same = [item for item in again.findings if item.code == finding["code"]]
        steps += [("response", response)] if response else []
        steps.append(("measured again", same[0].message if same else "not found"))
        return _shown(bool(same), steps)


def _shown(reproduced: bool, steps: list[tuple[str, str]]) -> ForeignReplay:
    return ForeignReplay(reproduced, tuple((label, escaped(text, MAX_TEXT)) for label, text in steps))
