"""TOML from anywhere: whatever it does, it is one kind of error, soon and in little memory."""

from __future__ import annotations

import resource
import tomllib

import pytest

from bootcamp_kit import tomldata
from bootcamp_kit.tomldata import MAX_BYTES, read_toml

HALF = MAX_BYTES // 2 - 10
HOSTILE = {
    "lists in lists": "a = " + "[" * HALF,
    "tables in tables": "a = " + "{b=" * (HALF // 3),
    "a key of many parts": "a." * HALF + "b = 1",
    "a header of many parts": "[" + "a." * HALF + "b]",
    "quoted parts": "'a' . " * (HALF // 6) + "b = 1",
    "parts in a table": "t = {" + "a." * HALF + "b = 1}",
    "a long number": "a = " + "9" * HALF,
    "an open string": 'a = "' + '"x' * (HALF // 2),
    "no end of a name": "a" * HALF,
    "a byte that is no text": b"a = '\xff'",
    "too much": b"#" * (MAX_BYTES + 1),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("parser", [tomldata.loads, tomllib.loads], ids=["as installed", "as in the sandbox"])
def test_it_is_refused_with_a_reason_and_in_little_memory(
    name: str, parser: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tomldata, "loads", parser)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(ValueError, match=r"\w"):
        read_toml(HOSTILE[name])
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300 << 10  # KiB


def test_dots_in_a_text_are_no_key() -> None:
    assert read_toml('a.b.c = "1.2.3 ... ..."') == {"a": {"b": {"c": "1.2.3 ... ..."}}}
    assert len(read_toml('row = "' + ".#." * 9_000 + '"')["row"]) == 27_000
