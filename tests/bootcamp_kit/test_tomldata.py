"""TOML from anywhere: whatever it does, it is one kind of error, soon and in little memory."""

from __future__ import annotations

import contextlib
import resource
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bootcamp_kit import tomldata
from bootcamp_kit.tomldata import MAX_BYTES, read_toml

HALF = MAX_BYTES // 2 - 10
HOSTILE: dict[str, str | bytes] = {
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
@pytest.mark.parametrize("quick", [tomldata.quick, None], ids=["as installed", "as in the sandbox"])
def test_it_is_refused_with_a_reason_and_in_little_memory(
    name: str, quick: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tomldata, "quick", quick)
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
def test_both_parsers_say_the_same(text: str) -> None:
    read, told = _outcome(read_toml, text), _outcome(tomllib.loads, text)
    assert read == told, "the same types and the same order as well"


@pytest.mark.parametrize(
    "text",
    ["a = 1e400", "a = 9223372036854775808", "a = -0.0", "a = nan", "a = 2026-11-30", "\ufeffa = 1", 'a = "\\ud800"'],
)
def test_what_the_quick_one_declines_or_might_read_otherwise_is_as_told(text: str) -> None:
    assert _outcome(read_toml, text) == _outcome(tomllib.loads, text)


@pytest.mark.skipif(tomldata.quick is None, reason="no quick parser is installed")
def test_later_toml_is_read_here_and_refused_in_the_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a = {b = 1,\n c = 2,}"
    assert read_toml(text) == {"a": {"b": 1, "c": 2}}
    monkeypatch.setattr(tomldata, "quick", None)
    with pytest.raises(ValueError, match="key part"):
        read_toml(text)


def test_what_this_repository_keeps_as_toml_is_read_alike() -> None:
    root = Path(__file__).parents[2]
    paths = [*root.glob("generated_bootcamps/*/*/**/*.toml"), *root.glob("tests/*/*/*.toml")]
    assert len(paths) > 50
    for path in paths:
        with contextlib.suppress(UnicodeDecodeError):  # some are broken on purpose
            text = path.read_text("utf-8")
            assert _outcome(read_toml, text) == _outcome(tomllib.loads, text), path


def _outcome(read: Callable[[str], dict[str, Any]], text: str) -> str:
    try:
        return repr(read(text))
    except ValueError:
        return "refused"
