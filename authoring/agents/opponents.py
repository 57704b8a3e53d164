"""Opponents for what a coding agent hands in: the same voices as in a run, asked from the desk's threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NoReturn

from authoring.author import Assignment
from authoring.context import AuthoringContext
from authoring.kept_boxes import OpenBox
from authoring.model_author import brief_text
from authoring.opposition.hearing import Opposition, hear
from authoring.roles import Roles
from authoring.runs import RunFolder
from bootcamp_kit.brief import Brief
from bootcamp_kit.candidate import Candidate, Submission
from bootcamp_kit.errors import InternalError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Finding


class Opponents:
    """Hears opponents, one candidate at a time in whichever thread asks.

    Args:
        roles: Opens the models anew for each hearing: their connections belong to one event loop.
        boxes: Opens a box around a candidate.
        run: Where transcripts go, and whose numbers count.
        clock: UTC now.
    """

    def __init__(
        self, roles: Callable[[], Roles], boxes: OpenBox, *, run: RunFolder, clock: Callable[[], datetime]
    ) -> None:
        self._roles, self._boxes, self._run, self._clock = roles, boxes, run, clock

    def __call__(self, brief: Brief, folder: TaskFolder, label: str) -> Opposition:
        """All voices on one candidate that passed the gate.

        Raises:
            ProviderError: a model could not be asked.
            MachineError: a box could not be used.
            BudgetError: the limit is reached.
        """
        return asyncio.run(self._hear(brief, folder, label))

    async def _hear(self, brief: Brief, folder: TaskFolder, label: str) -> Opposition:
        roles = self._roles()
        context = AuthoringContext(
            author=_Absent(),
            gate=_not_here,
            submit=_not_here,
            run=self._run,
            settings=self._run.settings,
            clock=self._clock,
            roles=roles,
            boxes=self._boxes,
        )
        try:
            return await hear(brief.id, brief_text(brief), "", folder, label, context)
        finally:
            await asyncio.to_thread(context.close_boxes)
            await roles.close()


class _Absent:
    """The author's place: the agent, who is not asked from here."""

    deterministic = True
    name = "agent"

    async def draft(self, work: Assignment) -> NoReturn:
        _not_here(work)

    async def repair(
        self, work: Assignment, candidate: Candidate, findings: Sequence[Finding], reason: str
    ) -> NoReturn:
        _not_here(work)

    async def close(self) -> None:
        """Nothing is open."""


def _not_here(what: Assignment | TaskFolder | Submission) -> NoReturn:
    raise InternalError("hearing opponents", f"{type(what).__name__} came up", "report this as a bug")
