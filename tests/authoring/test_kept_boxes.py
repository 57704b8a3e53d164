"""Boxes that stay open: whose they are, how many there are, and when they are closed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

import pytest

from authoring.kept_boxes import KeptBoxes
from sandbox.calls import Call, Observation
from sandbox.limits import JobLimits

ONE, TWO, THREE = ({"bootcamp.py": text} for text in (b"one", b"two", b"three"))
LIMITS = JobLimits()


class Box:
    def batch(self, calls: Sequence[Call]) -> list[Observation]:
        return []

    def close(self) -> None:
        """Nothing runs."""


class Opened:
    """What was opened and closed, by the text of its one file."""

    def __init__(self) -> None:
        self.opened: list[str] = []
        self.closed: list[str] = []

    @contextmanager
    def __call__(self, files: Mapping[str, bytes], limits: JobLimits) -> Iterator[Box]:
        name = files["bootcamp.py"].decode()
        self.opened.append(name)
        yield Box()
        self.closed.append(name)


def use(kept: KeptBoxes, files: Mapping[str, bytes], limits: JobLimits = LIMITS) -> None:
    with kept.box(files, limits):
        pass


def test_the_same_program_gets_the_same_box_again() -> None:
    opened = Opened()
    kept = KeptBoxes(opened, 2)
    with kept.box(ONE, LIMITS) as first:
        pass
    with kept.box(dict(ONE), LIMITS) as second:
        assert second is first
    assert (opened.opened, opened.closed) == (["one"], [])


def test_another_program_or_other_limits_get_a_box_of_their_own() -> None:
    opened = Opened()
    kept = KeptBoxes(opened, 5)
    for files, limits in ((ONE, LIMITS), (TWO, LIMITS), (ONE, JobLimits(wall_s=1.0))):
        use(kept, files, limits)
    assert opened.opened == ["one", "two", "one"]


def test_two_users_at_once_share_nothing() -> None:
    opened = Opened()
    kept = KeptBoxes(opened, 2)
    with ExitStack() as stack:
        boxes = [stack.enter_context(kept.box(ONE, LIMITS)) for _ in range(2)]
        assert boxes[0] is not boxes[1]
    use(kept, ONE)
    assert opened.opened == ["one", "one"]


def test_the_one_unused_for_longest_is_closed_when_there_are_too_many() -> None:
    opened = Opened()
    kept = KeptBoxes(opened, 2)
    for files in (ONE, TWO, ONE, THREE):
        use(kept, files)
    assert opened.closed == ["two"]
    kept.close()
    assert sorted(opened.closed) == ["one", "three", "two"]


def test_a_box_that_an_error_was_met_with_is_not_used_again() -> None:
    opened = Opened()
    kept = KeptBoxes(lambda files, limits: closing_anyway(opened, files, limits), 2)
    with pytest.raises(ValueError, match="it broke"), kept.box(ONE, LIMITS):
        raise ValueError("it broke")
    assert opened.closed == ["one"]
    use(kept, ONE)
    assert opened.opened == ["one", "one"]


@contextmanager
def closing_anyway(opened: Opened, files: Mapping[str, bytes], limits: JobLimits) -> Iterator[Box]:
    with ExitStack() as stack:
        yield stack.enter_context(opened(files, limits))
