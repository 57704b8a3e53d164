"""What the workflow's nodes are given from outside: author, gate, queue, run folder, clock. Never checkpointed."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from authoring.author import Author
from authoring.events import MAX_DETAIL_CHARS, Event, Listener
from authoring.kept_boxes import KeptBoxes, OpenBox
from authoring.novelty import Catalogue
from authoring.roles import Roles, Spend
from authoring.runs import RunFolder
from authoring.settings import STAGES, AuthoringSettings
from bootcamp_kit.candidate import Submission
from bootcamp_kit.errors import BootcampError, InternalError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import Json
from bootcamp_kit.library import Library
from bootcamp_kit.report import Report
from sandbox.escaping import escaped

if TYPE_CHECKING:
    from langgraph.runtime import RunControl

    from evaluation.boxes import TaskBox
    from sandbox.limits import JobLimits

MOST_KEPT_BOXES = 16


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
        roles: The models beside the author, or None: then the stages that ask them are off.
        boxes: Opens a box around a task's files; None switches off the stages that run code beside the gate.
        library: The tasks that a new one is compared with, or None.
        spent: What was paid for a brief so far, by its id.
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
    roles: Roles | None = None
    boxes: OpenBox | None = None
    library: Library | None = None
    spent: Callable[[str], Spend] = lambda brief_id: Spend()
    handle_signals: bool = False
    stop: Stop = field(default_factory=Stop)
    gates: asyncio.Semaphore = field(init=False)
    _locks: WeakValueDictionary[str, asyncio.Lock] = field(init=False, default_factory=WeakValueDictionary)
    _catalogue: Catalogue | None = field(init=False, default=None)
    _kept: KeptBoxes | None = field(init=False, default=None)
    _box_lock: threading.Lock = field(init=False, default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.gates = asyncio.Semaphore(self.settings.gate_parallelism)

    def alone(self, name: str) -> asyncio.Lock:
        """A lock by name: equal candidates are judged one after the other, so that the second finds what was found."""
        lock = self._locks.get(name)
        if lock is None:
            lock = self._locks[name] = asyncio.Lock()
        return lock

    async def catalogue(self) -> Catalogue:
        """The library's shapes, read at first use.

        Raises:
            InternalError: this run has no library; the stage that compares is off then.
        """
        if self.library is None:
            raise InternalError("comparing with a library", "this run has none", "report this as a bug")
        async with self.alone("catalogue"):
            if self._catalogue is None:
                self._catalogue = await asyncio.to_thread(Catalogue, self.library)
            return self._catalogue

    @property
    def helpers(self) -> Roles:
        """The models beside the author.

        Raises:
            InternalError: there are none; no stage that asks them may be on then.
        """
        if self.roles is None:
            raise InternalError("asking a helper", "this run has none", "report this as a bug")
        return self.roles

    def open_box(self, files: Mapping[str, bytes], limits: JobLimits) -> AbstractContextManager[TaskBox]:
        """A box around task files, perhaps one that was used on the same files before.

        Raises:
            InternalError: this run has none; no stage that needs one may be on then.
            MachineError: it cannot be started.
        """
        if self.boxes is None:
            raise InternalError("opening a box", "this run has none", "report this as a bug")
        with self._box_lock:
            if self._kept is None:
                wanted = 2 * self.settings.brief_parallelism * self.candidates
                self._kept = KeptBoxes(self.boxes, min(MOST_KEPT_BOXES, wanted))
        return self._kept.box(files, limits)

    def close_boxes(self) -> None:
        """Close the boxes that nobody uses."""
        if self._kept is not None:
            self._kept.close()

    @property
    def stages(self) -> list[str]:
        """The optional stages that are on: wanted, and there is what they need."""
        have = {
            "analyse": self.roles is not None,
            "oppose": self.roles is not None and self.boxes is not None,
            "calibrate": self.roles is not None and self.boxes is not None,
            "compare": self.library is not None,
        }
        return [stage for stage in STAGES if stage in self.settings.stages and have[stage]]

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
