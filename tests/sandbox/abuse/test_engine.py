"""Floods that nobody reads, and containers that go. A daemon that dies: ``tests/sandbox/test_daemon.py``."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sandbox.calls import JobOutcome
from tests.sandbox.abuse.conftest import LIMITS, Fort
from tests.sandbox.adding_task import generate, program, task_files

pytestmark = pytest.mark.docker


def test_an_unread_flood_does_not_keep_the_box_from_closing(fort: Fort) -> None:
    def stop(done: int, total: int) -> None:
        raise ZeroDivisionError

    with fort.sandbox.box(task_files("def generate(self, rng, params): return 'x' * 900_000"), LIMITS) as box:
        with pytest.raises(ZeroDivisionError):
            box.batch([generate(seed) for seed in range(30)], progress=stop)
        box.close()  # ends at all: a removal waits for somebody to read


def test_a_job_that_makes_its_container_go_is_blamed_on_nobody_else(fort: Fort) -> None:
    """Timeouts, memory and floods take the container with them; the calls around them are answered as if alone."""
    good, bad = program("print(1)"), [program("while True: pass"), program("bytearray(1 << 30)")]
    with fort.sandbox.box({}, replace(LIMITS, wall_s=3)) as box:
        seen = box.batch([good, bad[0], good, bad[1], good])
    expected = [JobOutcome.OK, JobOutcome.TIMEOUT, JobOutcome.OK, JobOutcome.OUT_OF_MEMORY, JobOutcome.OK]
    assert [one.outcome for one in seen] == expected
