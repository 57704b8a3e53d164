"""Killed at any moment, interrupted, resumed: the same end as an undisturbed run, and no answered call asked again."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from authoring.outcomes import OutcomeKind
from authoring.runs import RunFolder
from tests.authoring import child_run

ROOT = Path(__file__).parents[2]


@dataclass
class Runner:
    """Starts runs in processes of their own."""

    server: subprocess.Popen[str]

    def start(self, state: Path, mode: str, pace: int = 1) -> int:
        """At pace 10 a run takes some ten seconds: a busy machine hits it in the middle, too."""
        assert self.server.stdin
        assert self.server.stdout
        self.server.stdin.write(f"{state} {mode} {pace}\n")
        self.server.stdin.flush()
        return int(self.server.stdout.readline())

    def ended(self) -> int:
        assert self.server.stdout
        return int(self.server.stdout.readline())

    def finish(self, state: Path, mode: str) -> int:
        self.start(state, mode)
        return self.ended()

    def start_asking(self, state: Path) -> int:
        """Start a run, and wait until a few of its calls are under way or answered."""
        process = self.start(state, "start", 10)
        while len(asked(state)) < 4:
            time.sleep(0.005)
        return process

    def kill(self, state: Path, mode: str, after_s: float, pace: int) -> int:
        """Kill it after a while; the exit status, negative when that ended it."""
        process = self.start(state, mode, pace)
        time.sleep(after_s)
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
        return self.ended()


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    command = [sys.executable, "-m", "tests.authoring.child_run"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, text=True, **pipes) as server:  # type: ignore[call-overload]
        yield Runner(server)
        assert server.stdin
        server.stdin.close()


@pytest.fixture(scope="module")
def undisturbed(runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> Path:
    state = tmp_path_factory.mktemp("undisturbed")
    assert runner.finish(state, "start") == 0
    return state


def queue(state: Path) -> set[str]:
    return {path.name for path in (state / "queue").iterdir()}


def outcomes(state: Path) -> dict[str, tuple[OutcomeKind, str]]:
    run = RunFolder.open(state, child_run.RUN_ID)
    found = {item.id: run.outcome(item.brief) for item in run.work()}
    return {name: (outcome.kind, outcome.content_hash) for name, outcome in found.items() if outcome}


def asked(state: Path) -> list[str]:
    log = state / "asked.log"
    return [line.split()[1] for line in log.read_text().splitlines()] if log.exists() else []


def answered(state: Path) -> set[str]:
    if not (state / "calls.sqlite").exists():
        return set()
    with closing(sqlite3.connect(state / "calls.sqlite")) as database:
        if not database.execute("select 1 from sqlite_master where name = 'replies'").fetchall():
            return set()
        return {key for (key,) in database.execute("select key from replies")}


def test_the_undisturbed_run_shows_every_kind_of_end(undisturbed: Path) -> None:
    ends = outcomes(undisturbed)
    assert len(ends) == 6
    assert {kind for kind, _ in ends.values()} == {OutcomeKind.QUEUED, OutcomeKind.EXHAUSTED}
    assert ends["exact_load_4"][0] is OutcomeKind.EXHAUSTED
    assert len(queue(undisturbed)) == 5
    assert len(asked(undisturbed)) == len(set(asked(undisturbed)))


@pytest.mark.parametrize("seed", range(3))
def test_killed_at_random_moments_it_ends_like_an_undisturbed_run(
    runner: Runner, undisturbed: Path, tmp_path: Path, seed: int
) -> None:
    rng = random.Random(seed)
    kills, mode, status = 0, "start", -signal.SIGKILL
    while status != 0:
        known, before = answered(tmp_path), len(asked(tmp_path))
        if kills < 12:
            status = runner.kill(tmp_path, mode, rng.uniform(0.01, 0.3), 10 if kills < 4 else 1)
        else:
            status = runner.finish(tmp_path, mode)
        kills, mode = kills + (status != 0), "resume"
        assert status in (0, -signal.SIGKILL)
        assert not known & set(asked(tmp_path)[before:]), "a call that had been answered was asked again"
    assert kills >= 4
    assert queue(tmp_path) == queue(undisturbed)
    assert outcomes(tmp_path) == outcomes(undisturbed)
    events = list(RunFolder.open(tmp_path, child_run.RUN_ID).events.read())
    assert events[-1].what == "finished"
    assert not list(tmp_path.rglob(".writing-*"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_it_drains_and_resumes(
    runner: Runner, undisturbed: Path, tmp_path: Path, number: signal.Signals
) -> None:
    os.kill(runner.start_asking(tmp_path), number)
    assert runner.ended() == 130
    run = RunFolder.open(tmp_path, child_run.RUN_ID)
    assert run.info().state == "unfinished"
    told = [event for event in run.events.read() if event.node == "run"]
    assert [event.what for event in told] == ["started", "stopping", "stopped"]
    assert number.name in told[1].detail
    assert set(asked(tmp_path)) == answered(tmp_path), "a call under way was not waited for"
    assert runner.finish(tmp_path, "resume") == 0
    assert len(asked(tmp_path)) == len(set(asked(tmp_path)))
    assert outcomes(tmp_path) == outcomes(undisturbed)
    assert run.info().state == "finished"


def test_interrupted_twice_it_stops_at_once_and_still_resumes(
    runner: Runner, undisturbed: Path, tmp_path: Path
) -> None:
    process = runner.start_asking(tmp_path)
    os.kill(process, signal.SIGINT)
    time.sleep(0.01)
    os.kill(process, signal.SIGINT)
    assert runner.ended() == 130
    assert runner.finish(tmp_path, "resume") == 0
    assert outcomes(tmp_path) == outcomes(undisturbed)
