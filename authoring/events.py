"""What happened in a run, one line each: appended to ``events.jsonl`` and told to a listener."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TypeAlias

from authoring.storage import disk
from bootcamp_kit.jsondata import Json

MAX_DETAIL_CHARS = 500


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened. A node that was killed runs again, so an event may be told twice.

    Attributes:
        at: UTC, ISO 8601 with milliseconds.
        brief: The brief's id; "" for the run itself.
        index: Which of the N candidates; None for the brief or the run itself.
        node: Node of the workflow, or ``brief`` or ``run``.
        what: ``started``, ``finished``, or the result in a word.
        detail: At most 500 characters; may hold text of a model or a candidate, so escape it before a terminal.
        figures: Numbers of that node, named in docs/workflow.md; left out of the line when there are none.
    """

    at: str
    brief: str
    index: int | None
    node: str
    what: str
    detail: str = ""
    figures: Mapping[str, Json] = field(default_factory=dict)


Listener: TypeAlias = Callable[[Event], None]


class EventLog:
    """Append-only lines. After kill -9 at most the last line is torn; it stays as it is and readers pass over it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, event: Event) -> None:
        """Write one line in one system call.

        Raises:
            MachineError: the disk is full or the folder is gone.
        """
        raw = {key: value for key, value in asdict(event).items() if key != "figures" or value}
        line = json.dumps(raw, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"
        with disk(f"writing {self.path.name}", self.path):
            handle = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
            try:
                size = os.fstat(handle).st_size
                if size and os.pread(handle, 1, size - 1) != b"\n":
                    line = b"\n" + line
                os.write(handle, line)
            finally:
                os.close(handle)

    def read(self) -> Iterator[Event]:
        """All whole lines, oldest first."""
        if not self.path.exists():
            return
        with self.path.open("rb") as lines:
            for line in lines:
                try:
                    yield Event(**json.loads(line))
                except (ValueError, TypeError):
                    continue
