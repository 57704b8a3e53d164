"""``kill -9`` of real ``bootcamp`` processes at random moments: is anything ever half-done?

``python -m benchmarks.kills [N] [DATABASE[:ACT]]…``: for each act (claim, decision, merge) N processes are killed, by
default 36, on each database (sqlite, postgresql). Every second kill takes the whole process group, children of git with
it. A moment is drawn from a little before the first write to a little after the end of a process that is left alone.
After each kill the log must be sound, the item must stand before or after the act and nowhere between, the checkout
must be clean or become so, and the same command given again must bring the act to its end once. Fails at the first that
does not.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.merges import fill, git
from review.queue import Queue
from review.states import State
from tests.review.postgres import binaries, running

REVIEWER = "Rae Viewer <rae@example.org>"
ROOT = Path(__file__).parents[1]
LEFT_ALONE = 3
"""Processes that are measured first; the moments of the kills follow from how long they took."""


@dataclass
class Room:
    """A queue, a library in git, and how ``bootcamp`` is called on them."""

    place: Path
    url: str
    chance: random.Random
    seen: Counter[str] = field(default_factory=Counter)

    @property
    def library(self) -> Path:
        """The checkout."""
        return self.place / "library"

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """A process of its own group."""
        named = {"BOOTCAMP_STATE": str(self.place / "state"), "BOOTCAMP_QUEUE": self.url}
        environment = {**os.environ, **named, "BOOTCAMP_LIBRARY": str(self.library), "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "bootcamp_cli", *arguments]
        return subprocess.Popen(
            command,
            cwd=self.place,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )

    def whole(self, *arguments: str) -> float:
        """Left alone; returns its seconds."""
        start = time.perf_counter()
        process = self.start(*arguments)
        out, said = process.communicate(timeout=120)
        assert process.returncode == 0, (arguments, process.returncode, out, said)
        return time.perf_counter() - start

    def killed(self, number: int, seconds: float, *arguments: str) -> None:
        """Killed at a moment between the start of its work and a little after its usual end."""
        process = self.start(*arguments)
        time.sleep(self.chance.uniform(0.3, 1.15) * seconds)
        how = os.kill if number % 2 else os.killpg
        with contextlib.suppress(ProcessLookupError):  # it had ended
            how(process.pid, signal.SIGKILL)
        process.communicate(timeout=120)
        self.seen["ended before the kill"] += process.returncode == 0
        assert process.returncode in (0, -signal.SIGKILL), process.returncode
        time.sleep(0.05)  # an orphaned git command ends


def claims(room: Room, refs: list[str], seconds: float) -> None:
    """Claimed for the reviewer or not at all."""
    for number, ref in enumerate(refs):
        room.killed(number, seconds, "review", "claim", ref, "--reviewer", REVIEWER)
        with Queue(room.url) as queue:
            holder = queue.item(ref).claimed_by
            assert holder in ("", REVIEWER), holder
            assert queue.verify_log().sound
        room.seen["after" if holder else "before"] += 1
        room.whole("review", "claim", ref, "--reviewer", REVIEWER)
        with Queue(room.url) as queue:
            assert queue.item(ref).claimed_by == REVIEWER
            queue.release(ref, REVIEWER)


def decisions(room: Room, refs: list[str], seconds: float) -> None:
    """Approved, or waiting as before; with the claim ended by the one and kept by the other."""
    for number, ref in enumerate(refs):
        with Queue(room.url) as queue:
            queue.claim(ref, REVIEWER)
            queue.note(ref, REVIEWER, "page")
        command = ("review", "approve", ref, "--reviewer", REVIEWER)
        room.killed(number, seconds, *command)
        with Queue(room.url) as queue:
            item = queue.item(ref)
            assert queue.verify_log().sound
        kinds = [event.kind for event in item.events]
        states = {State.QUEUED: (["submitted"], REVIEWER), State.APPROVED: (["submitted", "approved"], "")}
        assert states[item.state] == (kinds, item.claimed_by), (item.state, kinds, item.claimed_by)
        assert (item.approval is not None) == (item.state is State.APPROVED)
        room.seen["after" if item.approval else "before"] += 1
        if item.approval is None:
            room.whole(*command)
        with Queue(room.url) as queue:
            assert [event.kind for event in queue.item(ref).events] == ["submitted", "approved"]


def merges(room: Room, refs: list[str], seconds: float) -> None:
    """One commit of one folder, or none; what is left of it is finished by the next merge."""
    for number, ref in enumerate(refs):
        head, commits = git(room.library, "rev-parse", "HEAD"), _commits(room)
        room.killed(number, seconds, "merge", ref)
        moved = git(room.library, "rev-parse", "HEAD") != head
        if moved:
            assert git(room.library, "rev-parse", "HEAD~1") == head
        else:
            assert git(room.library, "status", "--porcelain", "--untracked-files=all") == ""
        room.seen["after" if moved else "before"] += 1
        room.whole("merge", ref)
        assert git(room.library, "status", "--porcelain", "--untracked-files=all") == ""
        assert _commits(room) == commits + 1
        assert not (room.library / ".git" / "index.lock").exists()
        with Queue(room.url) as queue:
            item = queue.item(ref)
            assert [event.kind for event in item.events] == ["submitted", "approved", "merged"]
            assert item.events[-1].data["commit"] == git(room.library, "rev-parse", "HEAD")
            assert queue.verify_log().sound
        names = git(room.library, "diff", "--name-only", "HEAD~1").split()
        assert {Path(name).parts[:2] for name in names} == {(item.family, item.task_id)}
    git(room.library, "fsck", "--no-dangling", "--no-progress")


def _commits(room: Room) -> int:
    return int(git(room.library, "rev-list", "--count", "HEAD"))


Act = Callable[[Room, list[str], float], None]
ACTS: dict[str, tuple[Act, tuple[str, ...], bool]] = {
    "claim": (claims, ("review", "claim"), False),
    "decision": (decisions, ("review", "approve"), False),
    "merge": (merges, ("merge",), True),
}
"""Name → what is done, the command, whether items are approved before."""


def run(place: Path, url: str, name: str, count: int) -> dict[str, object]:
    """One act on one database."""
    act, command, approved = ACTS[name]
    room = Room(place, url, random.Random(f"{name}{count}"))
    library = room.library
    library.mkdir(parents=True)
    git(library, "init", "-q")
    (library / "README.md").write_text("The library.\n")
    git(library, "add", ".")
    git(library, "commit", "-q", "-m", "Start")
    with Queue(url) as queue:
        refs = fill(queue, count + LEFT_ALONE, approve=approved)
        for ref in refs[:LEFT_ALONE]:
            queue.note(ref, REVIEWER, "page")
    who = () if approved else ("--reviewer", REVIEWER)
    seconds = median(room.whole(*command, ref, *who) for ref in refs[:LEFT_ALONE])
    act(room, refs[LEFT_ALONE:], seconds)
    return {"act": name, "killed": count, "seconds of one left alone": round(seconds, 2), **room.seen}


def main(count: int, databases: list[str]) -> int:
    """Every act on every database; one JSON line each."""
    with tempfile.TemporaryDirectory(prefix="kills-") as folder, ExitStack() as servers:
        place = Path(folder)
        place.chmod(0o755)
        os.environ |= {"GIT_CONFIG_GLOBAL": str(place / "gitconfig"), "GIT_CONFIG_NOSYSTEM": "1"}
        (place / "gitconfig").write_text(
            "[user]\nname = Kim Keeper\nemail = kim@example.org\n[init]\ndefaultBranch = main\n"
        )
        server = None
        if any(name.startswith("postgresql") for name in databases):
            found = binaries()
            assert found is not None, "no PostgreSQL server binaries"
            server = servers.enter_context(running(place / "s", found))
        for chosen in databases:
            database, _, act = chosen.partition(":")
            for name in (act,) if act else ACTS:
                room = place / f"{database}-{name}"
                url = server.new_database() if database == "postgresql" and server else str(room / "queue.sqlite")
                room.mkdir()
                print(json.dumps({"database": database, **run(room, url, name, count)}), flush=True)
    return 0


if __name__ == "__main__":
    chosen = sys.argv[2:] or ["sqlite", "postgresql"]
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 36, chosen))
