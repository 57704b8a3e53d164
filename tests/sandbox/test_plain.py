from __future__ import annotations

from collections import OrderedDict
from fractions import Fraction
from typing import Any

import pytest

from sandbox.guest.plain import WrongType, require_plain, require_str


class Text(str):
    pass


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def test_plain_json_data_passes() -> None:
    require_plain({"a": [1, -2.5, "x", True, None, {}, []], "": 10**4000}, "payload")
    require_plain(nested(64), "payload")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ((1, 2), "payload is of type tuple"),
        ({"a": [1, (2,)]}, "payload['a'][1] is of type tuple"),
        ({1: 2}, "has a key of type int"),
        ({"a": {2}}, "payload['a'] is of type set"),
        ([Fraction(1, 2)], "payload[0] is of type fractions.Fraction"),
        (OrderedDict(a=1), "collections.OrderedDict"),
        (Text("x"), "Text"),
        ({Text("x"): 1}, "key of type"),
        (b"x", "of type bytes"),
        (float("nan"), "is nan: not finite"),
        ([float("inf")], "payload[0] is inf: not finite"),
        ([10**5000], "more than 4300 digits"),
        (nested(65), "nested deeper than 64"),
        (1j, "of type complex"),
    ],
)
def test_anything_else_is_named_with_its_place(value: Any, told: str) -> None:
    with pytest.raises(WrongType) as caught:
        require_plain(value, "payload")
    assert told in str(caught.value) and len(str(caught.value)) < 400


def test_a_value_inside_itself_ends() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(WrongType, match="deeper"):
        require_plain(loop, "payload")


def test_too_many_values_end_early() -> None:
    with pytest.raises(WrongType, match="past 2000000 values"):
        require_plain([[0] * 10, [0] * 2_000_001], "payload")


def test_text_is_exactly_str() -> None:
    require_str("x", "prompt")
    with pytest.raises(WrongType, match="prompt is of type"):
        require_str(Text("x"), "prompt")
