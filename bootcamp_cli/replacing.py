"""What it means that a candidate replaces a task of the library: what stands there, and what changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bootcamp_cli.commands.library import open_library
from bootcamp_cli.machine import store_report
from bootcamp_cli.output import say
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.library import approved_hash, retired_because
from bootcamp_kit.report import Report, Verdict
from bootcamp_kit.versions import Size, with_version

if TYPE_CHECKING:
    from pathlib import Path

    from bootcamp_cli.settings_model import Settings
    from bootcamp_kit.brief import Brief
    from evaluation.changes import Changes
    from sandbox.service import Sandbox

TOLD = 5


class Replacement:
    """Compares candidates with the approved tasks of their ids; the same two are compared once."""

    def __init__(self, settings: Settings, sandbox: Sandbox) -> None:
        self.settings, self.sandbox = settings, sandbox
        self._known: dict[tuple[str, str], Changes] = {}

    def standing(self, task_id: str) -> TaskFolder | None:
        """The approved task of this id in the library, or None."""
        path = find_task(self.settings, task_id)
        if path is None or approved_hash(path) is None:
            return None
        return TaskFolder.read(path)

    def refuse(self, task_id: str) -> str:
        """Why no candidate of this id may be made, or ""; asked before anything is paid for."""
        path = find_task(self.settings, task_id)
        reason = retired_because(path) if path else None
        return f"the task {task_id} was retired ({reason}); give the brief another id" if reason is not None else ""

    def changes(self, old: TaskFolder, new: TaskFolder) -> Changes:
        """What changes from one to the other, over examples, gate answers and this state folder's rollouts.

        Raises:
            UsageError: one of the cards cannot be read.
            MachineError: the sandbox failed.
        """
        from evaluation.changes import measure_changes, runs_of

        key = (old.content_hash, with_version(new, old.card.version).content_hash)
        if key not in self._known:
            runs = runs_of(old.card.id, self.settings.state_dir / "evaluations")
            self._known[key] = measure_changes(self.sandbox, old, new, runs)
        return self._known[key]

    def size(self, old: TaskFolder, new: TaskFolder) -> Size:
        """How much changes."""
        return self.changes(old, new).size

    def gate(self, inner: Callable[[TaskFolder], Report]) -> Callable[[TaskFolder], Report]:
        """A gate whose reports also say what changes; those that do not pass are left as they are."""

        def run(folder: TaskFolder) -> Report:
            report = inner(folder)
            old = self.standing(folder.card.id) if report.verdict is Verdict.PASS else None
            if old is None or old.content_hash == folder.content_hash:
                return report
            told = replace(report, results=(*report.results, self.changes(old, folder).result()))
            store_report(self.settings, told)
            return told

        return run


def find_task(settings: Settings, task_id: str) -> Path | None:
    """The folder of a task in the library, without reading every card; None when there is none, or no library."""
    root = library_root(settings)
    return next((path.parent for path in sorted(root.glob(f"*/{task_id}/card.toml"))), None) if root else None


def tell_versions(settings: Settings, briefs: Sequence[Brief]) -> None:
    """Say which briefs have the id of a task of the library: what is made of them is a new version of it."""
    known = [(brief.id, place) for brief in briefs if (place := find_task(settings, brief.id))]
    for task_id, place in known[:TOLD]:
        try:
            version = f"version {TaskFolder.read(place).card.version}"
        except UsageError:
            version = "a card that cannot be read"
        say(f"{task_id}: the library has a task of this id, {version}: a new version of it is made of this brief")
    if len(known) > TOLD:
        say(f"and {len(known) - TOLD} more briefs have the id of a task of the library")


def tell_licences(briefs: Sequence[Brief]) -> None:
    """Say which briefs are under a licence that no library takes, before anything is spent on them."""
    from review.policy import licence_problem

    problems = [(brief.id, problem) for brief in briefs if (problem := licence_problem(brief.source.licence))]
    for brief_id, problem in problems[:TOLD]:
        say(f"{brief_id}: {problem}: what is made of it can be reviewed, but never merged until that is mended")
    if len(problems) > TOLD:
        say(f"and {len(problems) - TOLD} more briefs are under such a licence")


def library_root(settings: Settings) -> Path | None:
    """The library's folder, or None when the one that is named is not there."""
    try:
        return open_library(settings.library).root
    except UsageError:
        return None
