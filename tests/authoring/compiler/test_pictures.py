"""Pictures that only illustrate go; one that the rules need, and indices that were lost, refuse the statement."""

from __future__ import annotations

import pytest

from authoring.compiler import pictures
from authoring.compiler.outcome import Refused
from authoring.compiler.sections import Sections

N = "The first line contains an integer n (2 ≤ n ≤ 9)."


PICTURES = [
    (
        "Every pair is joined, so there are <image> lanes in total. Walk them all.",
        "Every pair is joined. Walk them all.",
    ),
    (
        "The row repeats after n places. Formally, <image>. A part is good if it rises.",
        "after n places. A part is good",
    ),
    (
        "A gate is a box.\n\nThe following figure shows a gate of wood.\n\n<image>\n\nIt opens at noon.",
        "a box.\n\nIt opens",
    ),
    (
        "It stops anywhere.\n\n<image>\n\nIt is considered that one jar meets another if they touch.",
        "anywhere.\n\nIt is",
    ),
    (
        "The walk is then good.\n\n<image>\n\nConsider the tree on the picture. If k = 3 then these are good: 1"
        " 4 7.\n\n"
        "Count the good walks.",
        "then good.\n\nCount",
    ),
    ("The last is 9, and the answer is 9 - 2 = 7, as shown on the picture.\n\n<image>", "answer is 9 - 2 = 7."),
    (
        "It fits.\n\nAn example of fitting is given on the figure (top — a, bottom — b):\n\n<image>\n\nCount them.",
        "It fits.",
    ),
]


@pytest.mark.parametrize(("story", "left"), PICTURES)
def test_a_picture_that_only_illustrates_goes(story: str, left: str) -> None:
    pictures.check(Sections(story, N, "Print it."))
    found = pictures.without_illustrations(story)
    assert left in found
    assert "<image>" not in found


NEEDED = [
    "Every pair is joined, so the price is <image> in total.",
    "The value is formally <image>. Print it.",
    "A gate is a box.\n\nThe following figure shows the gates that open.\n\n<image>\n\nCount them.",
    "It stops anywhere.\n\n<image>\n\nIt is what the jars look like.",
    "The walk is good.\n\n<image>\n\nConsider the tree on the picture. A walk is called good if it is like there.",
    "The value is 7, as shown on the picture.\n\n<image>\n\nFind such values.",
    "An example of fitting is given on the figure, and what fits is:\n\n<image>\n\nCount them.",
    "A jar stands in the corner. In the above figure, p is inside. Count them.",
]


@pytest.mark.parametrize("story", NEEDED)
def test_a_picture_that_the_rules_need_is_refused(story: str) -> None:
    with pytest.raises(Refused):
        pictures.check(Sections(story, N, "Print it."))


def test_neighbours_that_lost_their_index_are_refused() -> None:
    story = "For each pair x, y there is a place j with a_j = x, a_j + 1 = y. How many pairs are there?"
    with pytest.raises(Refused, match="indices"):
        pictures.check(Sections(story, N, "Print it."))
    pictures.check(Sections("The box is a_j + 1 wide. How many fit?", N, "Print it."))
