"""Which known items come in next: as many broken as sound, in an order that nobody can foretell."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from review.calibration import Style, drawn
from review.careless import COMPARED, READ, careless_edits
from tests.review.conftest import a_submission

BROKEN = (Style.EVIDENT, Style.SILENT)


@pytest.mark.parametrize("seed", range(20))
def test_twenty_at_once_are_ten_broken_and_ten_sound(seed: int) -> None:
    styles = drawn(20, {Style.EVIDENT: 9, Style.SILENT: 9, Style.SOUND: 2}, Random(seed))
    assert Counter(styles) == {Style.SOUND: 10, Style.EVIDENT: 5, Style.SILENT: 5}
    assert styles == drawn(20, {Style.EVIDENT: 9, Style.SILENT: 9, Style.SOUND: 2}, Random(seed))


def test_an_odd_one_is_of_either_kind() -> None:
    kinds = {(Counter(drawn(3, {}, Random(seed)))[Style.SOUND]) for seed in range(30)}
    assert kinds == {1, 2}
    assert drawn(0, {}, Random(0)) == []


def test_one_after_the_other_they_stay_near_to_half_and_no_next_one_can_be_foretold() -> None:
    rng, seen, foretold = Random(5), Counter[Style](), 0
    for _ in range(2_000):
        broken = sum(seen[style] for style in BROKEN)
        (style,) = drawn(1, seen, rng)
        guess_is_broken = broken <= seen[Style.SOUND]
        foretold += (style in BROKEN) == guess_is_broken
        seen[style] += 1
    broken = sum(seen[style] for style in BROKEN)
    assert abs(broken - seen[Style.SOUND]) < 30
    assert abs(seen[Style.EVIDENT] - seen[Style.SILENT]) < 30
    assert foretold / 2_000 < 0.67, "who counts along guesses two of three at best"


VERIFIER = """\
from bootcamp_kit.answers import integers, last_answer
from bootcamp_kit.jsondata import canonical


class Task:
    def parse(self, response):
        return integers(last_answer(response))

    def verify(self, case, answer):
        return canonical(answer) == canonical(expected(case.payload))


def expected(payload):
    return sorted(payload) if payload == [1] else payload
"""


def test_careless_changes_read_like_a_persons() -> None:
    folder = a_submission(body=VERIFIER).candidate.folder
    made = {edit.operator: edit.apply(folder.files["bootcamp.py"]).decode() for edit in careless_edits(folder)}
    assert set(made) == {*COMPARED, *READ}
    changed = "return sorted(payload) if sorted(payload) == sorted([1]) else payload"
    assert changed in made["the order is not checked"], "the last place wins here: every comparison is offered"
    texts = [edit.text for edit in careless_edits(folder)]
    assert "sorted(answer) == sorted(expected(case.payload))" in texts
    assert 'last_answer(response).rpartition(" ")[2]' in texts
