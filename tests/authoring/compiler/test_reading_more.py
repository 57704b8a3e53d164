"""What statements tell elsewhere than in the sentence of a line: legends, lengths, lines like others, pictures."""

from __future__ import annotations

import pytest

from authoring.compiler import pictures
from authoring.compiler.clauses import tells_of_numbers, without_each
from authoring.compiler.grammar import read
from authoring.compiler.in_words import in_words
from authoring.compiler.legends import is_legend
from authoring.compiler.outcome import Refused
from authoring.compiler.sections import Sections, sentences


def told(input_: str, story: str = "") -> list[str]:
    return in_words(read(Sections(story, input_, "Print it.")))


N = "The first line contains an integer n (2 ≤ n ≤ 9)."
GRID = "The first line contains n and m (1 ≤ n, m ≤ 9). Each of the next n lines contains m characters."
EDGES = f"{N} Each of the next n - 1 lines contains two integers u and v (1 ≤ u, v ≤ n)."


@pytest.mark.parametrize(
    ("input_", "found"),
    [
        (
            f"{GRID} If a character is '.', the cell is empty. If it equals '#', the cell has a wall.",
            "text, a word of m from .#",
        ),
        (f"{GRID} 'A' denotes an apple, otherwise it is shown by '-'.", "text, a word of m from A-"),
        (
            "The first line contains n — the length of both words (1 ≤ n ≤ 9). The second line contains a word — a"
            " string "
            "of digits. The third line contains the second word in the same format.",
            "one line: text_2, a word of n from digits",
        ),
        (
            f"{N} The second line contains permutation a as n distinct numbers from 1 to n. The third line contains "
            "permutation b in the same format.",
            "one line: b, n integers 1 … n, a permutation",
        ),
        (
            "The first line contains n (1 ≤ n ≤ 9) — the length of the string. The second line contains a string s of "
            "lowercase letters.",
            "one line: s, a word of n from a … z",
        ),
        ("The only line contains the string S of digits (3 ≤ |s| ≤ 9).", "one line: S, a word of 3 … 9 from digits"),
        (
            "The first line contains a string s of length n (1 ≤ n ≤ 9). The second line contains a string t of"
            " length n. "
            "Both strings consist of digits.",
            "must hold: len(t) = len(s)",
        ),
        (
            f"{N} The second and the third line contain strings s and t, respectively, of length n consisting of"
            f" digits.",
            "one line: t, a word of n from digits",
        ),
        (
            "The only line contains three integers n, t_a and t_b (1 ≤ n ≤ 9, 1 ≤ t_a, t_b ≤ 7).",
            "one line: n = 1 … 9; c = 1 … 7; d = 1 … 7",
        ),
        (
            "The first line contains four integers x_1, y_1, x_2, y_2 (1 ≤ x_1, y_1, x_2, y_2 ≤ 9). The points are"
            " distinct.",
            "must hold: (x_1 - x_2) · (x_1 - x_2) + (y_1 - y_2) · (y_1 - y_2) ≥ 1",
        ),
        (
            f"{N} The second line contains q (1 ≤ q ≤ 9). The i-th of the next q lines contains x and y (x, y ≥ 0, x +"
            f" y < n).",
            "  each row: x + y ≤ n - 1",
        ),
    ],
)
def test_what_is_told_elsewhere_is_understood(input_: str, found: str) -> None:
    assert any(line.strip().endswith(found.strip()) for line in told(input_)), told(input_)


def test_a_semicolon_inside_brackets_ends_no_sentence() -> None:
    text = "The first line contains n and m (1 ≤ n, m ≤ 9; m ≤ min(n, 3)) — the sizes. Read them."
    assert sentences(text) == ["The first line contains n and m (1 ≤ n, m ≤ 9; m ≤ min(n, 3)) — the sizes", "Read them"]


@pytest.mark.parametrize(
    "sentence",
    [
        "«S» is the start",
        "«S» marks Ann's house",
        "«.» is empty, and there is exactly one «S»",
        "If it is «S», the next one is «T»",
        "each character is «.» or «#»",
        "«#» means that no other wall follows",
    ],
)
def test_a_legend_that_sets_a_condition_is_none(sentence: str) -> None:
    assert not is_legend(sentence)


def test_index_and_comma_are_no_second_index() -> None:
    """``b_i, 1 ≤ t_i`` once became ``b_1 ≤ t_i``."""
    rows = told(
        f"{N} Each of the next n lines contains a_i, b_i, t_i (1 ≤ a_i ≤ n, 1 ≤ b_i ≤ n, a_i ≠ b_i, 1 ≤ t_i ≤ 5)."
    )
    assert rows[1:] == ["n lines, each: a = 1 … n; b = 1 … n; t = 1 … 5", "  a ≠ b"]


@pytest.mark.parametrize(
    ("story", "is_tree"),
    [
        ("You are given a tree with n nodes.", True),
        ("From every town one can reach any other town.", True),
        ("You are given a tree whose edges are directed.", False),
        ("Each one-way road of the tree leads from u to v.", False),
        ("A mobile hangs from the ceiling.", False),
    ],
)
def test_as_many_edges_as_a_tree_has_are_one_where_the_story_speaks_of_it(story: str, is_tree: bool) -> None:
    assert told(EDGES, story)[1].endswith("the edges of a tree of n nodes") is is_tree


def test_a_clause_of_each_value_is_passed_over_unless_it_narrows() -> None:
    assert (
        without_each("n integers a_1, …, a_n, where a_i is the number of the guest's room") == "n integers a_1, …, a_n"
    )
    for clause in ("where a_i is less than the one before", "where a_i is even", "where a_1 is the root"):
        assert without_each(f"n integers a_1, …, a_n, {clause}").endswith(clause)
    assert tells_of_numbers("the number of the friend who was given a box")
    for clause in ("the power of two", "the first element", "two different towns", "an integer k", "the same town"):
        assert not tells_of_numbers(clause)


@pytest.mark.parametrize(
    "story",
    [
        "Frogs jump.\n\nThe picture below shows a part of a pond.\n\n<image>\n\nCount them.",
        "Frogs jump.\n\n<image> Illustration for the first example\n\nCount them.",
        "Frogs jump.\n\n<image> The figure shows a green frog\n\nCount them.",
        "Frogs jump.\n\n<image>\n\nFrogs swim. For example, in the figure above all frogs swim. Count them.",
    ],
)
def test_a_picture_that_shows_an_example_goes_with_what_is_said_of_it(story: str) -> None:
    pictures.check(Sections(story, "n", "Print the sum."))
    left = pictures.without_illustrations(story)
    assert "image" not in left and "figure" not in left and "picture" not in left
    assert left.startswith("Frogs jump.") and left.endswith("Count them.")


@pytest.mark.parametrize(
    "story",
    [
        "Frogs jump.\n\nThe picture below shows which leaves a frog reaches.\n\n<image>\n\nCount them.",
        "The figure below shows what the pond looks like.\n\n<image>\n\nCount them.",
        "Frogs jump.\n\n<image> The distance is defined so.\n\nCount them.",
        "Frogs jump as follows:\n\n<image>\n\nCount them.",
        "A frog costs <image> coins. Count them.",
        "Frogs jump.\n\n<image> An example: a frog must never turn.\n\nCount them.",
        "Frogs jump.\n\n<image>\n\nThese are all the leaves. Count them.",
    ],
)
def test_a_picture_that_holds_a_rule_is_missed(story: str) -> None:
    with pytest.raises(Refused, match=r"picture|missing"):
        pictures.check(Sections(story, "n", "Print the sum."))
