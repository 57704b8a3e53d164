"""What is checkpointed comes back as what it was."""

from __future__ import annotations

import dataclasses
import itertools
import logging
from enum import Enum

import pytest

from authoring.outcomes import BriefOutcome, OutcomeKind
from authoring.state import STATE_CLASSES, Turn, TurnResult, merge_turns, serializer

VALUES = [
    *(Turn(2, 3, result, "c" * 64, "wrong: <b>", heavy=4, floor=0.25) for result in TurnResult),
    *(BriefOutcome("id", "b" * 64, kind, "why", "c" * 64, "Q1", 3, "queue", 4, 900, 0.25) for kind in OutcomeKind),
    [Turn(0, 1, TurnResult.DRAFTED, "c")],
    None,
]


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_state_values_round_trip(value: object, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        back = serializer().loads_typed(serializer().dumps_typed(value))
    assert back == value
    assert type(back) is type(value)
    assert not caplog.records


def test_enumerations_come_back_as_members() -> None:
    turn = serializer().loads_typed(serializer().dumps_typed(VALUES[0]))
    assert turn.result is TurnResult.DRAFTED


def test_every_class_of_the_state_is_on_the_list() -> None:
    """Walk the annotated fields, so that a class added to one of them cannot be forgotten."""
    for cls in STATE_CLASSES:
        if issubclass(cls, Enum):
            continue
        for item in dataclasses.fields(cls):
            assert str(item.type) in {
                "int",
                "str",
                "float",
                "float | None",
                *(known.__name__ for known in STATE_CLASSES),
            }


def test_a_class_that_is_not_on_the_list_does_not_come_back() -> None:
    from bootcamp_kit.brief import Sample

    back = serializer().loads_typed(serializer().dumps_typed(Sample("1", "2")))
    assert not isinstance(back, Sample)


def test_turns_merge_alike_in_any_order() -> None:
    one, two, three = Turn(0, 1, TurnResult.FAILED), Turn(0, 2, TurnResult.DRAFTED), Turn(1, 1, TurnResult.PASSED)
    for order in itertools.permutations([one, two, three]):
        assert merge_turns(merge_turns([], order[:1]), order[1:]) == [one, two, three]


def test_a_later_word_on_a_turn_replaces_the_earlier() -> None:
    before, after = Turn(0, 1, TurnResult.DRAFTED, "c"), Turn(0, 1, TurnResult.PASSED, "c")
    assert merge_turns([before], [after]) == [after]
