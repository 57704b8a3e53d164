"""Lanes: a task's code, started and waiting. One thread uses a lane at a time; idle ones are kept, the oldest ended."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from threading import Lock

from bootcamp_kit.errors import MachineError
from bootcamp_kit.folder import TaskFolder
from evaluation.boxes import HeldBox, job_limits
from evaluation.process_box import ProcessBox
from sandbox.calls import Call, Observation
from sandbox.service import Sandbox

IDLE_S = 10.0
"""A process that nobody asked for so long is ended; its container stays."""


class Lane:
    """One task in one box; a sandboxed one keeps its process between batches."""

    def __init__(self, folder: TaskFolder, sandbox: Sandbox | None) -> None:
        self.task_id = folder.card.id
        self.used = 0.0
        self._ended = ExitStack()
        limits = job_limits(folder.card)
        self._box: ProcessBox | HeldBox
        if sandbox is None:
            self._box = self._ended.enter_context(ProcessBox(folder.sources, limits))
        else:
            self._box = HeldBox(self._ended.enter_context(sandbox.box(folder.sources, limits)))

    def ask(self, calls: Sequence[Call]) -> list[Observation]:
        """One observation for each call, in order.

        Raises:
            MachineError: no container or process can be started.
        """
        self.used = time.monotonic()
        return self._box.batch(calls)

    def rest(self) -> None:
        """End the sandboxed process and keep the container. For the thread that uses the lane."""
        self.used = 0.0
        if isinstance(self._box, HeldBox):
            self._box.rest()

    def close(self) -> None:
        """End everything; a batch that another thread has under way ends in an exception."""
        self._ended.close()


class Lanes:
    """All lanes of the service. Safe for several threads.

    Args:
        folders: Task id → files.
        sandbox: Entered; None runs approved code in processes of this machine.
        most: Lanes open at once; at least as many as threads.
    """

    def __init__(self, folders: Mapping[str, TaskFolder], sandbox: Sandbox | None, *, most: int) -> None:
        self._folders, self._sandbox, self._most = folders, sandbox, most
        self._lock = Lock()
        self._idle: list[Lane] = []
        self._busy: set[Lane] = set()
        self._closed = False

    def use(self, task_id: str) -> AbstractContextManager[Lane]:
        """A lane for one batch: an idle one, or a new one.

        Raises:
            MachineError: none can be started, or all were closed.
        """
        return _Use(self, task_id)

    @property
    def open(self) -> int:
        """Lanes open now."""
        with self._lock:
            return len(self._idle) + len(self._busy)

    def tidy(self) -> None:
        """End processes that nobody asks any more."""
        with self._lock:
            quiet = [lane for lane in self._idle if lane.used and time.monotonic() - lane.used > IDLE_S]
            self._idle = [lane for lane in self._idle if lane not in quiet]
            self._busy |= set(quiet)
        for lane in quiet:
            lane.rest()
            self.give(lane)

    def close(self) -> None:
        """End all lanes, busy ones too."""
        with self._lock:
            self._closed = True
            lanes = [*self._idle, *self._busy]
            self._idle.clear()
        for lane in lanes:
            lane.close()

    def take(self, task_id: str) -> Lane:
        """See :meth:`use`."""
        while True:
            with self._lock:
                if self._closed:
                    raise MachineError("scoring", "the service is stopping", "ask again later")
                lane = next((lane for lane in self._idle if lane.task_id == task_id), None)
                if lane:
                    self._idle.remove(lane)
                    self._busy.add(lane)
                    return lane
                full = len(self._idle) + len(self._busy) >= self._most
                old = self._idle.pop(0) if full and self._idle else None
            if old:
                old.close()
                continue
            lane = Lane(self._folders[task_id], self._sandbox)
            with self._lock:
                self._busy.add(lane)
                closed = self._closed
            if closed:
                self.drop(lane)
                continue
            return lane

    def give(self, lane: Lane) -> None:
        """Back among the idle ones."""
        with self._lock:
            self._busy.discard(lane)
            if not self._closed:
                self._idle.append(lane)
                return
        lane.close()

    def drop(self, lane: Lane) -> None:
        """End one that failed."""
        with self._lock:
            self._busy.discard(lane)
        lane.close()


class _Use(AbstractContextManager[Lane]):
    def __init__(self, lanes: Lanes, task_id: str) -> None:
        self._lanes, self._task_id = lanes, task_id

    def __enter__(self) -> Lane:
        self._lane = self._lanes.take(self._task_id)
        return self._lane

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is None:
            self._lanes.give(self._lane)
        else:
            self._lanes.drop(self._lane)
