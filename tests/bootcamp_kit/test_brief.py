"""A brief as JSON: everything comes back, what was stored before there was more still loads, and keeps its hash."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import tomli_w

from bootcamp_kit.brief import Brief, Sample, Solution, Source
from bootcamp_kit.card import Card
from bootcamp_kit.errors import UsageError

FIRST_VERSION = {
    "id": "half_steps",
    "family": "contest_numbers",
    "title": "Half steps",
    "text": "Halve it.\n",
    "source": {"kind": "brief", "name": "a test", "licence": "CC0-1.0", "sha256": "0" * 64, "url": ""},
    "samples": [{"input": "4\n", "output": "1\n"}],
    "solution": {"language": "python3", "code": "print(1)\n"},
    "tags": ["numbers"],
}
FIRST_HASH = "9da9139813a7954674ee319c9043f02bacf763414ef2bb5ae0aca207a68706bd"
FULL = Brief(
    id="half_steps",
    family="contest_numbers",
    title="Half steps",
    text="Halve it.\n",
    source=Source("kattis", "a test", "CC-BY-4.0", "0" * 64, attribution="Ada L."),
    samples=(Sample("4\n", "1\n"),),
    solution=Solution("python3", "print(1)\n", "one.py"),
    accepted=(Solution("cpp", "int main(){}"),),
    wrong=(Solution("python2", "print 2", "two.py"),),
    tests=(Sample("8\n", "1\n"),),
    seconds=1.5,
    judge="custom",
    notes=("10^5 was written 105",),
)


def test_a_brief_comes_back_whole_from_its_json() -> None:
    assert Brief.from_json(json.loads(json.dumps(FULL.to_json()))) == FULL


def test_a_record_of_the_first_version_loads_and_is_written_again_byte_for_byte() -> None:
    brief = Brief.from_json(FIRST_VERSION)
    assert json.dumps(brief.to_json(), sort_keys=True) == json.dumps(FIRST_VERSION, sort_keys=True)
    assert brief.hash == FIRST_HASH


@pytest.mark.parametrize(
    "change",
    [
        {"accepted": ()},
        {"wrong": ()},
        {"tests": ()},
        {"seconds": 2.0},
        {"judge": ""},
        {"accepted": FULL.wrong, "wrong": FULL.accepted},
    ],
)
def test_everything_an_author_may_use_is_in_the_hash(change: dict[str, object]) -> None:
    assert replace(FULL, **change).hash != FULL.hash  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "damage",
    [
        {"id": None},
        {"text": 7},
        {"source": "nobody"},
        {"source": {"kind": "brief"}},
        {"samples": [{"input": "4"}]},
        {"solution": ["python3", "print(1)"]},
        {"seconds": "soon"},
        {"judge": "a friend"},
        {"wrong": [{"code": "x"}]},
    ],
)
def test_what_is_no_brief_is_said_in_the_product_s_words(damage: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        Brief.from_json({**FIRST_VERSION, **damage})


def test_an_attribution_travels_in_the_card_and_an_empty_one_leaves_no_key(doubling_task: dict[str, bytes]) -> None:
    without = Card.parse(doubling_task["card.toml"])
    assert "attribution" not in without.to_dict()["source"]
    named = replace(without, source=replace(without.source, attribution="Ada L."))
    assert Card.parse(tomli_w.dumps(named.to_dict()).encode()) == named


def test_an_attribution_is_one_short_line() -> None:
    with pytest.raises(UsageError, match="attribution"):
        Source("brief", "x", "CC0-1.0", "0" * 64, attribution="two\nlines")
