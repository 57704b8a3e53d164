"""Frozen: the same bytes anywhere, changed bytes noticed, and no case shared with training data."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from bootcamp_kit.errors import UsageError
from bootcamp_kit.library import Task, load
from evaluation.benchmark import FIRST_SEED, HEAD, ITEMS, SHEET, Recipe, build, read, write
from evaluation.benchmark_check import verify
from evaluation.export.items import Selection
from evaluation.export.run import Order, export
from tests.evaluation.conftest import Done, put_task, task_files

Bootcamp = Callable[..., Done]


@pytest.fixture
def tasks(shelf: Path) -> list[Task]:
    return [load("doubling", root=shelf), load("tricky", root=shelf)]


def recipe(**more) -> Recipe:
    given = {"name": "toy", "version": "1.0.0", "levels": (3, 4), "per_level": 15, "weights": {}} | more
    return Recipe(**given)


def test_it_is_the_same_bytes_whatever_the_order_of_the_tasks(tasks: list[Task], tmp_path: Path) -> None:
    files = build(tasks, recipe())
    assert files == build(tasks[::-1], recipe())
    write(files, tmp_path / "bench")
    head, items = read(tmp_path / "bench")
    assert head["items"] == len(items) == 60 and head["weights"] == {"arithmetic": 1.0, "tricks": 1.0}
    assert len({(item["task_id"], item["key"]) for item in items}) == 60
    assert min(item["seed"] for item in items) == FIRST_SEED
    assert all(item["canary"] == head["canary"] and item["licence"] == "CC0-1.0" for item in items)
    assert head["canary"] in files[SHEET].decode() and head["canary"] != recipe(version="2").canary
    assert verify(head, items, {task.card.id: task for task in tasks}, []) == []


def test_levels_share_no_case(tasks: list[Task]) -> None:
    items = [json.loads(line) for line in build(tasks, recipe(levels=(1, 2), per_level=5))[ITEMS].splitlines()]
    assert len({(item["task_id"], item["key"]) for item in items}) == 20


def test_changed_items_changed_tasks_and_other_kits_are_noticed(tasks: list[Task], shelf: Path, tmp_path: Path) -> None:
    write(build(tasks, recipe()), tmp_path / "bench")
    head, items = read(tmp_path / "bench")
    put_task(tmp_path / "other", task_files("doubling", trick="answer = answer + 0"))
    put_task(tmp_path / "other", task_files("tricky", "tricks"))
    changed = {name: load(name, root=tmp_path / "other") for name in ("doubling", "tricky")}
    assert {item.what for item in verify(head, items, changed, [])} == {"doubling", "tricky"}
    assert verify({**head, "kit_version": "9"}, items, {}, [])[0].what == "kit"
    wrong = [{**items[0], "prompt": "x"}, {**items[1], "key": "0" * 64}]
    found = verify(head, wrong, {task.card.id: task for task in tasks}, [])
    assert [item.found for item in found] == ["another prompt", "another payload"]
    path = tmp_path / "bench" / ITEMS
    path.write_bytes(path.read_bytes().replace(b"twice", b"thrice", 1))
    with pytest.raises(UsageError, match="was changed"):
        read(tmp_path / "bench")
    with pytest.raises(UsageError, match="another benchmark"):
        write(build(tasks, recipe(version="2")), tmp_path / "bench")


def test_no_item_goes_unlooked_at_because_the_head_lost_its_task(
    tasks: list[Task], tmp_path: Path, bootcamp: Bootcamp
) -> None:
    files = build(tasks, recipe())
    head, items = json.loads(files[HEAD]), [json.loads(line) for line in files[ITEMS].splitlines()]
    found = verify({**head, "tasks": []}, items, {}, [])
    assert [item.what for item in found] == [item["id"] for item in items]
    assert found[0].found == "its task doubling is not in the benchmark's list"
    write(files, tmp_path / "bench")
    for text in (json.dumps({**head, "items": 1}), "[" * 9_999):
        (tmp_path / "bench" / HEAD).write_text(text)
        assert "benchmark" in bootcamp("benchmark", "verify", tmp_path / "bench", code=2).stderr


def test_a_changed_library_is_counted_apart_from_the_items(shelf: Path, tmp_path: Path, bootcamp: Bootcamp) -> None:
    asked = ("doubling", "--out", tmp_path / "b", "--name", "toy", "--levels", "3", "--per-level", "5")
    bootcamp("benchmark", "build", *asked)
    assert "5 items of 1 task in 1 family. Canary" in (tmp_path / "b" / SHEET).read_text()
    told = bootcamp("benchmark", "verify", tmp_path / "b").stderr
    assert "toy 1.0.0: 5 of 5 items made again, 0 items with a difference\n" in told
    shutil.rmtree(shelf / "arithmetic")
    files = task_files("doubling")
    put_task(shelf, {**files, "bootcamp.py": files["bootcamp.py"].replace(b"What is twice", b"Say twice")})
    told = bootcamp("benchmark", "verify", tmp_path / "b", code=1).stderr
    assert "5 of 5 items made again, 5 items with a difference; 1 difference of kit or tasks\n" in told
    shutil.rmtree(shelf / "arithmetic")
    told = bootcamp("benchmark", "verify", tmp_path / "b", code=1).stderr
    assert "0 of 5 items made again, 0 items with a difference; 1 difference of kit or tasks\n" in told


def test_a_damaged_head_or_item_is_named(tasks: list[Task], tmp_path: Path, bootcamp: Bootcamp) -> None:
    files = build(tasks, recipe())
    write(files, tmp_path / "bench")
    head = json.loads(files[HEAD])
    for key in ("items_sha256", "tasks", "weights", "kit_version", "name"):
        for damaged in ({**head, key: 7}, {name: value for name, value in head.items() if name != key}):
            (tmp_path / "bench" / HEAD).write_text(json.dumps(damaged))
            assert repr(key) in bootcamp("benchmark", "verify", tmp_path / "bench", code=2).stderr
    for task in (7, {}, {"task_id": "doubling"}):
        (tmp_path / "bench" / HEAD).write_text(json.dumps({**head, "tasks": [task]}))
        assert "missing or of another kind" in bootcamp("benchmark", "verify", tmp_path / "bench", code=2).stderr
    (tmp_path / "bench" / HEAD).write_bytes(files[HEAD])
    (tmp_path / "bench" / ITEMS).write_bytes(b'7\n{"id": "x"}\n')
    assert ITEMS in bootcamp("benchmark", "verify", tmp_path / "bench", code=2).stderr


def test_cases_of_an_export_are_kept_out_and_found(tasks: list[Task], tmp_path: Path, bootcamp: Bootcamp) -> None:
    export(tasks, Order("verl", Selection((2,), 0, 50)), tmp_path / "train")
    small = ("--name", "toy", "--levels", "2", "--per-level", "20")
    bootcamp("benchmark", "build", "all", "--out", tmp_path / "plain", *small)
    done = bootcamp("benchmark", "verify", tmp_path / "plain", "--against", tmp_path / "train", "--json", code=1)
    assert 10 < len(json.loads(done.stdout)["differences"]) < 40
    bootcamp("benchmark", "build", "all", "--out", tmp_path / "apart", *small, "--exclude", tmp_path / "train")
    bootcamp("benchmark", "verify", tmp_path / "apart", "--against", tmp_path / "train")
    done = bootcamp(
        "export",
        "all",
        "--levels",
        "2",
        "--seeds",
        "0:400",
        "--out",
        tmp_path / "more",
        "--exclude",
        tmp_path / "apart",
    )
    assert "excluded" in done.stderr and "0 failed" in done.stderr
    bootcamp("benchmark", "verify", tmp_path / "apart", "--against", tmp_path / "more")


def test_a_generator_with_too_few_cases_is_refused(tasks: list[Task]) -> None:
    with pytest.raises(UsageError, match="10 usable cases among 240 seeds, not 12; the rest: 230 duplicates"):
        build(tasks, recipe(levels=(1,), per_level=12))
    with pytest.raises(UsageError, match="no task of magic"):
        build(tasks, recipe(weights={"magic": 2.0}))
    with pytest.raises(UsageError, match="reference solvers"):
        build(tasks, recipe(most_of_one_answer=0.5))
    for bad in (
        {"name": "a b"},
        {"per_level": 0},
        {"weights": {"arithmetic": float("nan")}},
        {"most_of_one_answer": 7.0},
    ):
        with pytest.raises(UsageError, match="benchmark"):
            recipe(**bad)


def test_every_seed_that_was_tried_is_accounted_for(shelf: Path, tmp_path: Path, bootcamp: Bootcamp) -> None:
    files = task_files("fragile")
    fails = b"assert rng.random() < 0.5\n        return {"
    files["bootcamp.py"] = files["bootcamp.py"].replace(b"return {", fails)
    put_task(shelf, files)
    asked = ("--name", "toy", "--levels", "1", "--per-level", "8")
    done = bootcamp("benchmark", "build", "fragile", "doubling", "--out", tmp_path / "bench", *asked)
    seeds = dict(read(tmp_path / "bench")[0]["seeds"])
    assert seeds["taken"] == 16 and seeds["failed: AssertionError"] > 0 and seeds["duplicates"] > 0
    assert seeds.pop("tried") == sum(seeds.values())
    words = f"{sum(seeds.values())} = 16 taken + {seeds['duplicates']} duplicates + "
    assert f"seeds tried: {words}" in done.stderr and words in (tmp_path / "bench" / SHEET).read_text()


@pytest.mark.docker
def test_answers_are_balanced_by_the_reference_solver(shelf: Path, tmp_path: Path, bootcamp: Bootcamp) -> None:
    files = task_files("lopsided")
    files["bootcamp.py"] = files["bootcamp.py"].replace(
        b'return {"n": rng.randrange(10 ** params["digits"])}',
        b'return {"n": 1 if rng.random() < 0.8 else 2, "noise": rng.random()}',
    )
    put_task(shelf, files)
    out, more = tmp_path / "bench", ("--name", "toy", "--levels", "1", "--per-level", "10")
    bootcamp("benchmark", "build", "lopsided", "--out", out, *more, "--balance", "0.5")
    task = load("lopsided", root=shelf)
    numbers = Counter(task.case(item["level"], item["seed"]).payload["n"] for item in read(out)[1])
    assert numbers == {1: 5, 2: 5}


def test_a_benchmark_is_run_item_by_item_with_family_weights(
    tasks: list[Task], shelf: Path, tmp_path: Path, bootcamp: Bootcamp
) -> None:
    write(build(tasks, recipe(per_level=4, weights={"arithmetic": 3.0})), tmp_path / "bench")
    rows = []
    for item in read(tmp_path / "bench")[1]:
        number = int(item["prompt"].split("twice ")[1].split("?")[0])
        answer = 2 * number if item["task_id"] == "doubling" else -1
        rows.append({"text": f"<answer>{answer}</answer>", "when": [item["prompt"]], "times": 1})
    script = tmp_path / "script.jsonl"
    script.write_text("".join(json.dumps(row) + "\n" for row in rows))
    asked = ("--model", f"scripted:{script}", "--score", "process", "--out", tmp_path / "run", "--json")
    found = json.loads(bootcamp("benchmark", "run", tmp_path / "bench", *asked).stdout)
    assert found["total"]["planned"] == 16 and found["weighted"] == pytest.approx(0.75)
    assert found["origin"].startswith("benchmark toy 1.0.0")
    head = json.loads((tmp_path / "bench" / HEAD).read_text())
    head["tasks"][0]["content_hash"], head["kit_version"] = "0" * 64, "0.0.9"
    (tmp_path / "bench" / HEAD).write_text(json.dumps(head))
    done = bootcamp("benchmark", "run", tmp_path / "bench", *asked, code=2)
    assert "built with 0.0.9, this is" in done.stderr
    assert "use the library the benchmark was built from" in done.stderr
