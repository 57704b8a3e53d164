"""What the workflow's nodes are given from outside: author, gate, queue, run folder, clock. Never checkpointed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from authoring.author import Author
from authoring.events import MAX_DETAIL_CHARS, Event, Listener
from authoring.runs import RunFolder
from authoring.settings import AuthoringSettings
from bootcamp_kit.candidate import Submission
from bootcamp_kit.errors import BootcampError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import Json
from bootcamp_kit.report import Report
from sandbox.escaping import escaped

if TYPE_CHECKING:
    from langgraph.runtime import RunControl


class Stop:
    """A request to end the run in good order: no new node starts, what is running may finish. Safe from any thread.

    Attributes:
        why: In words; "" while nobody asked.
        error: The error that asked, or None.
    """

    def __init__(self) -> None:
        self.why = ""
        self.error: BootcampError | None = None
        self._controls: set[RunControl] = set()

    @property
    def requested(self) -> bool:
        """Whether the run is to end."""
        return bool(self.why)

    def request(self, why: str, error: BootcampError | None = None) -> None:
        """End the run; the first reason stands."""
        if not self.why:
            self.why, self.error = why, error
        for control in tuple(self._controls):
            control.request_drain(self.why)

    def watch(self, control: RunControl) -> None:
        """Pass a request on to one running graph."""
        self._controls.add(control)
        if self.why:
            control.request_drain(self.why)

    def unwatch(self, control: RunControl) -> None:
        """That graph has ended."""
        self._controls.discard(control)


@dataclass
class AuthoringContext:
    """One run's surroundings.

    Attributes:
        gate: Judges a folder; synchronous, called in a thread.
        submit: Puts a candidate into the review queue and returns its id there; the same content twice is one item.
            Synchronous, called in a thread.
        clock: UTC now.
        listener: Told every event, in the event loop's thread; must not raise.
        handle_signals: Whether SIGINT and SIGTERM end the run in good order (a second one at once). Only possible in
            the main thread.
    """

    author: Author
    gate: Callable[[TaskFolder], Report]
    submit: Callable[[Submission], str]
    run: RunFolder
    settings: AuthoringSettings
    clock: Callable[[], datetime]
    listener: Listener | None = None
    handle_signals: bool = False
    stop: Stop = field(default_factory=Stop)
    gates: asyncio.Semaphore = field(init=False)

    def __post_init__(self) -> None:
        self.gates = asyncio.Semaphore(self.settings.gate_parallelism)

    @property
    def candidates(self) -> int:
        """Drafts per brief."""
        return 1 if self.author.deterministic else self.settings.candidates

    @property
    def repairs(self) -> int:
        """Further turns per candidate."""
        return 0 if self.author.deterministic else self.settings.repairs

    def tell(
        self,
        brief: str,
        index: int | None,
        node: str,
        what: str,
        detail: str = "",
        figures: Mapping[str, Json] | None = None,
    ) -> None:
        """Record an event and tell the listener."""
        at = self.clock().isoformat(timespec="milliseconds")
        event = Event(at, brief, index, node, what, escaped(detail, MAX_DETAIL_CHARS), figures or {})
        self.run.events.append(event)
        if self.listener is not None:
            self.listener(event)
