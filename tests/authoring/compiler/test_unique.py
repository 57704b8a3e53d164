"""Where one number is asked for that the input determines, leave to choose in the story tells of the moves."""

from __future__ import annotations

import pytest

from authoring.compiler.compile import understand
from authoring.compiler.outcome import Refused
from authoring.compiler.sections import Sections
from authoring.compiler.unique import is_one_number
from tests.authoring.compiler.contest import contest

MOVES = "In one move you may choose any valid jar and tip it over, in any order. Some jars are taller."


def asks(output: str, *samples: str) -> bool:
    return is_one_number(Sections("", "One integer n.", output), samples or ("4\n", "-1\n"))


@pytest.mark.parametrize(
    "output",
    [
        "Print one integer — the minimum number of moves.",
        "Print the maximum sum, or -1 if no jar can be tipped.",
        "If it cannot be done, print -1. Otherwise print the least total cost of the moves.",
        "For each test case print a single integer: the number of different rows.",
        "Print the length of the longest row.",
        "A single integer, the number of jar rows that can stand there.",
        "Print one integer equal to the maximum sum.",
        "Print n integers — one per query. For each query, print the minimum number of moves if you can tip"
        " jars in any order.",
        "Print the number of pairs of jars. Note that the order of the jars doesn't matter: (1, 2) and (2, 1)"
        " are the same.",
    ],
)
def test_an_optimum_or_a_count_is_one_number(output: str) -> None:
    assert asks(output)
    assert understand(contest(story=MOVES, output=output))


@pytest.mark.parametrize(
    "output",
    [
        "Print the number of the jar.",
        "Print the number of jar that is tipped.",
        "Print the number of chosen jars.",
        "Print the largest weight of the jars you chose.",
        "Print a number x that fits.",
        "Print the minimum number of moves. Then print the jars.",
        "Print the jar that is tipped last.",
        "Tip them all.",
    ],
)
def test_something_else_is_none(output: str) -> None:
    assert not asks(output)
    with pytest.raises(Refused, match="several answers"):
        understand(contest(story=MOVES, output=output))


def test_leave_in_the_output_section_is_never_passed_over() -> None:
    with pytest.raises(Refused, match="several answers"):
        understand(contest(story=MOVES, output="Print the minimum number of moves. Print any of them if several fit."))


def test_the_samples_have_to_show_one_number_a_line() -> None:
    assert not asks("Print the minimum number of moves.", "2\n1 3\n")
    assert not asks("Print the minimum number of moves.", "YES\n")
    assert not is_one_number(Sections("", "One integer n.", "Print the minimum number of moves."), ())


def test_one_of_two_words_says_whether_it_can_be_done() -> None:
    output = 'Print "Yes" if the row can be tipped, or "No" otherwise. You can print each letter in any case.'
    assert asks(output, "Yes\n", "No\n")
    assert not asks(output, "Yes\n", "Perhaps\n")
    assert not asks(f"{output} Then print any jar.", "Yes\n")
    assert not asks('Print "Yes" if the row can be tipped. "No" may be said too.', "Yes\n")
    understand(contest(story=MOVES, output=output, samples=(("2\n3 5\n", "Yes\n"), ("1\n10\n", "No\n"))))
