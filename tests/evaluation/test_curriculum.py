"""Draws follow the mix, levels follow the learner, and a stored state goes on exactly."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from bootcamp_kit.card import Card
from bootcamp_kit.errors import UsageError
from evaluation.curriculum import Curriculum, Draw, Mix
from tests.evaluation.conftest import task_files


@pytest.fixture
def cards() -> list[Card]:
    files = (task_files("adding"), task_files("doubling"), task_files("spelling", "words"))
    return [Card.parse(item["card.toml"]) for item in files]


MIX = """
seed = 7
[families]
words = 2.0
[tasks.adding]
weight = 0.5
levels = [2, 3]
[adaptive]
band = [0.3, 0.7]
window = 10
spread = 0.2
"""


def mix(tmp_path: Path, text: str = MIX) -> Mix:
    (tmp_path / "mix.toml").write_text(text)
    return Mix.read(tmp_path / "mix.toml")


def learn(curriculum: Curriculum, skill: dict[str, int], draws: int) -> list[Draw]:
    found = []
    for draw in islice(curriculum, draws):
        curriculum.tell(draw, float(draw.level <= skill[draw.task_id]))
        found.append(draw)
    return found


def test_weights_are_kept_and_no_case_comes_twice(cards: list[Card]) -> None:
    given = Mix.from_dict({"families": {"words": 2.0}, "tasks": {"adding": {"weight": 0.5, "levels": [2, 3]}}})
    draws = list(islice(Curriculum(cards, given), 7_000))
    counts = Counter(draw.task_id for draw in draws)
    assert counts["adding"] == pytest.approx(1_000, abs=120)
    assert counts["doubling"] == pytest.approx(2_000, abs=160)
    assert counts["spelling"] == pytest.approx(4_000, abs=200)
    assert {draw.level for draw in draws if draw.task_id == "adding"} == {2, 3}
    assert len(set(draws)) == 7_000


def test_levels_rise_to_the_learners_skill_and_fall_back(cards: list[Card], tmp_path: Path) -> None:
    curriculum = Curriculum(cards, mix(tmp_path))
    assert curriculum.level("spelling") == 1
    learn(curriculum, {"adding": 4, "doubling": 2, "spelling": 4}, 2_000)
    assert curriculum.level("spelling") == 4 and curriculum.level("adding") == 3
    assert curriculum.level("doubling") in (2, 3)
    learn(curriculum, {"adding": 0, "doubling": 0, "spelling": 0}, 2_000)
    assert (curriculum.level("spelling"), curriculum.level("adding")) == (1, 2)


def test_a_stored_state_goes_on_exactly(cards: list[Card], tmp_path: Path) -> None:
    skill = {"adding": 2, "doubling": 2, "spelling": 3}
    one, two = Curriculum(cards, mix(tmp_path)), Curriculum(cards[::-1], mix(tmp_path))
    assert learn(one, skill, 500) == learn(two, skill, 500)
    state = json.loads(json.dumps(one.state()))
    fresh = Curriculum(cards, mix(tmp_path))
    fresh.restore(state)
    assert learn(fresh, skill, 500) == learn(one, skill, 500)


def test_bad_mixes_say_what_is_wrong(cards: list[Card], tmp_path: Path) -> None:
    for text, match in (
        ("seed = ", "mix"),
        ("speed = 1", "unknown keys"),
        ("[tasks.adding]\nheight = 1", "unknown keys"),
        ("[families]\nwords = -1.0", "finite number"),
        ("[adaptive]\nband = [0.9, 0.1]", "low < high"),
        ("families = 3", "mix"),
    ):
        with pytest.raises(UsageError, match=match):
            mix(tmp_path, text)
    for given, match in (
        ({"tasks": {"nothing": {"weight": 1}}}, "names nothing"),
        ({"families": {"words": 0, "arithmetic": 0}}, "weight 0"),
        ({"tasks": {"adding": {"levels": [9]}}}, "levels run from"),
    ):
        with pytest.raises(UsageError, match=match):
            Curriculum(cards, Mix.from_dict(given))
    with pytest.raises(ValueError, match="in \\[0, 1\\]"):
        Curriculum(cards, Mix()).tell(Draw("adding", 1, 0), float("nan"))
