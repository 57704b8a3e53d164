"""Boxes that stay open between the stages that use them: starting one costs as much as everything a stage asks of it.

A box is one program's for good: the key is its files and limits. A few that nobody uses are kept; the one unused for
longest is closed first.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, TypeAlias

from bootcamp_kit.jsondata import canonical, digest

if TYPE_CHECKING:
    from evaluation.boxes import TaskBox
    from sandbox.limits import JobLimits

OpenBox: TypeAlias = "Callable[[Mapping[str, bytes], JobLimits], AbstractContextManager[TaskBox]]"
"""Task files and limits → a box that answers calls on them. Used in a thread."""


class KeptBoxes:
    """Safe for several threads: each box is one user's at a time, and two users of the same program get two boxes.

    Args:
        open_box: Opens a box.
        keep: Most unused boxes kept open.
    """

    def __init__(self, open_box: OpenBox, keep: int) -> None:
        self._open, self._keep = open_box, keep
        self._lock = threading.Lock()
        self._unused: OrderedDict[str, list[tuple[TaskBox, ExitStack]]] = OrderedDict()

    @contextmanager
    def box(self, files: Mapping[str, bytes], limits: JobLimits) -> Iterator[TaskBox]:
        """A box around these files. One that an error was met with is closed and not used again.

        Raises:
            MachineError: it cannot be started.
        """
        key = _key(files, limits)
        box, ended = self._take(key) or self._start(files, limits)
        try:
            yield box
        except BaseException:
            ended.close()
            raise
        for old in self._give_back(key, box, ended):
            old.close()

    def close(self) -> None:
        """Close what is unused; the next user of any program gets a new box."""
        with self._lock:
            left = [ended for kind in self._unused.values() for _, ended in kind]
            self._unused.clear()
        for ended in left:
            ended.close()

    def _take(self, key: str) -> tuple[TaskBox, ExitStack] | None:
        with self._lock:
            kind = self._unused.pop(key, [])
            found = kind.pop() if kind else None
            if kind:
                self._unused[key] = kind
            return found

    def _start(self, files: Mapping[str, bytes], limits: JobLimits) -> tuple[TaskBox, ExitStack]:
        ended = ExitStack()
        return ended.enter_context(self._open(files, limits)), ended

    def _give_back(self, key: str, box: TaskBox, ended: ExitStack) -> list[ExitStack]:
        """Keep it; what there is no room for any more is the caller's to close."""
        too_many = []
        with self._lock:
            self._unused.setdefault(key, []).append((box, ended))
            self._unused.move_to_end(key)
            while sum(map(len, self._unused.values())) > self._keep:
                oldest = next(iter(self._unused))
                too_many.append(self._unused[oldest].pop(0)[1])
                if not self._unused[oldest]:
                    del self._unused[oldest]
        return too_many


def _key(files: Mapping[str, bytes], limits: JobLimits) -> str:
    names = {name: digest(data) for name, data in files.items()}
    return digest(canonical({"files": names, "limits": asdict(limits)}))
