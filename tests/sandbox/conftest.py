"""A box for hostile programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from sandbox.box import Box
from sandbox.calls import Observation
from sandbox.limits import JobLimits
from sandbox.service import Sandbox
from tests.sandbox.adding_task import program


@pytest.fixture(scope="session")
def arena(sandbox: Sandbox) -> Iterator[Box]:
    """A box without a task, for programs that misbehave and end; a busy machine has time for them."""
    with sandbox.box({}, JobLimits(wall_s=60, address_mb=128, output_bytes=1 << 20)) as box:
        yield box


@pytest.fixture(scope="session")
def hasty_arena(sandbox: Sandbox) -> Iterator[Box]:
    """A box without a task, for programs that never end."""
    with sandbox.box({}, JobLimits(wall_s=1.0, address_mb=128, output_bytes=1 << 20)) as box:
        yield box


@pytest.fixture
def run(arena: Box) -> Iterator[Callable[[str], Observation]]:
    """Run one hostile program; afterwards the box must still answer an honest one, from an unmarked process."""
    yield lambda source: arena.fresh(program(source))
    after = arena.fresh(program("import sys; print(sorted(getattr(sys, 'marks', [])), __name__)"))
    assert after.value == {"stdout": "[] __main__\n"}, after
