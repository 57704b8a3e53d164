"""How long many merges take, from two clones of one library at once: ``python benchmarks/merges.py [N]``.

Fills one queue with N approved candidates, lets two processes merge half of them each into a clone of their own, then
pulls with rebase and pushes, first the one, then the other. Fails unless every task arrived, each commit touches one
folder, nothing conflicted, and the queue's log is sound. N is 1,000 when not said.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # also run as a file, which has a package's name

from bootcamp_kit.brief import Brief, Source
from bootcamp_kit.candidate import Candidate, Lineage, Submission
from bootcamp_kit.decision import Choice
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import digest
from bootcamp_kit.library import Library
from bootcamp_kit.report import CheckResult, Environment, Report, Status
from review.decide import decide
from review.merge import merge
from review.queue import Queue
from review.states import State

REVIEWER, KEEPER = "Rae Viewer <rae@example.org>", "Kim Keeper <kim@example.org>"
TEXT = "Add up the numbers."
CARD = """id = "{name}"
version = "1.0.0"
title = "Sum {name}"
summary = "Adds up."
family = "family_{family}"
solutions = "unique"
author = "compiler/1"
[answer]
kind = "integer"
format = "one integer"
example = "<answer>7</answer>"
[source]
kind = "brief"
name = "Sums"
licence = "CC0-1.0"
sha256 = "{sha256}"
[difficulty.axes]
count = [3, 5, 8]
"""


def fill(queue: Queue, count: int, *, approve: bool = True) -> list[str]:
    """Candidates, approved or waiting."""
    sha256 = digest(TEXT.encode())
    source = Source("brief", "Sums", "CC0-1.0", sha256)
    environment = Environment("sha256:0", "docker", "20", "0.1.0", "1", "3.11", {})
    found = []
    for number in range(count):
        name, family = f"sum_{number:04d}", number % 20
        card = CARD.format(name=name, family=family, sha256=sha256).encode()
        folder = TaskFolder(
            {
                "card.toml": card, "brief.md": TEXT.encode(), "examples.toml": b"", "oracle.py": b"ORACLE = None\n",
                "bootcamp.py": b"from bootcamp_kit.answers import integer\nBOOTCAMP = None\n" * 50,
            }
        )  # fmt: skip
        brief = Brief(name, f"family_{family}", f"Sum {name}", TEXT, source)
        ran = (CheckResult("oracle.scores_one", Status.PASS, figures={"n": 24, "wrong": 0}),)
        report = Report(name, folder.content_hash, "gate", environment, ran, {})
        ref = queue.submit(Submission(Candidate(folder, Lineage("compiler/1", brief.hash)), brief, report))
        if approve:
            decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref)
        found.append(ref)
    return found


def merge_all(queue_path: Path, library: Path, refs: list[str]) -> float:
    """Merge these into one clone; returns the seconds it took."""
    start = time.perf_counter()
    with Queue(queue_path, busy_seconds=120) as queue:
        for ref in refs:
            merge(queue, ref, library, identity=KEEPER)
    return time.perf_counter() - start


def git(place: Path, *arguments: str) -> str:
    """One git command."""
    done = subprocess.run(["git", *arguments], cwd=place, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def prepare(place: Path) -> tuple[Path, Path]:
    """A bare repository and two clones of it with the start of a library."""
    os.environ |= {"GIT_CONFIG_GLOBAL": str(place / "gitconfig"), "GIT_CONFIG_NOSYSTEM": "1"}
    (place / "gitconfig").write_text(
        "[user]\nname = Kim Keeper\nemail = kim@example.org\n[init]\ndefaultBranch = main\n"
    )
    git(place, "init", "-q", "--bare", "origin.git")
    git(place, "clone", "-q", "origin.git", "one")
    (place / "one" / "README.md").write_text("The library.\n")
    git(place / "one", "add", ".")
    git(place / "one", "commit", "-q", "-m", "Start")
    git(place / "one", "push", "-q", "origin", "main")
    git(place, "clone", "-q", "origin.git", "two")
    return place / "one", place / "two"


def main(count: int, place: Path) -> None:
    """Fill, merge, bring together, check, print."""
    one, two = prepare(place)
    path = place / "queue.sqlite"
    with Queue(path) as queue:
        start = time.perf_counter()
        refs = fill(queue, count)
        print(f"{count:,} approved candidates in {time.perf_counter() - start:.1f} s")
    start = time.perf_counter()
    with ProcessPoolExecutor(2) as pool:
        half = [pool.submit(merge_all, path, one, refs[::2]), pool.submit(merge_all, path, two, refs[1::2])]
        took = [item.result() for item in half]
    seconds = time.perf_counter() - start
    each = sum(took) / count
    print(f"{count:,} merges from two clones in {seconds:.1f} s: {each:.3f} s each, {count / seconds:.1f} a second")
    start = time.perf_counter()
    for clone in (one, two):
        git(clone, "pull", "-q", "--rebase", "origin", "main")
        git(clone, "push", "-q", "origin", "main")
    print(f"pull --rebase and push of both: {time.perf_counter() - start:.1f} s, no conflict")
    entries, problems = Library(two).scan()
    assert (len(entries), list(problems)) == (count, [])
    touched = git(two, "log", "--format=%H", "--name-only", "HEAD").split("\n\n")
    commits = [block for block in touched if "card.toml" in block]
    folders = [{"/".join(line.split("/")[:2]) for line in block.splitlines() if "/" in line} for block in commits]
    assert len(folders) == count
    assert all(len(found) == 1 for found in folders), "a commit touched more than one folder"
    with Queue(path) as queue:
        checked = queue.verify_log()
        assert checked.sound, checked.problems
        assert len(queue.items(states=[State.MERGED])) == count
    print(f"{len(entries):,} tasks in one library, {checked.count:,} events, log sound")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("count", nargs="?", type=int, default=1_000)
    with tempfile.TemporaryDirectory() as temporary:
        main(arguments.parse_args().count, Path(temporary))
