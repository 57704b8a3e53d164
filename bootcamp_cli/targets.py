"""What a person may name on the command line: a task folder, a queued candidate, or a merged task."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bootcamp_cli.commands.library import open_library
from bootcamp_cli.machine import open_queue
from bootcamp_cli.output import say
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from review.states import State

if TYPE_CHECKING:
    from bootcamp_cli.settings_model import Settings
    from bootcamp_kit.report import Report
    from review.item import QueueItem
    from review.queue import Queue


@dataclass(frozen=True, slots=True)
class Target:
    """A task folder and the words that name it again.

    Attributes:
        report: The queue's report about it; None for a folder or a merged task.
        known: Whether the queue's report is the one to show whatever is measured: an item that measures reviewers.
        waits: Whether it is a candidate that waits for a reviewer's decision.
        blind: Whether a model's opinions on it wait until whoever asks has judged a pair of answers.
    """

    name: str
    folder: TaskFolder
    report: Report | None = None
    known: bool = False
    waits: bool = False
    blind: bool = False


def resolve(settings: Settings, name: str) -> Target:
    """Find what is meant: an existing path first, then the queue, then the library.

    Raises:
        UsageError: nothing of that name; says where was looked.
    """
    path = Path(name)
    if path.exists():
        return Target(str(path), TaskFolder.read(path))
    if "/" in name:
        raise UsageError(f"task {name[:120]!r}", "no such folder", "name a folder that holds card.toml, or an id")
    looked = []
    if settings.queue or (settings.state_dir / "queue.sqlite").exists():
        with open_queue(settings) as queue:
            try:
                item = queue.item(name)
                known = queue.truth(item.content_hash) is not None
                _tell_of_namesake(settings, name, item)
                waits, blind = item.state is State.QUEUED, not _told(settings, queue, item)
                return Target(item.ref, item.folder, item.report, known, waits, blind)
            except UsageError as error:
                looked.append(error.found)
    try:
        entry = open_library(settings.library).entry(name)
    except UsageError as error:
        looked.append(error.found)
        raise UsageError(
            f"task {name[:80]!r}", "; ".join(looked), "name a folder, a queue item or a task id"
        ) from error
    return Target(name, TaskFolder.read(entry.path))


def _tell_of_namesake(settings: Settings, name: str, item: QueueItem) -> None:
    """Say which of two is meant, where a merged task has this id as well and other bytes."""
    from bootcamp_cli.replacing import find_task

    merged = find_task(settings, name) if name == item.task_id else None
    if merged is not None and TaskFolder.read(merged).content_hash != item.content_hash:
        say(
            f"note: {name} is a candidate ({item.state}) and, with other bytes, a merged task. "
            f"{item.ref} is meant, the candidate; for the merged task name its folder: {merged}"
        )


def _told(settings: Settings, queue: Queue, item: QueueItem) -> bool:
    from bootcamp_cli.commands.review_decide import looking
    from review.opinions import may_be_told

    who = looking(settings)
    return may_be_told(item, bool(who and queue.judged(item.content_hash, who)))
