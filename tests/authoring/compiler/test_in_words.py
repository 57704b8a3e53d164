"""What ``--explain`` shows: formats in words, and a format beside the brief in place of the grammar."""

from __future__ import annotations

from pathlib import Path

import pytest

from authoring.compiler.compile import understand
from authoring.compiler.grammar import read
from authoring.compiler.in_words import in_words
from authoring.compiler.outcome import Refused
from authoring.compiler.sections import Sections
from authoring.compiler.stdio_text import parse, render, tidy
from authoring.sources.read import read_briefs
from bootcamp_kit.errors import UsageError
from tests.authoring.compiler.contest import INPUT

SOUND = read_briefs(Path(__file__).parent / "corpus" / "sound").briefs

SHOWN = [
    (INPUT, ["one line: n = 1 … 50", "one line: a, n integers 1 … 1000"]),
    (
        "The first line contains t, the number of test cases. Each test case contains one line with n and m (1 ≤ n"
        " ≤ 2·10^5, "
        "n·m ≤ 40, -10^9 ≤ m ≤ 10^9).",
        ["number of test cases: t (each task shows one)", "one line: n = 1 … 2·10^5; m = -10^9"
        " … 10^9", "must hold: n · m ≤ 40"],
    ),
    (
        "The first line contains n (2 ≤ n ≤ 9). Each of the next n - 1 lines contains two integers u and v (1 ≤ u,"
        " v ≤ n, "
        "u ≠ v). The edges form a tree. The last line contains a string s of n lowercase English letters.",
        [
            "one line: n = 2 … 9",
            "n - 1 lines, each: u = 1 … n; v = 1 … n, the edges of a tree of n nodes",
            "  u ≠ v",
            "one line: s, a word of n from a … z",
        ],
    ),
    (
        "The first line contains n (2 ≤ n ≤ 9). The second line contains n - 1 integers p_2, …, p_n (1 ≤ p_i < i).",
        ["one line: n = 2 … 9", "one line: p, n - 1 integers 1 … i - 1, i from 2"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "lines"), SHOWN)
def test_a_format_is_shown_in_words(text: str, lines: list[str]) -> None:
    assert in_words(read(Sections("", text, "Print it."))) == lines


@pytest.mark.parametrize("brief", SOUND, ids=lambda brief: brief.id)
def test_every_sample_is_read_and_written_again(brief: object) -> None:
    understood = understand(brief)  # type: ignore[arg-type]
    assert in_words(understood.format)
    for sample in understood.brief.samples:
        assert render(understood.format, parse(understood.format, sample.input)) == tidy(sample.input) + "\n"


BRIEF = """+++
id = "odd_words"
family = "tests"
title = "Odd words"
licence = "CC0-1.0"
+++

Add it up.

## Input

First comes how many there are, then all of them.

## Output

Print one integer: the sum.

## Samples

```input
2
3 4
```

```output
7
```
"""
FORMAT = (
    '{"blocks": [{"items": [{"name": "n", "low": "1", "high": "9"}]}, '
    '{"items": [{"name": "a", "count": "n", "low": "1", "high": "9"}]}]}'
)


def test_a_format_beside_the_brief_takes_the_place_of_the_grammar(tmp_path: Path) -> None:
    (tmp_path / "brief.md").write_text(BRIEF, "utf-8")
    (tmp_path / "solution.py").write_text("input()\nprint(sum(map(int, input().split())))\n", "utf-8")
    with pytest.raises(Refused, match="cannot read"):
        understand(read_briefs(tmp_path).briefs[0])
    (tmp_path / "input-format.json").write_text(FORMAT.replace('"items"', '"kind": "line", "items"'), "utf-8")
    with pytest.raises(Refused, match="kind"):
        understand(read_briefs(tmp_path).briefs[0])
    whole = FORMAT.replace('"items"', '"kind": "line", "items"').replace(
        '{"name": "n"', '{"kind": "number", "name": "n"'
    )
    whole = whole.replace('{"name": "a"', '{"kind": "numbers", "name": "a"')
    (tmp_path / "input-format.json").write_text(whole, "utf-8")
    understood = understand(read_briefs(tmp_path).briefs[0])
    assert in_words(understood.format) == ["one line: n = 1 … 9", "one line: a, n integers 1 … 9"]
    assert "input-format" not in understood.brief.text


def test_a_format_may_not_be_a_link_out_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "inside"
    folder.mkdir()
    (folder / "brief.md").write_text(BRIEF, "utf-8")
    (tmp_path / "elsewhere.json").write_text("{}", "utf-8")
    (folder / "input-format.json").symlink_to(tmp_path / "elsewhere.json")
    found = read_briefs(folder)
    assert not found.briefs
    assert isinstance(found.problems[0].error, UsageError)
