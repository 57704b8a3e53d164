"""The fast reader says what ``tomllib`` says, or nothing."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
import tomli_w
from hypothesis import example, given
from hypothesis import strategies as st

from bootcamp_kit.plain_toml import read_plain_toml

ROOT = Path(__file__).parents[2]
WORDS = """a b a.b - _ 1 = [ ] [[ ]] [a] [b] [[a]] [[a.b]] [a.b] [a.b.c] { } , " "" "x" 'x' \\n # 0 01 -0 +1 1_0 1.5
1. .5 1e3 inf nan true false null é 1979-05-27 1234567890123456789012"""
BLANKS = (" ", "  ", "\t", "\n", "\r\n", "\r", " = ", ", ", ",\n", "\x7f", "\x00", "\u2028", "\x85", "\ufeff")
PIECES = (*WORDS.split(), *BLANKS, '"' * 3, "a = 1\n", "b = [1, 2,]\n", 'a = "x"\n')


def by_the_library(text: str) -> object:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@example("[[a]]\n[a.b]\nb = 1\n[[a]]\n[a.b]\n")
@example("[a]\nb = 1\n[a.b]\n")
@example("[[a]]\n[a]\n")
@example("a = [1]\n[[a]]\n")
@example("a = [1]\n[a.b]\n")
@example("[a.b]\n[a]\n")
@example("a = [,]\n")
@example("a = [1,,]\n")
@example("a = -0\nb = -0.0\n")
def test_what_it_reads_is_what_the_library_reads(text: str) -> None:
    found = read_plain_toml(text)
    assert found is None or repr(found) == repr(by_the_library(text))


SCALARS = st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
TABLES = st.dictionaries(st.text("abc_-1", min_size=1), SCALARS | st.lists(SCALARS, max_size=4), max_size=5)


@given(TABLES, st.dictionaries(st.sampled_from("xyz"), TABLES | st.lists(TABLES, max_size=3), max_size=3))
def test_what_a_program_writes_is_read_alike(top: dict[str, object], tables: dict[str, object]) -> None:
    text = tomli_w.dumps({**top, **tables})
    found = read_plain_toml(text)
    assert found is None or repr(found) == repr(by_the_library(text))


@pytest.mark.parametrize("name", ["card.toml", "record.toml"])
def test_every_merged_task_is_plain(name: str) -> None:
    for path in sorted((ROOT / "generated_bootcamps").rglob(name)):
        text = path.read_text("utf-8")
        assert read_plain_toml(text) == tomllib.loads(text), path


@pytest.mark.parametrize("text", ['a = "' + "x" * 500_000, "a = [" + "1, " * 200_000, "a = [" + " " * 900_000 + "x"])
def test_a_long_line_that_does_not_end_is_given_up_at_once(text: str) -> None:
    assert read_plain_toml(text) is None
