"""A power that copying flattened in the story is a refusal: the prompt would tell of another task than the solution."""

from __future__ import annotations

import pytest

from authoring.compiler.compile import understand
from authoring.compiler.outcome import Refused
from tests.authoring.compiler.contest import contest

COPIED = (
    "The first line contains an integer n (1 ≤ n ≤ 50). "
    "The second line contains n integers a1, a2, ..., an (1 ≤ ai ≤ 1000)."
)
LOST = (
    "Vera weighs 2a1, 2a2, ..., 2an grams of salt with as few stones as possible.",
    "Each stone weighs 2b grams for some b ≥ 0.",
    "The stones weigh 1 + 2 + 4 + ... + 2n grams.",
    "There are 2n subsets of the stones.",
    "She writes down n2 sums.",
    "She takes b - ck stones, where the number k is hers to choose.",
)
KEPT = (
    "There are 2n stones, one after the other.",
    "She comes after d days, then after 2d days and so on.",
    "She takes the stones i1, i2 and i3.",
    "She takes the 2nd and the 3rd stone.",
    "Words such as:\n\n  * ba and ba",
    "The curve is y = x^2 + bx + c.",
)


@pytest.mark.parametrize("story", LOST)
def test_a_story_that_lost_a_power_is_refused(story: str) -> None:
    with pytest.raises(Refused, match="missing its powers or indices"):
        understand(contest(story=story, input_=COPIED))


@pytest.mark.parametrize("story", LOST[:1])
def test_one_that_was_not_copied_is_read_as_it_stands(story: str) -> None:
    understand(contest(story=story.replace("2a1, 2a2, ..., 2an", "a_1, …, a_n")))


@pytest.mark.parametrize("story", KEPT)
def test_a_product_an_index_or_an_ordinal_is_no_lost_power(story: str) -> None:
    understand(contest(story=story, input_=COPIED))
