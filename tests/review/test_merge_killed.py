"""Real kill -9 of a merging process: at chosen moments through git's own hooks, and at random ones."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from bootcamp_kit.errors import MachineError, ReviewRuleError
from bootcamp_kit.folder import TaskFolder
from review.item import State
from review.merge import merge

KEEPER = "Kim Keeper <kim@example.org>"
FOLDER = "tasks/arithmetic/seat_rotation"
WORKER = """
    import os, sys
    from pathlib import Path
    import git, tomli_w
    from review.merge import merge
    from review.queue import Queue
    with Queue(Path(sys.argv[1])) as queue:
        Path(sys.argv[4]).write_text(str(os.getpid()))
        print("merging", flush=True)
        merge(queue, sys.argv[3], Path(sys.argv[2]), identity="Kim Keeper <kim@example.org>")
"""


@pytest.fixture
def worker(queue_path, repository, tmp_path):
    def start(ref: str) -> subprocess.Popen[bytes]:
        arguments = [str(queue_path), str(repository.library), ref, str(tmp_path / "pid")]
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(WORKER), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
            start_new_session=True,
        )
        assert process.stdout is not None
        assert process.stdout.readline() == b"merging\n"
        return process

    return start


@pytest.fixture
def update(queue, repository, approved):
    """An update of a merged task, one file gone and one new; returns its content hash."""
    first = approved(extra={"gone.py": b"A = 1\n"})
    merge(queue, first, repository.library, identity=KEEPER)
    return approved(version="1.1.0", body="A = 2\n", parent=first, extra={"new.py": b"B = 1\n"}, compared=True)


def all_gone(session: int) -> None:
    """Wait until the git commands that a killed process left behind have ended."""
    end = time.monotonic() + 120
    while any(session_of(place) == session for place in Path("/proc").glob("[0-9]*/stat")):
        assert time.monotonic() < end, "a git command goes on"
        time.sleep(0.01)


def session_of(stat: Path) -> int:
    """0 for a process that has ended."""
    try:
        state, _, _, session = stat.read_text().rpartition(")")[2].split()[:4]
    except OSError:
        return 0
    return 0 if state in "ZX" else int(session)


def settle(repository, head_before: str) -> str:
    """What a kill left behind must be all or nothing; returns which."""
    if repository.git("rev-parse", "HEAD") == head_before:
        assert repository.status() == ""
        return "nothing"
    assert repository.git("rev-parse", "HEAD~1") == head_before
    names = {Path(name).name for name in repository.git("ls-tree", "-r", "--name-only", "HEAD", FOLDER).split()}
    assert {"new.py", "record.toml", "report.json", "card.toml"} <= names
    assert "gone.py" not in names
    return "all"


def finish(queue, repository, content_hash: str, commits: int):
    done = merge(queue, content_hash, repository.library, identity=KEEPER)
    assert repository.status() == ""
    assert repository.commits() == commits + 1
    assert TaskFolder.read(done.path).content_hash == content_hash
    assert queue.item(content_hash).state is State.MERGED
    assert [event.kind for event in queue.item(content_hash).events] == ["submitted", "approved", "merged"]
    assert queue.verify_log().sound
    assert sorted(path.name for path in (repository.root / ".git" / "bootcamp-merge").iterdir()) == ["lock"]
    assert not (repository.root / ".git" / "index.lock").exists()
    assert repository.git("worktree", "list").count("\n") == 0
    repository.git("fsck", "--no-dangling", "--no-progress")
    return done


KILL = 'kill -9 $(cat "$PIDFILE")\n'
MOMENTS = {
    "while the commit is made": ("pre-commit", KILL, "nothing"),
    "before the branch moves": ("reference-transaction", f'test "$1" = prepared && {KILL}exit 0\n', "nothing or all"),
    "after the branch moved": ("reference-transaction", f'test "$1" = committed && {KILL}exit 0\n', "all"),
    "2 ms later": ("reference-transaction", f'test "$1" = committed && (sleep 0.002; {KILL}) & exit 0\n', "all"),
    "5 ms later": ("reference-transaction", f'test "$1" = committed && (sleep 0.005; {KILL}) & exit 0\n', "all"),
    "10 ms later": ("reference-transaction", f'test "$1" = committed && (sleep 0.010; {KILL}) & exit 0\n', "all"),
    "20 ms later": ("reference-transaction", f'test "$1" = committed && (sleep 0.020; {KILL}) & exit 0\n', "all"),
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_kill_leaves_all_or_nothing_and_the_next_merge_finishes(
    queue, repository, worker, update, moment, tmp_path, monkeypatch
):
    name, script, expected = MOMENTS[moment]
    monkeypatch.setenv("PIDFILE", str(tmp_path / "pid"))
    only_main = 'test "$1" = committed -o "$1" = prepared || exit 0\ngrep -q refs/heads/main || exit 0\n'
    repository.hook(name, (only_main if name == "reference-transaction" else "") + script)
    head, commits = repository.git("rev-parse", "HEAD"), repository.commits()
    process = worker(update)
    process.communicate(timeout=240)
    (repository.root / ".git" / "hooks" / name).unlink()
    assert process.returncode in (-signal.SIGKILL, 0)
    all_gone(process.pid)
    assert settle(repository, head) in expected
    finish(queue, repository, update, commits)


def test_kills_at_random_moments_never_half_merge(queue, repository, worker, update, approved):
    head, commits = repository.git("rev-parse", "HEAD"), repository.commits()
    rng = random.Random(7)
    seen = []
    for number in range(6):
        process = worker(update)
        time.sleep(rng.uniform(0.0, 0.25) if number else 0.0)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=240)
        all_gone(process.pid)
        seen.append(settle(repository, head))
        if seen[-1] == "all":
            finish(queue, repository, update, commits)
            head, commits = repository.git("rev-parse", "HEAD"), repository.commits()
            update = approved(
                version=f"1.2.{number}",
                body=f"A = {number}\n",
                parent=update,
                extra={"new.py": b"B = 2\n"},
                compared=True,
            )
    assert "nothing" in seen
    finish(queue, repository, update, commits)


@pytest.fixture
def interrupted(repository, worker, update, tmp_path, monkeypatch):
    """A merge killed between moving the branch and writing the files."""
    monkeypatch.setenv("PIDFILE", str(tmp_path / "pid"))
    repository.hook("reference-transaction", f'grep -q refs/heads/main && test "$1" = committed && {KILL}exit 0\n')
    process = worker(update)
    process.communicate(timeout=240)
    all_gone(process.pid)
    (repository.root / ".git" / "hooks" / "reference-transaction").unlink()
    assert repository.status() != ""
    return update


def test_after_a_kill_git_itself_does_not_commit_the_half_checkout(repository, interrupted):
    refused = subprocess.run(
        ["git", "commit", "-q", "-a", "-m", "x"], cwd=repository.root, capture_output=True, text=True
    )
    assert "index.lock" in refused.stderr


def test_another_merge_finishes_it_too(queue, repository, interrupted, approved):
    done = merge(queue, approved(task_id="other_task"), repository.library, identity=KEEPER)
    assert done.notes == (f"finished the checkout of {FOLDER}, whose merge was interrupted",)
    assert repository.status() == ""
    assert (repository.root / FOLDER / "new.py").exists()


def test_files_edited_since_the_kill_are_not_overwritten(queue, repository, interrupted):
    mine = repository.root / FOLDER / "bootcamp.py"
    mine.write_text("mine\n")
    with pytest.raises(ReviewRuleError, match=r"bootcamp\.py was changed by hand"):
        merge(queue, interrupted, repository.library, identity=KEEPER)
    assert mine.read_text() == "mine\n"
    mine.unlink()
    merge(queue, interrupted, repository.library, identity=KEEPER)
    assert repository.status() == ""


def test_a_reset_after_the_kill_is_accepted(queue, repository, interrupted):
    (repository.root / ".git" / "index.lock").unlink()
    repository.git("reset", "-q", "--hard", "HEAD~1")
    done = merge(queue, interrupted, repository.library, identity=KEEPER)
    assert done.new
    assert "cleared away" in done.notes[0]
    assert repository.status() == ""


def test_a_damaged_journal_is_not_guessed_at(queue, repository, interrupted):
    (repository.root / ".git" / "bootcamp-merge" / "journal.json").write_text("{")
    with pytest.raises(MachineError, match=r"journal\.json is damaged"):
        merge(queue, interrupted, repository.library, identity=KEEPER)


def test_two_merges_at_once_in_one_checkout_take_turns(queue, repository, worker, approved):
    refs = [approved(task_id=f"task_{number}") for number in range(2)]
    processes = [worker(ref) for ref in refs]
    for process in processes:
        _, said = process.communicate(timeout=240)
        assert process.returncode == 0, said.decode()
    assert repository.commits() == 3
    assert repository.status() == ""


def test_a_git_directory_on_its_own_is_fine(queue, repository, approved, tmp_path):
    shutil.move(repository.root / ".git", tmp_path / "gitdir")
    (repository.root / ".git").write_text(f"gitdir: {tmp_path / 'gitdir'}\n")
    merge(queue, approved(), repository.library, identity=KEEPER)
    assert repository.status() == ""
