"""Sentences that look like remarks or permissions and yet promise something: a draw would not keep it."""

from __future__ import annotations

import pytest

from authoring.compiler.compile import understand
from authoring.compiler.outcome import Refused, Stage
from tests.authoring.compiler.contest import contest

HOUSES = (
    "The first line contains an integer n (1 ≤ n ≤ 50). The second line contains n integers x_1, x_2, …, x_n "
    "(1 ≤ x_i ≤ 1000) — the places of the houses. "
)
EVENTS = (
    "The first line contains an integer n (1 ≤ n ≤ 50). Each of the next n lines contains two integers t_i and v_i "
    "(1 ≤ t_i, v_i ≤ 1000) — time and value of an operation. "
)
ROWS = (("2\n3 5\n4 5\n", "36\n"), ("1\n10 2\n", "4\n"))


def refused(**parts: object) -> bool:
    try:
        understand(contest(**parts))  # type: ignore[arg-type]
    except Refused as found:
        assert found.refusal.stage is Stage.GRAMMAR
        return True
    return False


@pytest.mark.parametrize(
    "sentence",
    [
        "The houses are numbered from left to right.",
        "The houses are numbered by their distance.",
        "The houses are numbered along the road.",
        "The houses are numbered starting with the one that is nearest to the sea.",
        "You may assume the houses are numbered as they stand along the road.",
        "The i-th number denotes the i-th place from the left.",
        "The houses are numbered with distinct integers in the order of their places.",
        "It is possible that houses stand at one place only when they are neighbours.",
        "It is possible that all places are even, but not that some are.",
        "Numbers may repeat twice.",
        "Numbers can repeat, however neighbouring ones differ.",
    ],
)
def test_what_sets_an_order_or_gives_leave_for_some_cases_is_no_remark(sentence: str) -> None:
    assert not refused(input_=HOUSES)
    assert refused(input_=HOUSES + sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "The operations are given in order of time.",
        "The operations are given in the order of increasing time.",
        "The operations are given in the order in which they happened.",
        "The commands are listed in order of growing v.",
        "Two segments may coincide in one end.",
        "The segments can overlap at their ends.",
    ],
)
def test_an_order_of_rows_is_no_remark(sentence: str) -> None:
    assert not refused(input_=EVENTS, samples=ROWS)
    assert refused(input_=EVENTS + sentence, samples=ROWS)


@pytest.mark.parametrize(
    "sentence",
    [
        "The houses are numbered from 1 to n.",
        "The houses are numbered by integers from 1 to n.",
        "The houses are numbered from 1 to n in the order of the input.",
        "Numbers may occur more than once.",
        "It is possible that some houses stand at one place.",
    ],
)
def test_plain_numbering_and_leave_are_remarks(sentence: str) -> None:
    assert not refused(input_=HOUSES + sentence)


def test_rows_in_the_order_of_their_execution_are() -> None:
    assert not refused(input_=EVENTS + "The operations are given in the order they are performed.", samples=ROWS)


@pytest.mark.parametrize("habit", ["never writes the same number twice", "likes larger numbers later"])
def test_what_somebody_does_with_the_numbers_is_a_promise(habit: str) -> None:
    assert refused(story=f"Bob wrote n numbers. It is known that Bob {habit}.", input_=HOUSES)


def test_a_root_needs_a_tree() -> None:
    bosses = "The second line contains n integers p_1, p_2, …, p_n (1 ≤ p_i ≤ n). The root of the tree is the vertex 1."
    rows = (("2\n1 1\n", "36\n"),)
    assert refused(input_=f"The first line contains an integer n (2 ≤ n ≤ 50). {bosses}", samples=rows)


@pytest.mark.parametrize(
    "what",
    [
        "the heights of the boys from the lowest on",
        "the moments at which he woke up one after another",
        "the places of the trees along the road",
        "the prefix sums of the prices",
        "the prices of the days in chronological order",
    ],
)
def test_a_description_that_tells_an_order_is_none(what: str) -> None:
    count = (
        "The first line contains an integer n (1 ≤ n ≤ 50). The second line contains n integers a_i (1 ≤ a_i ≤ 1000)"
    )
    assert not refused(input_=f"{count} — the heights of the boys.")
    assert refused(input_=f"{count} — {what}.")


@pytest.mark.parametrize("topic", ["disjoint segments", "non-overlapping segments", "the days in their order"])
def test_a_topic_of_rows_that_narrows_them_is_none(topic: str) -> None:
    rows = "Each of them contains two integers l_i and r_i (1 ≤ l_i, r_i ≤ 1000)."
    first = "The first line contains an integer n (1 ≤ n ≤ 50). The next n lines contain information about"
    assert not refused(input_=f"{first} segments. {rows}", samples=ROWS)
    assert refused(input_=f"{first} {topic}. {rows}", samples=ROWS)
