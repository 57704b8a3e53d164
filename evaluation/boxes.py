"""Where task code runs: a sandbox box (any task), or a killable process of this machine (approved tasks only)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from threading import Lock
from types import TracebackType
from typing import Protocol

from bootcamp_kit.card import Card
from bootcamp_kit.errors import MachineError
from bootcamp_kit.folder import TaskFolder
from evaluation.process_box import ProcessBox
from evaluation.scoring import Ask
from sandbox.box import Box
from sandbox.calls import Call, Observation
from sandbox.limits import JobLimits
from sandbox.service import Sandbox

SESSION_CPU_S = 600.0
HELD_S, HELD_CALLS = 60.0, 20_000
PATIENCE_S = 2.0
"""What a batch under way gets when the boxes are closed; then it is cut off."""


class TaskBox(Protocol):
    """Answers calls on one task; one observation each, in order."""

    def batch(self, calls: Sequence[Call]) -> list[Observation]:
        """All calls; a call that hangs, crashes or dies is an observation, never an exception."""

    def close(self) -> None:
        """End whatever runs."""


class HeldBox:
    """A sandboxed task whose process is kept between batches: starting one costs 25 times a call, or an import.

    The process is replaced after :data:`HELD_S` seconds or :data:`HELD_CALLS` calls, so that whatever it keeps is
    forgotten. One thread at a time; only :meth:`close` may come from another.
    """

    def __init__(self, box: Box) -> None:
        self._box = box
        self._session: ExitStack | None = None
        self._batch: Ask | None = None
        self._since, self._calls = 0.0, 0

    def batch(self, calls: Sequence[Call]) -> list[Observation]:
        """All calls, in order.

        Raises:
            MachineError: no container can be started.
        """
        now = time.monotonic()
        if now - self._since > HELD_S or self._calls > HELD_CALLS:
            self.rest()
        if self._batch is None:
            self._session = ExitStack()
            self._batch = self._session.enter_context(self._box.session()).batch
            self._since, self._calls = now, 0
        self._calls += len(calls)
        return self._batch(calls)

    def rest(self) -> None:
        """End the process and keep the container."""
        session, self._session, self._batch = self._session, None, None
        if session:
            session.close()

    def close(self) -> None:
        """Remove the container; a batch under way in another thread ends in an exception."""
        self._box.close()


@dataclass(slots=True)
class _Slot:
    box: TaskBox
    ended: ExitStack
    lock: Lock = field(default_factory=Lock)
    users: int = 0


class Boxes:
    """Opens a box for each task on first use and keeps the last few. Safe for several threads.

    Args:
        folders: Task id → files.
        sandbox: Entered; None runs approved code in processes of this machine.
        keep: Most idle boxes kept open.
        held: Keep sandboxed processes between batches, for tasks that are slow to load.
    """

    def __init__(
        self, folders: Mapping[str, TaskFolder], sandbox: Sandbox | None, *, keep: int = 4, held: bool = False
    ) -> None:
        self._folders, self._sandbox, self._keep, self._held = folders, sandbox, keep, held
        self._lock = Lock()
        self._slots: dict[str, _Slot] = {}
        self._closed = False

    def __enter__(self) -> Boxes:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._closed = True
        with self._lock:
            slots = list(self._slots.values())
            self._slots.clear()
        for slot in slots:
            waited = slot.lock.acquire(timeout=PATIENCE_S)  # a batch under way, unless it hangs
            slot.ended.close()
            if waited:
                slot.lock.release()

    def batch(self, task_id: str, calls: Sequence[Call]) -> list[Observation]:
        """All calls on one task.

        Raises:
            MachineError: no box can be started; or the boxes were closed meanwhile, and what was seen means nothing.
        """
        with self._lock:
            self._require_open()
            slot = self._slots.pop(task_id, None) or self._start(self._folders[task_id])
            self._slots[task_id] = slot
            slot.users += 1
        try:
            with slot.lock:
                seen = slot.box.batch(calls)
            self._require_open()
            return seen
        finally:
            with self._lock:
                slot.users -= 1

    def asker(self, task_id: str) -> Ask:
        """:meth:`batch` bound to one task."""
        return lambda calls: self.batch(task_id, calls)

    def folder(self, task_id: str) -> TaskFolder:
        """The files of a task."""
        return self._folders[task_id]

    def _require_open(self) -> None:
        if self._closed:
            raise MachineError("scoring", "it was stopped", "resume the run")

    def _start(self, folder: TaskFolder) -> _Slot:
        idle = [name for name, slot in self._slots.items() if not slot.users]
        for name in idle[: max(0, len(self._slots) - self._keep + 1)]:
            self._slots.pop(name).ended.close()
        ended = ExitStack()
        limits = job_limits(folder.card)
        if self._sandbox is None:
            return _Slot(ended.enter_context(ProcessBox(folder.sources, limits)), ended)
        box = ended.enter_context(self._sandbox.box(folder.sources, limits))
        return _Slot(HeldBox(box) if self._held else box, ended)


def job_limits(card: Card) -> JobLimits:
    """A call's limits from the task's card; CPU time is for a whole session of calls."""
    return JobLimits(
        wall_s=card.limits.seconds_per_call, cpu_s=SESSION_CPU_S, address_mb=max(16, card.limits.memory_mb)
    )
