"""Verifier code that many share: the kit under every task, and the code of a merged task that gets a new version.

The kit is told by what the library's tasks were measured under. A candidate cannot change it, since its merge touches
one folder; but one that was measured under a kit that no task of the library records is the first to be judged by
readers and scoring that nobody there has looked at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from glob import escape
from pathlib import Path

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


def other_kits(library: Path | None, kit: str) -> tuple[str, ...]:
    """The kits that the library's merged tasks were measured under, where ``kit`` is none of them; else nothing.

    Nothing, too, where no library is at hand or it holds no merged task. Read from disk, one task after the other until
    one has the same.
    """
    found: set[str] = set()
    for other in _kits(library) if library is not None else ():
        if other == kit:
            return ()
        found.add(other)
    return tuple(sorted(found))


def uncompared(library: Path | None, item: QueueItem) -> str:
    """The merged task that this is another version of, where its report does not say which verdicts change; else "".

    A report without the comparison was made where the library was not at hand.
    """
    if library is None or since.figures(item.report) is not None:
        return ""
    for path in library.glob(f"*/{escape(item.task_id)}/card.toml"):
        try:
            if (
                approved_hash(path.parent) is not None
                and TaskFolder.read(path.parent).content_hash != item.content_hash
            ):
                return f"{path.parents[1].name}/{path.parent.name}"
        except (OSError, UsageError):
            continue
    return ""


def shown(kits: tuple[str, ...]) -> str:
    """The kits in a few words."""
    more = f" and {len(kits) - SHOWN} more" if len(kits) > SHOWN else ""
    return ", ".join(kits[:SHOWN]) + more


def _kits(library: Path) -> Iterator[str]:
    for path in library.glob(f"*/*/{REPORT}"):
        if path.parents[2].name.startswith("."):
            continue
        try:
            with path.open("rb") as report:
                head = report.read(_HEAD_BYTES)
                found = _KIT.search(head)
                if found:
                    yield str(json.loads(found[1]))
                else:
                    yield str(json.loads(head + report.read())["environment"]["kit_version"])
        except (OSError, ValueError, LookupError, TypeError, RecursionError):
            continue
