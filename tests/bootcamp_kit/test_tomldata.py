"""TOML from anywhere: whatever it does, it is one kind of error, soon and in little memory."""

from __future__ import annotations

import contextlib
import resource
import time
import tomllib
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bootcamp_kit import tomldata
from bootcamp_kit.plain_toml import read_plain_toml
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


PIECES = (
    *(
        "a",
        "b",
        "a-1",
        '"a"',
        '"a.b"',
        "a.b",
        "'a'",
        "",
        " ",
        "\n",
        "\n\n",
        "\t",
        "\r\n",
        "#",
        "# ü",
        "#\x7f",
        "\ufeff",
    ),
    *(
        " = ",
        "=",
        " =  ",
        "1",
        "-0",
        "0.50",
        "1.",
        "007",
        "+1",
        "1_0",
        "1e3",
        "9" * 16,
        "-12.25",
        "nan",
        "true",
        "True",
    ),
    *('""', '"x y"', '"\\n"', '"\t"', '"""', "'x'", "2026-11-30", "{a = 1}", "[", "]", "[]", "[,]", "[1, 2]", "[1,,2]"),
    *('[\n  "x",\n  "y",\n]', '["x" , 1]', "[[1], 2]", "[1 ]", "[1 2]", "[1, # one\n]", "[a]", "[b]", "[a.b]", "[b.a]"),
    *("[ a ]", "[a.b.c]", "[[a]]", "[[b]]", "[[a.b]]", "[[a]] # two", "[a]b", "[a]\n", "[[a]]\n", "[a.b]\n"),
    *("a = 1\n", 'b = "x"\n', "a = []\n", "b = [[1]]\n", "a.b = 1\n", "b = {}\n", "a = true # so\n"),
)
"""What lines are made of, right and wrong."""


@settings(max_examples=300, derandomize=True)
@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join))
@example("[a]\n[a.b]\n[a.b]\n")
@example("a = []\n[[a]]\n")
@example("[[a]]\n[a.b]\n[[a]]\n[a.b]\nb = 1\n")
@example("[a.b]\n[a]\n")
@example("[[a]]\n[a]\n")
@example("a = [,]\n")
def test_the_plain_part_is_read_as_the_parser_reads_it_and_the_rest_left_to_it(text: str) -> None:
    found = read_plain_toml(text)
    if found is not None:
        assert repr(found) == repr(tomllib.loads(text)), "the same types and the same order as well"


@pytest.mark.parametrize(
    "text", ['"', "[" + "1," * 200_000, "a = [" + "1, " * 200_000 + "x]", '"' * 500_000, "\n" * 500_000]
)
def test_a_long_text_that_is_not_plain_is_declined_at_once(text: str) -> None:
    began = time.process_time()
    assert read_plain_toml(text) in (None, {})
    assert time.process_time() - began < 5


def test_what_this_repository_keeps_as_toml_is_read_alike_and_most_cards_are_plain() -> None:
    root = Path(__file__).parents[2]
    cards = []
    for path in (*root.glob("generated_bootcamps/*/*/**/*.toml"), *root.glob("tests/*/*/*.toml")):
        text = path.read_text("utf-8")
        with contextlib.suppress(tomllib.TOMLDecodeError):  # some are broken on purpose
            found, told = read_plain_toml(text), tomllib.loads(text)
            assert found is None or repr(found) == repr(told), path
            cards += [found is not None] if path.name == "card.toml" else []
    assert len(cards) > 50 and sum(cards) > 0.9 * len(cards)
