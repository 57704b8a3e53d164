"""A mix in rounds: draw, tell, draw; in separate processes, the same again under one seed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bootcamp_kit.card import Card
from bootcamp_kit.errors import UsageError
from evaluation.curriculum import Mix
from evaluation.mixing import open_curriculum, save, stored, tell
from tests.evaluation.conftest import Done, task_files

Bootcamp = Callable[..., Done]
MIX = """
seed = 3
[tasks.doubling]
weight = 3.0
[tasks.tricky]
levels = [3, 4]
[adaptive]
band = [0.3, 0.7]
window = 20
spread = 0.0
"""


@pytest.fixture
def mix(tmp_path: Path) -> Path:
    path = tmp_path / "mix.toml"
    path.write_text(MIX)
    return path


def rows_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for path in sorted(folder.glob("part-*.jsonl")) for line in path.read_bytes().splitlines()]


def scored(rows: list[dict[str, Any]], score: float | None) -> str:
    return "".join(json.dumps({**row, "score": score}) + "\n" for row in rows)


def test_a_task_climbs_while_the_learner_gets_it_right(tmp_path: Path, mix: Path, bootcamp: Bootcamp) -> None:
    state, told = tmp_path / "state.json", tmp_path / "scores.jsonl"
    draw = ("export", "all", "--mix", mix, "--mix-state", state)
    manifest = json.loads(bootcamp(*draw, "--rows", "120", "--out", "one", "--json").stdout)
    rows = rows_of(tmp_path / "one")
    assert manifest["counts"]["written"] == len(rows) == 120 and manifest["mix"]["seed"] == 3
    drawn = Counter((row["task_id"], row["level"]) for row in rows)
    assert set(drawn) == {("doubling", 1), ("tricky", 3)}
    assert len({row["key"] for row in rows if row["task_id"] == "tricky"}) == drawn["tricky", 3]

    told.write_text(scored(rows, 1.0) + scored(rows[:5], None))
    done = json.loads(bootcamp("mix", "tell", state, told, "--json").stdout)
    assert done["lines"] == 125 == done["counted"] + done["unscored"] + done["other_level"] + done["stranger"]
    assert done["moved"]["tricky"] == [3, 4] and done["unscored"] == 5
    bootcamp(*draw, "--rows", "40", "--out", "two")
    later = rows_of(tmp_path / "two")
    assert {row["level"] for row in later if row["task_id"] == "tricky"} == {4}
    shown = json.loads(bootcamp("mix", "show", state, "--json").stdout)["tasks"]
    assert [(row["task_id"], row["weight"]) for row in shown] == [("doubling", 3.0), ("tricky", 1.0)]


def test_the_same_rounds_give_the_same_bytes(tmp_path: Path, mix: Path, bootcamp: Bootcamp) -> None:
    texts = []
    for name in ("a", "b"):
        state = tmp_path / f"{name}.json"
        draw = ("export", "all", "--mix", mix, "--mix-state", state, "--rows", "30", "--seeds", "500:")
        bootcamp(*draw, "--out", f"{name}1")
        (tmp_path / "told").write_text(scored(rows_of(tmp_path / f"{name}1"), 0.9))
        bootcamp("mix", "tell", state, tmp_path / "told")
        bootcamp(*draw, "--out", f"{name}2")
        texts.append((tmp_path / f"{name}2" / "part-00000.jsonl").read_bytes() + state.read_bytes())
    assert texts[0] == texts[1] and min(row["seed"] for row in rows_of(tmp_path / "a2")) >= 500


def test_a_mix_that_runs_out_of_cases_says_so(tmp_path: Path, mix: Path, bootcamp: Bootcamp) -> None:
    mix.write_text("[tasks.doubling]\nlevels = [1]\n[tasks.tricky]\nweight = 0.0\n")
    done = bootcamp("export", "all", "--mix", mix, "--rows", "12", "--out", "out", code=1)
    assert "short: mix has 2 distinct cases too few" in done.stderr and "240 seeds asked = 10 written" in done.stderr


def test_bad_calls_say_what_to_do(tmp_path: Path, mix: Path, bootcamp: Bootcamp) -> None:
    def fails(*arguments: object, says: str) -> None:
        assert says in bootcamp(*arguments, code=2).stderr

    export = ("export", "all", "--out", "out")
    fails(*export, "--rows", "3", says="add --mix FILE")
    fails(*export, "--mix", mix, says="it has no end")
    fails(*export, "--mix", mix, "--rows", "3", "--levels", "1", says="levels are the mix's")
    fails(*export, "--mix", mix, "--rows", "3", "--seeds", "0:9", says="give START:")
    fails(*export, "--mix", tmp_path / "none.toml", "--rows", "3", says="none.toml")
    fails("export", "all", "--out", "-", "--mix", mix, "--mix-state", "s", says="give a folder")
    state = tmp_path / "state.json"
    bootcamp(*export, "--mix", mix, "--mix-state", state, "--rows", "3")
    mix.write_text(MIX.replace("seed = 3", "seed = 4"))
    fails("export", "all", "--out", "o2", "--mix", mix, "--mix-state", state, "--rows", "3", says="with another mix")
    before = state.read_bytes()
    for line in ("no json", "[]", '{"task_id": "tricky"}', '{"task_id": "tricky", "level": 3, "score": 2}'):
        (tmp_path / "bad").write_text('{"task_id": "tricky", "level": 3, "score": 1}\n' + line + "\n")
        fails("mix", "tell", state, tmp_path / "bad", says="line 2")
    assert state.read_bytes() == before, "a bad file changes nothing"
    fails("mix", "tell", state, tmp_path / "absent", says="absent")
    whole = json.loads(before)
    inner = {name: {**whole, "curriculum": {**whole["curriculum"], name: 7}} for name in whole["curriculum"]}
    outer = {name: {**whole, name: 7} for name in whole if name != "first_seed"}
    far = {**whole, "curriculum": {**whole["curriculum"], "place": dict.fromkeys(whole["tasks"], 99)}}
    for damaged in ({}, [], far, *inner.values(), *outer.values()):
        state.write_text(json.dumps(damaged))
        fails("mix", "show", state, says="not readable")


def test_scores_of_other_levels_and_tasks_are_counted_and_move_nothing(tmp_path: Path, mix: Path) -> None:
    cards = [Card.parse(task_files(name)["card.toml"]) for name in ("doubling", "tricky")]
    curriculum, path = open_curriculum(None, cards, Mix.read(mix)), tmp_path / "state"
    save(path, curriculum, ["doubling", "tricky"], first_seed=0)
    again, _ = stored(path, cards)
    lines = [json.dumps({"task_id": name, "level": 4, "score": 1}) for name in ("tricky", "elsewhere")] * 50
    told = tell(again, lines)
    assert (told.other_level, told.stranger, told.counted) == (50, 50, 0) and again.level("tricky") == 3
    with pytest.raises(UsageError, match="not in the library"):
        stored(path, cards[:1])
