"""Verifier code that many share: the kit under every task, and the code of a merged task that gets a new version.

A reviewer's page and a decision read the library's folder on disk; a merge reads the commit that it goes on top of.

The kit is told by what the library's tasks were measured under. A candidate cannot change it, since its merge touches
one folder; but one that was measured under a kit that no task of the library records is the first to be judged by
readers and scoring that nobody there has looked at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from typing import Protocol

from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.library import approved_hash
from review import since
from review.evidence import REPORT
from review.item import QueueItem

_HEAD_BYTES = 8_192
_KIT = re.compile(rb'^  "kit_version": ("(?:[^"\\\n]|\\.)*"),?$', re.MULTILINE)
"""The line as merges write it: at this depth stands nothing else, and no text inside a string can look like it."""
SHOWN = 3


class Shelf(Protocol):
    """A library's merged tasks."""

    def reports(self) -> Iterator[bytes]:
        """Every task's report, or the beginning of it that names the kit."""
        ...

    def merged(self, task_id: str) -> Iterator[tuple[str, str]]:
        """Address and content hash of each merged task of that id."""
        ...


@dataclass(frozen=True, slots=True)
class OnDisk:
    """A library's folder."""

    library: Path

    def reports(self) -> Iterator[bytes]:
        """The beginning of each where that is enough. What cannot be read is left out."""
        for path in self.library.glob(f"*/*/{REPORT}"):
            if path.parents[2].name.startswith("."):
                continue
            try:
                with path.open("rb") as report:
                    head = report.read(_HEAD_BYTES)
                    yield head if _KIT.search(head) else head + report.read()
            except OSError:
                continue

    def merged(self, task_id: str) -> Iterator[tuple[str, str]]:
        """Address and content hash of each; what cannot be read is left out."""
        for path in self.library.glob(f"*/{escape(task_id)}/card.toml"):
            try:
                if approved_hash(path.parent) is not None:
                    address = f"{path.parents[1].name}/{path.parent.name}"
                    yield address, TaskFolder.read(path.parent).content_hash
            except (OSError, UsageError):
                continue


def on_disk(library: Path | None) -> OnDisk | None:
    """The library's folder, where one is at hand."""
    return OnDisk(library) if library is not None else None


def other_kits(shelf: Shelf | None, kit: str) -> tuple[str, ...]:
    """The kits that the library's merged tasks were measured under, where ``kit`` is none of them; else nothing.

    Nothing, too, where no library is at hand or it holds no merged task. One task is read after the other until one has
    the same.
    """
    found: set[str] = set()
    for report in shelf.reports() if shelf is not None else ():
        other = _kit_of(report)
        if other == kit:
            return ()
        if other is not None:
            found.add(other)
    return tuple(sorted(found))


def uncompared(shelf: Shelf | None, item: QueueItem) -> str:
    """The merged task that this is another version of, where its report does not say which verdicts change; else "".

    A report without the comparison was made where the library was not at hand.
    """
    if shelf is None or since.figures(item.report) is not None:
        return ""
    others = shelf.merged(item.task_id)
    return next((address for address, content_hash in others if content_hash != item.content_hash), "")


def shown(kits: tuple[str, ...]) -> str:
    """The kits in a few words."""
    more = f" and {len(kits) - SHOWN} more" if len(kits) > SHOWN else ""
    return ", ".join(kits[:SHOWN]) + more


def _kit_of(report: bytes) -> str | None:
    found = _KIT.search(report[:_HEAD_BYTES])
    try:
        return str(json.loads(found[1]) if found else json.loads(report)["environment"]["kit_version"])
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
