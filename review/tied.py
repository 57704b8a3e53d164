"""Whether the library's records and the queue's log speak of the same approvals.

A log alone cannot show that its newest events were cut off, or that all of it was written anew: a chain of hashes has
no key. Each merge therefore keeps the hash of its approving event in ``evidence/record.toml``, which git keeps. Whoever
rewrites the queue would have to rewrite git's history, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bootcamp_kit.tomldata import read_toml
from review import evidence
from review.queue import Queue


@dataclass(frozen=True, slots=True)
class Tied:
    """How many merged tasks of this queue name an event of its log, and what is wrong with the others."""

    count: int
    problems: tuple[str, ...] = ()


def tied(queue: Queue, library: Path) -> Tied:
    """Compare every approved task of a library whose bytes this queue knows with the log."""
    approved = {event.hash: event.content_hash for event in queue.events() if event.kind == "approved"}
    known = {entry.content_hash for entry in queue.items()}
    count, problems = 0, []
    for task, content_hash, event in _approvals(library):
        if content_hash not in known:
            continue
        if approved.get(event) == content_hash:
            count += 1
        else:
            problems.append(f"{task}: the event that approved it ({event[:12]}) is not in this log")
    return Tied(count, tuple(problems))


def _approvals(library: Path) -> Iterable[tuple[str, str, str]]:
    """(task, content hash, event) of every record that can be read."""
    for path in sorted(library.glob(f"*/*/{evidence.RECORD}")):
        try:
            approval = read_toml(path.read_bytes())["approval"]
            yield (
                f"{path.parents[2].name}/{path.parents[1].name}",
                str(approval["content_hash"]),
                str(approval["event"]),
            )
        except (OSError, ValueError, LookupError, TypeError):
            continue
