"""What can be repaired: a queue item, or a task that stands in the library; with its brief and who made it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bootcamp_kit.brief import Brief, Solution
from bootcamp_kit.candidate import Candidate, Lineage
from bootcamp_kit.decision import RepairOrder
from bootcamp_kit.errors import BootcampError, UsageError
from bootcamp_kit.folder import TaskFolder, read_plain
from bootcamp_kit.report import Finding, Severity
from review import evidence
from review.item import QueueItem

_REFERENCE = "reference.py"


@dataclass(frozen=True, slots=True)
class Subject:
    """One task to repair.

    Attributes:
        name: What a person calls it.
        brief: The one it was made from; put together again from the folder where the queue does not know it.
    """

    name: str
    brief: Brief
    candidate: Candidate

    def order(self, findings: Sequence[Finding], reason: str = "") -> RepairOrder:
        """The order to mend it.

        Raises:
            UsageError: nothing was found against it, beyond notes.
        """
        heavy = tuple(finding for finding in findings if finding.severity is not Severity.NOTE)
        if not heavy:
            raise UsageError(f"repairing {self.name}", "nothing was found against it", "nothing is to be mended")
        return RepairOrder(self.brief, self.candidate, heavy, reason)


def of_item(item: QueueItem) -> Subject:
    """A queue item."""
    return Subject(item.ref, item.brief, item.candidate)


def of_task(path: Path, item: QueueItem | None = None) -> Subject:
    """A task that stands in the library.

    Args:
        path: Its folder.
        item: The queue's item of the same bytes, which has the brief as it was handed in; or None.

    Raises:
        UsageError: it cannot be read as a task.
    """
    folder = TaskFolder.read(path)
    name = folder.card.id
    if item is not None and item.content_hash == folder.content_hash:
        return Subject(name, item.brief, Candidate(folder, item.lineage))
    brief = rebuilt_brief(folder)
    return Subject(name, brief, Candidate(folder, Lineage(folder.card.author, brief.hash, attempt=_attempt(path))))


def rebuilt_brief(folder: TaskFolder) -> Brief:
    """A brief out of ``brief.md``, card and reference: the words are the same, the samples stand in them.

    Raises:
        UsageError: the card cannot be read, or the page is empty.
    """
    card = folder.card
    text = folder.files["brief.md"].decode("utf-8", "replace").strip()
    heading, _, rest = text.partition("\n")
    text = rest.strip() if heading == f"# {card.title}" else text
    text = text.rpartition("\n---\n\nSource: ")[0].strip() or text
    code = folder.files.get(_REFERENCE)
    solution = Solution("python3", code.decode("utf-8", "replace")) if code else None
    return Brief(card.id, card.family, card.title, text, card.source, solution=solution, tags=card.tags)


def _attempt(path: Path) -> int:
    """The newest attempt of its record; 1 where there is none that can be read."""
    try:
        entries = evidence.read_record(read_plain(path / evidence.RECORD), str(path)).get("lineage", [])
        return max(1, int(entries[-1]["attempt"]))
    except (OSError, BootcampError, LookupError, TypeError, ValueError):
        return 1
