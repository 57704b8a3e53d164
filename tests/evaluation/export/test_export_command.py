"""The verb from a shell."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bootcamp_kit.errors import UsageError
from bootcamp_kit.library import Library
from evaluation.export.judge import Judge
from tests.evaluation.conftest import Done, put_task, task_files

Bootcamp = Callable[..., Done]


def test_shards_counts_and_formats_are_printed(tmp_path: Path, bootcamp: Bootcamp) -> None:
    done = bootcamp("export", "arithmetic", "--to", "verl", "--levels", "1,4", "--seeds", "20:40", "--out", "out")
    assert done.stdout.splitlines()[0] == "shard\trows\tsha256" and "part-00000.parquet" in done.stdout
    assert "40 seeds asked = " in done.stderr and "out/reward.py" in done.stderr
    shown = json.loads(bootcamp("export", "--to", "list", "--json").stdout)
    assert shown["trl"]["rewards"]["unscored"].startswith("None")
    assert "no place is named" in bootcamp("export", "all", code=2).stderr
    assert "one of jsonl" in bootcamp("export", "all", "--to", "x", "--out", "y", code=2).stderr


def test_a_level_that_comes_up_short_is_told(tmp_path: Path, bootcamp: Bootcamp) -> None:
    done = bootcamp("export", "doubling", "--per-level", "12", "--seeds", "0:", "--out", "out", code=1)
    assert "short: doubling/1 has 2 distinct cases too few\n" in done.stderr
    done = bootcamp("export", "doubling", "--levels", "4", "--per-level", "9", "--seeds", "0:5", "--out", "few", code=1)
    assert "short: doubling/4 has 4 distinct cases too few below seed 5\n" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small file system needs root")
def test_a_full_disk_is_told_with_what_is_kept(tmp_path: Path, bootcamp: Bootcamp) -> None:
    small = tmp_path / "small"
    small.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "none", small], check=True)
    asked = ("export", "doubling", "--levels", "4", "--seeds", "0:3000", "--rows-per-shard", "100")
    try:
        for to in ("jsonl", "verl"):
            done = bootcamp(*asked, "--to", to, "--out", small / to, code=3)
            told = re.search(r"(\d+) seeds asked = (\d+) written .* of which (\d+) in (\d+) whole shards?", done.stderr)
            assert told and "No space left" in done.stderr, done.stderr
            assert int(told[3]) == 100 * int(told[4]) <= int(told[2]) and "begins anew" in done.stderr
            assert len(list((small / to).glob("part-*"))) == int(told[4]) > 0
            assert not list((small / to).glob("**/.*")) and not (small / to / "export.json").exists()
            shutil.rmtree(small / to)
    finally:
        subprocess.run(["umount", small], check=True)


def test_an_export_that_is_interrupted_says_how_far_it_came(shelf: Path, bootcamp: Bootcamp) -> None:
    draws = b'return {"n": rng.randrange(10 ** params["digits"])}'
    files = task_files("stopped")
    begun = b"""self.made = getattr(self, "made", 0) + 1
        if self.made == 251:
            raise KeyboardInterrupt
        """
    put_task(shelf, {**files, "bootcamp.py": files["bootcamp.py"].replace(draws, begun + draws)})
    asked = ("export", "stopped", "--levels", "4", "--seeds", "0:3000", "--rows-per-shard", "100", "--out")
    said = bootcamp(*asked, "out", code=130).stderr
    told = re.search(
        r"(\d+) seeds asked = (\d+) written \+ (\d+) dup.* of which 200 in 2 whole shards; run the same", said
    )
    assert told and int(told[1]) == int(told[2]) + int(told[3]) == 250, said


def test_python_that_scores_is_told_which_library_the_data_is_from(
    tmp_path: Path, shelf: Path, bootcamp: Bootcamp, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("export", "doubling", "--to", "verl", "--levels", "4", "--seeds", "3", "--out")
    assert "BOOTCAMP_LIBRARY" not in bootcamp(*asked, "told").stderr, "the variable is set already"
    monkeypatch.delenv("BOOTCAMP_LIBRARY")
    (tmp_path / "bootcamp.toml").write_text('library = "library"\n')
    done = bootcamp(*asked, "out")
    assert f"where responses are scored: export BOOTCAMP_LIBRARY={shelf.resolve()} (" in done.stderr
    assert "`BOOTCAMP_LIBRARY` names" in (tmp_path / "out" / "README.md").read_text()
    assert "BOOTCAMP_LIBRARY" in (tmp_path / "out" / "reward.py").read_text()
    identity = json.dumps(
        {"task_id": "doubling", "level": 1, "seed": 0, "params": {}, "payload": {}, "content_hash": "0"}
    )
    with (
        Judge() as judge,
        pytest.raises(UsageError, match=r"not among .* tasks of .*generated_bootcamps\n.*BOOTCAMP_LIB"),
    ):
        judge.one(identity, "x")
    with Judge(Library(shelf)) as judge, pytest.raises(UsageError, match=f"{shelf} holds .*\n.* in BOOTCAMP_LIBRARY"):
        judge.one(identity, "x")


def test_an_endless_stream_ends_with_its_reader(tmp_path: Path, shelf: Path) -> None:
    put_task(shelf, task_files("another"))
    program = (
        "import sys, typer\nfrom bootcamp_cli.output import guarded\n"
        "from bootcamp_cli.commands.export import export\n"
        "app = typer.Typer(rich_markup_mode=None)\napp.command()(export)\n"
        "sys.exit(guarded(lambda: app(standalone_mode=False)))\n"
    )
    environment = {**os.environ, "BOOTCAMP_LIBRARY": str(shelf), "PYTHONPATH": str(Path(__file__).parents[3])}
    command = [sys.executable, "-c", program, "doubling", "--levels", "4", "--seeds", "5:", "--out", "-"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout and child.stderr
        rows = [json.loads(child.stdout.readline()) for _ in range(500)]
        child.stdout.close()
        told = child.stderr.read().decode()
        assert child.wait(30) == 0 and "Traceback" not in told
    assert len({row["key"] for row in rows}) == 500 and rows[0]["seed"] == 5
