"""One person's sitting at the queue: what both the full-screen app and the plain dialogue do, without any screen.

Whatever is opened is noted in the queue at once, so a killed sitting loses nothing: decisions are whole, the time spent
is on record, and a claim runs out by itself.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from bootcamp_kit.decision import Choice, Decision
from bootcamp_kit.errors import ReviewRuleError
from review import difference
from review.decide import decide, undo
from review.difference import Before
from review.item import QueueItem
from review.listing import Filter, Page
from review.nearest import nearest
from review.opinions import JUDGED, OPENED, has_any, may_be_told
from review.pair import Pair, blind_pair
from review.people import same_person
from review.queue import Queue
from review.shared import on_disk, other_kits, shown
from review.states import State
from review.trial import Trial, trial
from review.worst import Rerun, Row, rerun, worst_rows
from sandbox.service import Sandbox

OpenSandbox = Callable[[], AbstractContextManager[Sandbox]]

REASONS = {
    Choice.REJECT: (
        "it asks for something else than the rule",
        "the rule is not worth a task",
        "it is a duplicate of another task",
        "the source or its licence is doubtful",
    ),
    Choice.RETURN: (
        "the prompt leaves out a fact that decides the answer",
        "the prompt contradicts the rule",
        "a wrong answer is accepted",
        "a right answer is rejected",
        "the answer format is unclear or too strict",
        "a blind answer earns too much",
        "levels do not get harder",
        "cases are too alike, or answers too few",
        "the code is more than the rule needs",
    ),
}
"""The usual reasons; a person may add words of their own."""


@dataclass(frozen=True, slots=True)
class Opened:
    """An item on the table.

    Attributes:
        held: Whether it is claimed for this person.
        note: Why not, or "".
        context: (label, text) of what is there already: the nearest task, what changed since a first look.
    """

    item: QueueItem
    held: bool
    note: str = ""
    context: tuple[tuple[str, str], ...] = ()


class Session:
    """A sitting of one reviewer. The sandbox is started when it is first needed and kept until the end.

    ``library`` is the folder whose tasks an item is compared with, or None.
    """

    def __init__(self, queue: Queue, reviewer: str, open_sandbox: OpenSandbox, *, library: Path | None = None) -> None:
        self.queue, self.reviewer, self.library = queue, reviewer, library
        self._open_sandbox = open_sandbox
        self._resources = ExitStack()
        self._sandbox: Sandbox | None = None
        self._busy = threading.Lock()
        self._held: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for content_hash in sorted(self._held):
            self.leave(content_hash)
        with self._busy:
            self._resources.close()

    def page(self, wanted: Filter, limit: int) -> Page:
        """A part of the list."""
        return self.queue.find(wanted, limit=limit)

    def next(self, wanted: Filter) -> str | None:
        """Content hash of the next item this person may decide, claimed; or None."""
        item = self.queue.claim_next(self.reviewer, wanted)
        if item is not None:
            self._held.add(item.content_hash)
        return item.content_hash if item else None

    def open(self, ref: str) -> Opened:
        """Put an item on the table; claimed when it waits and nobody else has it.

        Raises:
            UsageError: no such item, or several.
        """
        item = self.queue.item(ref)
        note = ""
        if item.state is State.QUEUED and same_person(self.reviewer, item.lineage.author):
            note = "you made it: somebody else decides"
        elif item.state is State.QUEUED:
            try:
                self.queue.claim(item.content_hash, self.reviewer)
                self._held.add(item.content_hash)
            except ReviewRuleError as error:
                note = error.found
        self.note(item, "first screen")
        now = self.queue.item(item.content_hash)
        return Opened(now, item.content_hash in self._held, note, self.context(now))

    def context(self, item: QueueItem) -> tuple[tuple[str, str], ...]:
        """What is there already, in lines."""
        return context_of(self.queue, item, self.reviewer, self.library)

    def before(self, item: QueueItem) -> Before | None:
        """What a second look compares with, else the nearest task; None when there is neither."""
        self.note(item, "difference")
        found = difference.before_of(self.queue, item, self.reviewer, self.library)
        return found or difference.nearest_before(item, self.library)

    def leave(self, content_hash: str) -> None:
        """Give the claim up, if it is still this person's."""
        self._held.discard(content_hash)
        with suppress(ReviewRuleError):  # it ran out, and somebody else has it now
            self.queue.release(content_hash, self.reviewer)

    def note(self, item: QueueItem, what: str) -> None:
        """Record that something was opened."""
        self.queue.note(item.content_hash, self.reviewer, what)

    def rows(self, item: QueueItem) -> tuple[Row, Row, Row]:
        """The three worst rows of evidence."""
        return worst_rows(item.report)

    def rerun(self, item: QueueItem, row: Row) -> Rerun:
        """Run a row again.

        Raises:
            MachineError: the sandbox failed.
        """
        self.note(item, f"run again: {row.key}")
        with self._busy:
            return rerun(self._entered(), item, row)

    def pair(self, item: QueueItem, level: int) -> Pair:
        """A case with two unlabelled answers.

        Raises:
            MachineError: the sandbox failed.
        """
        with self._busy:
            made = blind_pair(self._entered(), item, level)
        if made.problem:
            self.note(item, f"{JUDGED} {level}: none could be made")
        return made

    def judge(self, item: QueueItem, pair: Pair, chosen: int) -> bool:
        """What the person said of a pair, and whether the task says the same.

        Only the first word on a level is recorded: after it the person has been told.
        """
        agreed = chosen == pair.right
        before = self.queue.judged(item.content_hash, self.reviewer)
        if not any(what.startswith(f"{JUDGED} {pair.level}:") for what in before):
            self.note(item, f"{JUDGED} {pair.level}: {'agreed' if agreed else 'DISAGREED'}")
        return agreed

    def told(self, item: QueueItem) -> bool:
        """Whether a model's opinions may be shown: the person judged a pair of it, or it is decided.

        Also where no pair could be made. Kept in the queue, so it holds for the next sitting, too.
        """
        told = may_be_told(item, bool(self.queue.judged(item.content_hash, self.reviewer)))
        if told and has_any(item.report):
            self.note(item, OPENED)
        return told

    def trial(self, item: QueueItem, level: int, seed: int, response: str | None = None) -> Trial:
        """A case, and what the task makes of a response.

        Raises:
            UsageError: no such level.
            MachineError: the sandbox failed.
        """
        if response is not None:
            self.note(item, f"try level {level}")
        with self._busy:
            return trial(self._entered(), item, level, seed, response)

    def decide(self, item: QueueItem, choice: Choice, reason: str = "") -> tuple[Decision, QueueItem]:
        """Decide, and the item as it is now.

        Raises:
            ReviewRuleError: a rule forbids it.
        """
        shown_hash = item.folder.content_hash
        made = decide(
            self.queue,
            item.content_hash,
            choice,
            self.reviewer,
            reason,
            shown_hash=shown_hash,
            library=self.library,
        )
        self._held.discard(item.content_hash)
        return made, self.queue.item(item.content_hash)

    def undo(self, item: QueueItem) -> QueueItem:
        """Take one's own decision back.

        Raises:
            ReviewRuleError: it is not theirs, or something came after it.
        """
        undo(self.queue, item.content_hash, self.reviewer)
        return self.open(item.content_hash).item

    def _entered(self) -> Sandbox:
        if self._sandbox is None:
            self._sandbox = self._resources.enter_context(self._open_sandbox())
        return self._sandbox


def context_of(queue: Queue, item: QueueItem, reviewer: str, library: Path | None) -> tuple[tuple[str, str], ...]:
    """(label, text): the nearest task, what changed since what was reviewed before, a kit new to the library."""
    lines = []
    near = nearest(item, library, at_most=1) if library else ()
    if near:
        lines.append(("nearest task", near[0].words))
    before = difference.before_of(queue, item, reviewer, library)
    if before:
        changed = difference.summary(difference.differences(before.files, item.folder.files))
        lines.append(("against", f"{before.words}: {changed}"))
    kit = item.report.environment.kit_version
    if others := other_kits(on_disk(library), kit):
        lines.append(
            ("two people", f"because of kit {kit}, code under every verifier: the library has {shown(others)}")
        )
    return tuple(lines)


def outer_levels(item: QueueItem) -> tuple[int, int]:
    """The easiest and the hardest level.

    Raises:
        UsageError: the card cannot be read.
    """
    levels = item.folder.card.difficulty.levels
    return levels[0], levels[-1]
