"""A small task, submissions of it, a queue on disk and a library in a real git repository."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bootcamp_kit.brief import Brief, Solution, Source
from bootcamp_kit.candidate import Candidate, Lineage, Submission
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import digest
from bootcamp_kit.report import CheckResult, Environment, Finding, Report, Severity, Status, Witness
from bootcamp_kit.versions import CHANGES_CHECK
from review.decide import Choice, decide
from review.queue import Queue

REVIEWER = "Rae Viewer <rae@example.org>"
KEEPER = "Kim Keeper <kim@example.org>"
NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)
TEXT = "Everyone moves one seat to the left. Who sits where?"

CARD = """\
id = "{task_id}"
version = "{version}"
title = "{title}"
summary = "Seats rotate."
family = "{family}"
solutions = "unique"
author = "compiler/1"

[answer]
kind = "integer"
format = "one integer"
example = "<answer>7</answer>"

[source]
kind = "brief"
name = "Seats"
licence = "{licence}"
sha256 = "{sha256}"

[difficulty.axes]
length = [3, 5, 8]
"""


def clock() -> datetime:
    return NOW


def a_finding(severity: Severity = Severity.MINOR, message: str = "the prompt is long") -> Finding:
    return Finding("prompt.long", severity, message, Witness(kind="prompt", level=1, seed=3, seen="9,000 characters"))


def a_report(folder: TaskFolder, task_id: str, verdict: str, findings: tuple[Finding, ...] = ()) -> Report:
    results = {
        "pass": (CheckResult("oracle.scores", Status.PASS, figures={"n": 60, "mean": 1.0}),),
        "fail": (
            CheckResult("oracle.scores", Status.FAIL, findings=(a_finding(Severity.BLOCKER, "the oracle fails"),)),
        ),
        "inconclusive": (CheckResult("oracle.scores", Status.ERROR, reason="the engine went away"),),
    }[verdict]
    if findings:
        results = (*results, CheckResult("prompt", Status.FAIL, findings=findings))
    environment = Environment("sha256:0", "docker", "24.0", "0.1.0", "1", "3.11.2", {"memory_mb": 512})
    return Report(task_id, folder.content_hash, "gate", environment, results, {"total": 1.5})


def a_submission(
    *,
    task_id: str = "seat_rotation",
    family: str = "arithmetic",
    version: str = "1.0.0",
    title: str = "Seat rotation",
    licence: str = "CC0-1.0",
    verdict: str = "pass",
    author: str = "compiler/1",
    body: str = "BOOTCAMP = None\n",
    text: str = TEXT,
    parent: str = "",
    attempt: int = 1,
    findings: tuple[Finding, ...] = (),
    extra: dict[str, bytes] | None = None,
    compared: bool = False,
) -> Submission:
    sha256 = digest(text.encode())
    card = CARD.format(task_id=task_id, version=version, title=title, family=family, licence=licence, sha256=sha256)
    files = {
        "card.toml": card.encode(),
        "brief.md": text.encode(),
        "bootcamp.py": body.encode(),
        "oracle.py": b"ORACLE = None\n",
        "examples.toml": b"",
        **(extra or {}),
    }
    folder = TaskFolder(files)
    source = Source("brief", "Seats", licence, sha256)
    brief = Brief(task_id, family, title, text, source, solution=Solution("python", "print(1)"), tags=("modular",))
    lineage = Lineage(author, brief.hash, attempt=attempt, parent=parent, prompts=(("draft.md", "0" * 64),), run="r1")
    report = a_report(folder, task_id, verdict, findings)
    if compared:
        figures = {"asked": {"examples": 9}, "changed": {"examples": 0}, "size": "minor"}
        report = replace(report, results=(*report.results, CheckResult(CHANGES_CHECK, Status.PASS, figures=figures)))
    return Submission(Candidate(folder, lineage), brief, report)


@pytest.fixture(autouse=True)
def own_git_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting of this machine's git reaches a test."""
    for name in list(os.environ):
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    (home / "gitconfig").write_text(
        "[user]\nname = Kim Keeper\nemail = kim@example.org\n[init]\ndefaultBranch = main\n"
    )
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@pytest.fixture
def queue_path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "queue.sqlite"


@pytest.fixture
def queue(queue_path: Path) -> Iterator[Queue]:
    with Queue(queue_path, clock) as opened:
        yield opened


@pytest.fixture
def submission() -> Callable[..., Submission]:
    return a_submission


class Repository:
    """A real git repository with a library in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.library = root / "tasks"

    def git(self, *arguments: str, check: bool = True, **options: Any) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.root, check=check, capture_output=True, text=True, **options
        )
        return done.stdout.strip()

    def commits(self) -> int:
        return int(self.git("rev-list", "--count", "HEAD"))

    def status(self) -> str:
        return self.git("status", "--porcelain", "--untracked-files=all")

    def commit_file(self, path: str, text: str) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        self.git("add", "--", path)
        self.git("commit", "-q", "-m", f"Add {path}")

    def hook(self, name: str, script: str) -> None:
        path = self.root / ".git" / "hooks" / name
        path.write_text("#!/bin/sh\n" + script)
        path.chmod(0o755)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    root = tmp_path / "repo"
    root.mkdir()
    made = Repository(root)
    made.git("init", "-q")
    made.library.mkdir()
    (made.library / "README.md").write_text("The library.\n")
    (root / "other.txt").write_text("not ours\n")
    made.git("add", ".")
    made.git("commit", "-q", "-m", "Start")
    return made


@pytest.fixture
def approved(queue: Queue) -> Callable[..., str]:
    """Submit and approve a variant; returns its content hash."""

    def submit_and_approve(**changes: Any) -> str:
        content_hash = queue.submit(a_submission(**changes))
        decide(queue, content_hash, Choice.APPROVE, REVIEWER, shown_hash=content_hash)
        return content_hash

    return submit_and_approve
