"""The verb from a shell: run, resume, show, rescore, compare."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bootcamp_kit.library import load
from tests.evaluation.conftest import Done, put_task, task_files

Bootcamp = Callable[..., Done]


def test_the_help_says_where_the_options_of_a_run_are(bootcamp: Bootcamp) -> None:
    assert "`evaluate run --help`" in " ".join(bootcamp("evaluate", "--help").stdout.split())


def script(place: Path, shelf: Path, *, wrong_every: int = 3, crash: bool = False) -> Path:
    """Replies for doubling and tricky, levels 3-4, seeds 0-9."""
    path, rows = place / f"script{wrong_every}.jsonl", {}
    for name in ("doubling", "tricky"):
        task = load(name, root=shelf)
        for level in (3, 4):
            for seed in range(10):
                number = task.case(level, seed).payload["n"]
                answer = 2 * number if seed % wrong_every else -1
                if crash and name == "tricky" and seed == 5:
                    answer = 666
                rows[number] = {"text": f"<answer>{answer}</answer>", "when": [f"twice {number}?"], "times": 0}
    path.write_text("".join(json.dumps(row) + "\n" for row in rows.values()))
    return path


@pytest.mark.docker
def test_run_show_resume_rescore_and_compare(tmp_path: Path, shelf: Path, bootcamp: Bootcamp) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    grid = ("--levels", "3-4", "--seeds", "10")
    crashing = script(tmp_path, shelf, wrong_every=3, crash=True)
    done = bootcamp("evaluate", "all", "--model", f"scripted:{crashing}", *grid, "--out", first, "--json", code=1)
    found = json.loads(done.stdout)
    assert found["total"]["planned"] == 40 and sum(found["total"]["unscored"].values()) == 2
    assert found["total"]["outcomes"]["wrong"] == 16 and found["spent"]["tokens"] > 0
    assert "<svg" in (first / "report.html").read_text()

    shown = bootcamp("evaluate", "show", first)
    assert shown.stdout.splitlines()[0].startswith("task\tscore")
    assert "unscored, verifier-crash: tricky/3/5/0: " in shown.stderr and "fell over" in shown.stderr
    listed = json.loads(bootcamp("evaluate", "show", first, "--outcome", "verifier-crash", "--json").stdout)
    assert [line["id"] for line in listed] == ["tricky/3/5/0", "tricky/4/5/0"]
    whole = bootcamp("evaluate", "show", first, "tricky/3/5/0").stdout
    assert "What is twice" in whole and "<answer>666</answer>" in whole and "fell over" in whole
    assert "not in the run" in bootcamp("evaluate", "show", first, "tricky/3/99/0", code=2).stderr

    resumed = bootcamp("evaluate", "--resume", first, "--json", code=1)
    assert json.loads(resumed.stdout)["total"] == found["total"]

    better = script(tmp_path, shelf, wrong_every=20)
    done = bootcamp("evaluate", "all", "--model", f"scripted:{better}", *grid, "--out", second, "--score", "process")
    assert "40 planned = 40 scored + 0 missing (sum 40)" in done.stderr
    page = tmp_path / "compare.html"
    compared = json.loads(bootcamp("evaluate", "compare", first, second, "--page", page, "--json").stdout)
    assert compared["total"]["cases"] == 38 and compared["test"]["only_a"] == 0 and compared["test"]["only_b"] == 12
    assert compared["only_in_b"] == 2 and compared["total"]["difference"]["value"] > 0 and page.exists()

    bootcamp("evaluate", "rescore", first, "--score", "process", "--out", tmp_path / "as before", code=1)

    mended = put_task(tmp_path / "mended", task_files("tricky", "tricks"))
    place = tmp_path / "mended" / mended.card.address
    again = bootcamp("evaluate", "rescore", first, "--task", place, "--out", tmp_path / "third", "--json")
    assert json.loads(again.stdout)["total"]["outcomes"] == {"correct": 22, "partial": 0, "wrong": 18, "malformed": 0}
    flips = json.loads(again.stdout)["flips"]
    assert [flip["rollout"] for flip in flips] == ["tricky/3/5/0", "tricky/4/5/0"], "the crashes, and no others"
    assert {(flip["before"], flip["after"]) for flip in flips} == {("no score (verifier-crash)", "wrong 0")}


def test_an_empty_response_is_not_shown_as_none_and_moves_no_terminal(
    tmp_path: Path, bootcamp: Bootcamp, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "replies.jsonl"
    script.write_text('{"text": "", "times": 1}\n{"text": "\\u001b[2J<answer>1</answer>", "times": 1}\n')
    asked = ("doubling", "--model", f"scripted:{script}", "--score", "process", "--levels", "4", "--concurrency", "1")
    bootcamp("evaluate", *asked, "--seeds", "2", "--out", tmp_path / "run")
    shown = [bootcamp("evaluate", "show", tmp_path / "run", f"doubling/4/{seed}/0").stdout for seed in (0, 1)]
    assert sum(text.endswith("--- response\n(empty)\n") for text in shown) == 1
    with monkeypatch.context() as terminal:
        terminal.setattr(sys.stdout, "isatty", lambda: True)
        assert not any(
            "\x1b[2J" in bootcamp("evaluate", "show", tmp_path / "run", f"doubling/4/{seed}/0").stdout
            for seed in (0, 1)
        )


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small file system needs root")
def test_a_full_disk_tells_what_is_stored_and_how_to_go_on(tmp_path: Path, shelf: Path, bootcamp: Bootcamp) -> None:
    small = tmp_path / "small"
    small.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", small], check=True)
    replies = tmp_path / "replies.jsonl"
    replies.write_text(json.dumps({"text": "<answer>7</answer>", "times": 0}) + "\n")
    asked = ("doubling", "--model", f"scripted:{replies}", "--score", "process", "--out", small / "run")
    try:
        done = bootcamp("evaluate", *asked, "--seeds", "0:30", code=3)
        stored = (small / "run" / "rollouts.jsonl").read_bytes().count(b"\n")
        told = re.search(r"No space left on device; (\d+) of 120 rollouts are stored", done.stderr)
        assert told and int(told[1]) > 0 and stored - int(told[1]) in (0, 1), (done.stderr, stored)
        assert f"bootcamp evaluate --resume {small / 'run'}" in done.stderr.splitlines()[-1]
        subprocess.run(["mount", "-o", "remount,size=4m", small], check=True)
        done = bootcamp("evaluate", "--resume", small / "run", "--json")
        total = json.loads(done.stdout)["total"]
        assert total["planned"] == 120 == sum(total["outcomes"].values()) and not total["missing"]
    finally:
        subprocess.run(["umount", small], check=True)


def test_bad_calls_say_what_to_do(tmp_path: Path, shelf: Path, bootcamp: Bootcamp) -> None:
    def fails(*arguments: object, says: str) -> None:
        assert says in bootcamp("evaluate", *arguments, code=2).stderr

    model = ("--model", f"scripted:{script(tmp_path, shelf)}")
    fails("doubling", says="no model is named")
    fails(*model, says="no task is named")
    fails("doublin", *model, says="not among the 2 tasks")
    fails("doubling", *model, "--levels", "1-9", says="levels run from 1 to 4")
    fails("doubling", *model, "--seeds", "x", says="write a number")
    fails("doubling", *model, "--seeds", "999999999999", says="at most 5000000")
    for temperature in ("nan", "-1", "inf", "3"):
        fails("doubling", *model, "--temperature", temperature, says="0 to 2")
    fails("show", "last", "--outcome", "nonsense", says="use one of correct, partial, wrong, malformed")
    fails("doubling", "--model", "nothing:x", "--score", "process", says="names no model")
    fails("doubling", *model, "--score", "magic", says="use one of sandbox, process")
    fails("--resume", "last", says="no run in")
    fails("doubling", *model, "--resume", "last", says="leave them")
    fails("compare", "x", "y", says="not a run's folder")
    (shelf / "arithmetic" / "doubling" / "brief.md").write_text("changed")
    fails("doubling", *model, "--score", "process", says="not approved")
