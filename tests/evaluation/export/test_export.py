"""Every seed accounted for, every shard whole, the same bytes again; refused before anything is written."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bootcamp_kit.errors import MachineError, UsageError
from bootcamp_kit.library import Task, load
from evaluation.export.formats import MODULES, find_format
from evaluation.export.items import Counts, Selection, items
from evaluation.export.licences import refusal
from evaluation.export.run import Order, export, read_manifest, read_marks
from evaluation.export.shards import JsonLines, write_shards
from tests.evaluation.conftest import put_task, task_files


@pytest.fixture
def tasks(shelf: Path) -> list[Task]:
    return [load("doubling", root=shelf), load("tricky", root=shelf)]


def rows_of(folder: Path) -> list[dict]:
    found = []
    for path in sorted(folder.glob("part-*.jsonl")):
        found += [json.loads(line) for line in path.read_bytes().splitlines()]
    for path in sorted(folder.glob("part-*.parquet")):
        import pyarrow.parquet

        found += pyarrow.parquet.read_table(path).to_pylist()
    return found


@pytest.mark.parametrize("name", list(MODULES))
def test_every_format_writes_every_distinct_case_with_licence_and_lineage(
    name: str, tasks: list[Task], tmp_path: Path
) -> None:
    order = Order(name, Selection((1, 2), 0, 60), rows_per_shard=50)
    manifest = export(tasks, order, tmp_path / "out")
    counts, rows = manifest["counts"], rows_of(tmp_path / "out")
    assert counts["asked"] == 2 * 2 * 60
    assert counts["written"] == len(rows) == sum(shard["rows"] for shard in manifest["shards"])
    assert counts["written"] + counts["duplicates"] == counts["asked"] and counts["duplicates"] > 80
    assert len(set(read_marks(tmp_path / "out"))) == len(rows)
    assert len(manifest["shards"]) == -(-len(rows) // 50)
    assert all(path.suffix in (".jsonl", ".parquet") for path in (tmp_path / "out").glob("part-*")), "readers glob"
    for row in rows:
        text = json.dumps(row)
        assert '"CC0-1.0"' in text and row_lineage(row)["content_hash"] in {task.content_hash for task in tasks}
        assert "<answer>…</answer>" in json.dumps(row, ensure_ascii=False)
    assert set(find_format(name).mapping) in ({"correct", "partial", "wrong", "malformed", "unscored"}, set())


def row_lineage(row: dict) -> dict:
    return next(value for value in (row, *row.values()) if isinstance(value, dict) and "content_hash" in value)


@pytest.mark.parametrize("name", list(MODULES))
def test_the_same_order_gives_the_same_bytes(name: str, tasks: list[Task], tmp_path: Path) -> None:
    order = Order(name, Selection(None, 5, 25), rows_per_shard=30)
    first, second = export(tasks, order, tmp_path / "a"), export(tasks, order, tmp_path / "b")
    assert first == second
    names = {str(path.relative_to(tmp_path / "a")) for path in (tmp_path / "a").rglob("*") if path.is_file()}
    assert names == {str(path.relative_to(tmp_path / "b")) for path in (tmp_path / "b").rglob("*") if path.is_file()}
    assert all((tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes() for name in names)


def test_another_process_with_another_hash_seed_gives_the_same_bytes(
    tasks: list[Task], shelf: Path, tmp_path: Path
) -> None:
    here = export(tasks, Order("jsonl", Selection(None, 0, 20)), tmp_path / "here")
    program = (
        "import sys, pathlib\n"
        "from bootcamp_kit.library import load\n"
        "from evaluation.export.items import Selection\n"
        "from evaluation.export.run import Order, export\n"
        "tasks = [load(name, root=sys.argv[1]) for name in ('doubling', 'tricky')]\n"
        "export(tasks, Order('jsonl', Selection(None, 0, 20)), pathlib.Path(sys.argv[2]))\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "77", "PYTHONPATH": str(Path(__file__).parents[3])}
    subprocess.run(
        [sys.executable, "-c", program, str(shelf), str(tmp_path / "there")], env=environment, check=True, timeout=60
    )
    assert read_manifest(tmp_path / "there") == here


def test_seeds_that_fail_are_counted_and_the_rest_is_written(shelf: Path, tmp_path: Path) -> None:
    files = task_files("fragile")
    files["bootcamp.py"] = files["bootcamp.py"].replace(
        b"        return {",
        b"        if rng.random() < 0.3:\n            raise ArithmeticError('no case')\n        return {",
    )
    put_task(shelf, files)
    manifest = export([load("fragile", root=shelf)], Order("jsonl", Selection((4,), 0, 200)), tmp_path / "out")
    counts = manifest["counts"]
    assert 30 < counts["failed"]["fragile: ArithmeticError"] < 90
    assert counts["written"] + counts["duplicates"] + sum(counts["failed"].values()) == 200


def test_a_generator_with_too_few_cases_comes_up_short(tasks: list[Task]) -> None:
    counts = Counts()
    found = list(items(tasks[:1], Selection((1, 4), 0, None, per_level=12), counts))
    assert [item.case.level for item in found].count(4) == 12
    assert counts.short == {"doubling/1": 2} and counts.adds_up


def test_excluded_cases_do_not_go_out(tasks: list[Task], tmp_path: Path) -> None:
    export(tasks, Order("jsonl", Selection((2,), 0, 30)), tmp_path / "held")
    held = frozenset(read_marks(tmp_path / "held"))
    manifest = export(tasks, Order("jsonl", Selection((2,), 0, 90, excluded=held)), tmp_path / "train")
    assert manifest["counts"]["excluded"] >= len(held)
    assert held.isdisjoint(read_marks(tmp_path / "train"))


LICENCES = {
    "CC0-1.0": True,
    "MIT": True,
    "CC-BY-NC-4.0": True,
    "CC-BY-ND-4.0": False,
    "CC-BY-NC-ND-4.0": False,
    "unknown": False,
    "NOASSERTION": False,
    "LicenseRef-ours": False,
    "MIT OR CC-BY-ND-4.0": True,
    "MIT AND unknown": False,
    "(MIT AND CC0-1.0) OR unknown": True,
    "(MIT OR Apache-2.0) AND CC-BY-ND-4.0": False,
    "CC-BY-ND-4.0 AND (MIT OR Apache-2.0)": False,
    "MIT OR CC-BY-ND-4.0 AND unknown": True,
    "GPL-2.0-only WITH Classpath-exception-2.0": True,
    "MIT and CC-BY-ND-4.0": False,
    "MIT CC0-1.0": False,
    "(MIT": False,
    "MIT OR": False,
    "OR": False,
    "": False,
    "(" * 100 + "MIT" + ")" * 100: False,
}


def test_an_export_whose_keys_are_damaged_is_not_taken_for_one_without_cases(tasks: list[Task], tmp_path: Path) -> None:
    out = tmp_path / "out"
    export(tasks, Order("jsonl", Selection((4,), 0, 30), rows_per_shard=25), out)
    assert len(set(read_marks(out))) == 60
    whole, path = (out / "keys" / "00001.bin").read_bytes(), out / "keys" / "00001.bin"
    for data in (b"", whole[:-1], whole[32:], whole + bytes(32), b"x" + whole[1:]):
        path.write_bytes(data)
        with pytest.raises(UsageError, match=r"keys/00001.bin does not hold the keys of the 25 rows"):
            list(read_marks(out))
    path.unlink()
    with pytest.raises(UsageError, match=r"00001.bin"):
        list(read_marks(out))
    for manifest in ("{}", "[]", '{"shards": 7}', '{"shards": [7]}', '{"shards": [{"rows": "7"}]}', "[" * 9_999):
        (out / "export.json").write_text(manifest)
        with pytest.raises(UsageError, match="no manifest"):
            list(read_marks(out))


def test_a_manifest_that_lost_a_shard_is_not_taken_for_a_smaller_export(tasks: list[Task], tmp_path: Path) -> None:
    manifest = export(tasks, Order("jsonl", Selection((4,), 0, 30), rows_per_shard=25), tmp_path / "out")
    shorter = {**manifest, "shards": manifest["shards"][:-1]}
    (tmp_path / "out" / "export.json").write_text(json.dumps(shorter))
    with pytest.raises(UsageError, match="60 rows were written, its shards have 50"):
        list(read_marks(tmp_path / "out"))


@pytest.mark.parametrize("licence", list(LICENCES))
def test_licences_that_forbid_it_are_refused(licence: str) -> None:
    assert (refusal(licence) == "") is LICENCES[licence]
    assert refusal(licence, [licence]) == ""


def test_what_is_wrong_is_said_before_anything_is_written(shelf: Path, tasks: list[Task], tmp_path: Path) -> None:
    put_task(shelf, task_files("secret", licence="unknown"))
    out = tmp_path / "out"
    for chosen, order, match in (
        (
            [*tasks, load("secret", root=shelf)],
            Order("jsonl", Selection(None, 0, 5)),
            "secret: the licence is 'unknown'",
        ),
        (tasks, Order("jsonl", Selection((9,), 0, 5)), "level 9 of doubling: its levels run from 1 to 4"),
        (tasks, Order("yaml", Selection(None, 0, 5)), "one of jsonl, parquet"),
        (tasks, Order("jsonl", Selection(None, 0, None)), "no end"),
        ([], Order("jsonl", Selection(None, 0, 5)), "no task"),
    ):
        with pytest.raises(UsageError, match=match):
            export(chosen, order, out)
        assert not out.exists()
    export(tasks, Order("jsonl", Selection((4,), 0, 5)), out)
    with pytest.raises(UsageError, match="finished export"):
        export(tasks, Order("jsonl", Selection((4,), 0, 5)), out)


class FullDisk(JsonLines):
    """A disk with room for 25 rows."""

    rows = 0

    def put(self, row) -> None:
        FullDisk.rows += 1
        if FullDisk.rows > 25:
            raise OSError(errno.ENOSPC, "No space left on device")
        super().put(row)


def test_a_full_disk_leaves_whole_shards_only_and_a_second_try_starts_over(tasks: list[Task], tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    rows = ((bytes(32), {"row": number}) for number in range(100))
    with pytest.raises(OSError, match="No space"):
        list(write_shards(out, rows, FullDisk, 10))
    assert sorted(path.name for path in out.glob("[!k]*")) == ["part-00000.jsonl", "part-00001.jsonl"]
    assert sorted(path.name for path in (out / "keys").iterdir()) == ["00000.bin", "00001.bin"]
    manifest = export(tasks, Order("jsonl", Selection((4,), 0, 3)), out)
    assert len(rows_of(out)) == manifest["counts"]["written"] == 6


def test_two_exports_do_not_write_one_folder(tasks: list[Task], tmp_path: Path) -> None:
    out, order = tmp_path / "out", Order("jsonl", Selection((4,), 0, 5))
    out.mkdir()
    handle = os.open(out, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    with pytest.raises(UsageError, match="another process is writing it"):
        export(tasks, order, out)
    os.close(handle)
    assert export(tasks, order, out)["counts"]["written"] == 10


def test_a_sandbox_that_fails_ends_the_export_and_is_no_fault_of_a_seed(shelf: Path, tmp_path: Path) -> None:
    files = task_files("foreign")
    fails = b"if rng.random() < 0.1:\n            raise MachineError('a', 'the engine is gone', 'c')\n        return {"
    code = files["bootcamp.py"].replace(b"return {", fails)
    files["bootcamp.py"] = code.replace(b"class ", b"from bootcamp_kit.errors import MachineError\n\n\nclass ", 1)
    put_task(shelf, files)
    order = Order("jsonl", Selection((4,), 0, 500), rows_per_shard=1)
    with pytest.raises(MachineError, match=r"the engine is gone; [0-9]+ seeds asked = ([0-9]+) written .* 0 failed"):
        export([load("foreign", root=shelf)], order, tmp_path / "out")
    assert not (tmp_path / "out" / "export.json").exists()


def test_ten_thousand_rows_are_a_matter_of_seconds_of_work(tasks: list[Task], tmp_path: Path) -> None:
    import time

    began = time.process_time()
    manifest = export(tasks[:1], Order("jsonl", Selection((4,), 0, 10_000)), tmp_path / "out")
    assert manifest["counts"]["asked"] == 10_000
    assert time.process_time() - began < 60, "processor time: how busy the machine is does not count"
