"""An author whose tasks may replace ones that stand in the library: examples that were reported stay, versions follow.

Wraps any author. For a brief whose id the library does not have it changes nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from authoring.author import Assignment, Author, Draft, Refused
from bootcamp_kit.candidate import Candidate
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Finding
from bootcamp_kit.versions import Size, bumped, with_version
from sandbox.checks.examples_file import REPORTED, Example, parse_examples, with_examples

EXAMPLES = "examples.toml"


@dataclass(frozen=True)
class ReplacingAuthor:
    """See the module's text.

    Attributes:
        author: Who writes.
        standing: Task id → the task of that id in the library, or None.
        compare: How large the step from the standing task to another is; runs both in the sandbox, in a thread.
        refuse: Task id → why it may not be made, e.g. that it was retired; or "".
    """

    author: Author
    standing: Callable[[str], TaskFolder | None]
    compare: Callable[[TaskFolder, TaskFolder], Size]
    refuse: Callable[[str], str] = lambda task_id: ""

    @property
    def name(self) -> str:
        """The wrapped author's."""
        return self.author.name

    @property
    def deterministic(self) -> bool:
        """The wrapped author's."""
        return self.author.deterministic

    async def draft(self, work: Assignment) -> Draft:
        """See :class:`authoring.author.Author`."""
        refused = self.refuse(work.brief.id)
        return Refused("replace", refused) if refused else await self._replacing(await self.author.draft(work), None)

    async def repair(self, work: Assignment, candidate: Candidate, findings: Sequence[Finding], reason: str) -> Draft:
        """See :class:`authoring.author.Author`."""
        refused = self.refuse(work.brief.id)
        if refused:
            return Refused("replace", refused)
        return await self._replacing(await self.author.repair(work, candidate, findings, reason), candidate)

    async def close(self) -> None:
        """See :class:`authoring.author.Author`."""
        await self.author.close()

    async def _replacing(self, made: Draft, base: Candidate | None) -> Draft:
        if not isinstance(made, Candidate):
            return made
        folder = made.folder
        old = self.standing(folder.card.id)
        for before in (old, base.folder if base else None):
            folder = keep_reported(folder, before) if before else folder
        if old is None:
            return replace(made, folder=folder)
        folder = await asyncio.to_thread(self._numbered, old, folder)
        return Candidate(folder, replace(made.lineage, parent=old.content_hash))

    def _numbered(self, old: TaskFolder, new: TaskFolder) -> TaskFolder:
        new = with_version(new, old.card.version)
        return new if new == old else with_version(new, bumped(old.card.version, self.compare(old, new)))


def keep_reported(folder: TaskFolder, before: TaskFolder) -> TaskFolder:
    """The folder with the reported examples of another that it lost; unchanged where either file cannot be read."""
    try:
        there = parse_examples(folder.files[EXAMPLES], folder.card.difficulty.levels)
        known = parse_examples(before.files[EXAMPLES], before.card.difficulty.levels)
        lost = [item for item in known if item.name.startswith(REPORTED) and not _among(item, there)]
        if not lost:
            return folder
        return TaskFolder({**folder.files, EXAMPLES: with_examples(folder.files[EXAMPLES], lost)})
    except UsageError:
        return folder


def _among(wanted: Example, there: Sequence[Example]) -> bool:
    return any(replace(item, name=wanted.name) == wanted for item in there)
