"""Untrusted JSON is decoded strictly or refused with a reason; canonical bytes are stable."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bootcamp_kit.jsondata import canonical, strict_loads

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(JSON_VALUES)
def test_what_canonical_writes_strict_reads_back(value: object) -> None:
    assert strict_loads(canonical(value)) == value


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"NaN", "NaN"),
        (b"[-Infinity]", "Infinity"),
        (b"1e999", "finite"),
        (b'{"a":1,"a":2}', "repeated"),
        (b"[" * 200_000, "nested"),
        (b"[" * 65 + b"]" * 65, "nested"),
        (b"9" * 5000, "digits"),
        (b'"\\ud800"', "surrogates"),
        (b'{"\\udfff":1}', "surrogates"),
        (b"\xff", "decode"),
        (b"[1,", "Expecting"),
        (b"", "Expecting"),
    ],
)
def test_strict_loads_refuses(data: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        strict_loads(data)


def test_brackets_inside_strings_do_not_count_as_depth() -> None:
    value = {"text": "[" * 500 + '"\\' + "{" * 500, "list": [[1]] * 100}
    assert strict_loads(json.dumps(value).encode()) == value


def test_the_size_cap_comes_before_any_decoding() -> None:
    with pytest.raises(ValueError, match="more than 10"):
        strict_loads(b"\xff" * 11, max_bytes=10)


def test_canonical_refuses_nan_and_sorts_keys() -> None:
    assert canonical({"b": 1, "a": [1.5, None]}) == b'{"a":[1.5,null],"b":1}'
    with pytest.raises(ValueError, match="JSON"):
        canonical(float("nan"))
