"""Languages by their text; names from foreign names."""

from __future__ import annotations

import re

import pytest

from authoring.sources.languages import detect
from authoring.sources.naming import task_id, title


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("print(int(input()))", "python3"),
        ("print input()", "python2"),
        ("n = int(raw_input())\nprint (n)", "python2"),
        ("for i in xrange(3): print(i)", "python2"),
        ("raw_input = input\nprint(raw_input())", "python3"),
        ("from functools import reduce\nprint(reduce(max, [1]))", "python3"),
        ("# uses xrange(3)\nprint('raw_input()')", "python3"),
        ("import re\nprint(re.findall('\\d', input()))", "python3"),
        ('#include <cstdio>\nint main() { puts("import x"); }', "cpp"),
        ("import java.util.*;\npublic class A { }", "java"),
        ("fn main() {}", "unknown"),
        ("(" * 5000, "unknown"),
    ],
)
def test_a_language_is_known_by_its_text(code: str, language: str) -> None:
    assert detect(code) == language


@pytest.mark.parametrize("name", ["1_A. Théâtre", "x", "問題", "../../etc/passwd", "A" * 300, "", "a\0b", "9" * 70])
def test_any_name_gives_an_id(name: str) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9_]{2,63}", task_id("kattis", name))
    assert task_id("kattis", name) == task_id("kattis", name)


def test_names_that_lose_letters_stay_apart() -> None:
    assert task_id("ib", "問題一") != task_id("ib", "問題二")
    assert task_id("ib", "A" * 300) != task_id("ib", "A" * 301)


def test_a_title_is_one_printable_line() -> None:
    assert title("Two\nlines\x1b[31m", "x") == "Two lines [31m"
    assert title("\n", "fallback") == "fallback"
