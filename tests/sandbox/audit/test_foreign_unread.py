"""Which parameters a constructor takes and nothing reads, by its source alone."""

from __future__ import annotations

import pytest

from sandbox.audit.foreign.guest_unread import unread

SOURCE = """
class X(Base):
    def __init__(self, used=1, kept=2, checked=3, derived=4, **params):
        if kept < 0:
            raise ValueError(kept)
        self.used, = (used,)
        self.kept = kept
        self.checked = checked
        self.half = derived // 2
        self.room = params.get("room", 9)
        self.width = params.get("width", 9)

    def case(self):
        return self.half, self.checked, self.width
"""


def test_only_what_nothing_reads_is_told() -> None:
    assert unread(SOURCE, "X") == ["kept", "room"]


@pytest.mark.parametrize(
    "use", ["getattr(self, name)", "dict(**self.__dict__)", "self.kept and self.room", "self.params.items()"]
)
def test_nothing_is_told_where_names_are_looked_up_by_other_ways(use: str) -> None:
    assert unread(SOURCE + f"\n    def more(self, name):\n        return {use}\n", "X") == []
