"""What the workers of a foreign audit do when one of them, or the user, gives up."""

from __future__ import annotations

import threading
from queue import SimpleQueue
from typing import Any

import pytest

from sandbox.audit.foreign.library import Run, _taken


class Interrupted(Run):
    """The first task is given up by the user while the second is under way."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.stopped = threading.Event()

    def _measure(self, left: SimpleQueue[str], rows: Any) -> None:
        for name in _taken(left):
            self.begun.append(name)
            if name == "first":
                self.stopped.set()
                raise KeyboardInterrupt
            self.stopped.wait(10)
            threading.Event().wait(0.2)


def test_no_task_is_begun_after_an_interruption() -> None:
    run = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        run.measure_all(["first", "second", *map(str, range(50))], None, 2)  # type: ignore[arg-type]
    assert len(run.begun) < 5
