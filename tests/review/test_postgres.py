"""The queue on a real PostgreSQL server, as a team uses it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bootcamp_kit.errors import MachineError, UsageError
from review.decide import Choice, decide
from review.item import State
from review.listing import Filter
from review.queue import Queue
from tests.review.conftest import REVIEWER, clock
from tests.review.old_schema import make_version_1
from tests.review.postgres import Server, binaries, running


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    folder = binaries()
    if folder is None:
        assert not os.environ.get("CI"), "CI must have PostgreSQL's server binaries (Debian: postgresql)"
        pytest.skip("no PostgreSQL server binaries (Debian: apt-get install postgresql)")
    root = Path(tempfile.mkdtemp(prefix="pg-"))  # a socket's path may have 107 characters only
    try:
        with running(root / "s", folder) as started:
            yield started
    finally:
        shutil.rmtree(root, ignore_errors=True)


@pytest.fixture
def url(server: Server) -> str:
    return server.new_database()


@pytest.fixture
def queue(url: str) -> Iterator[Queue]:
    with Queue(url, clock) as opened:
        yield opened


def execute(url: str, statement: str) -> None:
    import psycopg

    with psycopg.connect(url.replace("postgresql+psycopg", "postgresql")) as connection:
        connection.execute(statement)


def test_an_item_goes_its_whole_way(queue, submission):
    given = submission(title="Ünïcode 李")
    ref = queue.submit(given)
    item = queue.item("seat_rotation")
    assert (item.folder, item.report, item.brief) == (given.candidate.folder, given.report, given.brief)
    assert queue.submit(given) == ref
    assert [entry.ref for entry in queue.find(Filter(search="ÜNÏ seat", min_risk=0)).entries] == [item.ref]
    queue.claim(ref, REVIEWER)
    assert queue.items()[0].claimed_by == REVIEWER
    decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref)
    assert queue.items(states=[State.APPROVED])[0].claimed_by == ""
    assert queue.verify_log().sound


def test_text_that_the_database_cannot_hold_does_not_stop_a_submission(queue, submission):
    ref = queue.submit(submission(author="openai:\0evil"))
    assert queue.item(ref).lineage.author == "openai:\0evil"
    assert queue.item(ref).origin_sound
    assert queue.verify_log().sound


def test_the_log_cannot_be_changed_and_tampering_by_force_is_found(queue, url, submission):
    import psycopg

    queue.submit(submission())
    for statement in (
        "UPDATE review_events SET actor = 'x'", "DELETE FROM review_events", "TRUNCATE review_events",
    ):  # fmt: skip
        with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
            execute(url, statement)
    execute(url, "ALTER TABLE review_events DISABLE TRIGGER ALL; UPDATE review_events SET actor = 'x'")
    assert queue.verify_log().problems == ("event 1 (submitted by x) was changed after it was written",)


WORKER = """
    import sys
    from review.decide import Choice, decide
    from review.queue import Queue
    url, name, most = sys.argv[1:]
    me = name.title() + " <" + name + "@example.org>"
    with Queue(url) as queue:
        print("ready", flush=True)
        sys.stdin.readline()
        for count in range(int(most)):
            item = queue.claim_next(me)
            if item is None:
                break
            decide(queue, item.content_hash, Choice.REJECT, me, "dull", shown_hash=item.content_hash)
            print(item.task_id, flush=True)
            if not count:
                sys.stdin.readline()
        sys.stdin.readline()
"""


def worker(url: str, name: str, most: int) -> subprocess.Popen[str]:
    """It waits for a line before its first item, before its second, and before its end."""
    command = [sys.executable, "-c", textwrap.dedent(WORKER), url, name, str(most)]
    started = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert started.stdout is not None
    assert started.stdout.readline() == "ready\n"
    return started


def test_two_reviewers_in_two_processes_share_the_work_and_never_an_item(queue, url, submission):
    names = [f"task_{number:02}" for number in range(24)]
    for name in names:
        queue.submit(submission(task_id=name))
    both = [worker(url, name, len(names)) for name in ("ann", "bob")]
    firsts = []
    for process in both:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write("\n")
        process.stdin.flush()
        firsts.append(process.stdout.readline().strip())
    for process in both:
        process.stdin.write("\n")
        process.stdin.flush()
    rest = [process.communicate(timeout=240)[0].split() for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sorted(firsts + rest[0] + rest[1]) == names
    check = queue.verify_log()
    assert (check.sound, check.count) == (True, 48)


def test_a_reviewer_killed_in_mid_work_leaves_whole_decisions_and_a_claim_that_expires(queue, url, submission):
    from datetime import timedelta

    for number in range(60):
        queue.submit(submission(task_id=f"task_{number:03}"))
    process = worker(url, "ann", 20)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("\n\n")
    process.stdin.flush()
    for _ in range(3):
        process.stdout.readline()
    process.kill()
    process.wait()
    process.stdin.close()
    process.stdout.close()
    deadline = time.monotonic() + 120
    while not queue.verify_log().sound and time.monotonic() < deadline:
        time.sleep(0.05)
    assert queue.verify_log().sound
    left = queue.items(states=[State.QUEUED])
    assert 0 < len(left) < 60
    with Queue(url, lambda: clock().replace(year=2100) + timedelta(hours=1)) as later:
        assert not any(entry.claimed_by for entry in later.items())


def test_an_older_schema_is_migrated_and_a_newer_one_refused(url, server, queue, submission):
    ref = queue.submit(submission())
    old = server.new_database()
    with Queue(old):
        pass
    make_version_1(old, queue)
    with Queue(old, clock) as migrated:
        assert migrated.item(ref).report == queue.item(ref).report
        assert migrated.verify_log().sound
    execute(old, "UPDATE review_meta SET value = '99'")
    with pytest.raises(UsageError, match="upgrade this program"):
        Queue(old)


def test_a_server_that_is_not_there_or_goes_away_is_said_clearly(server, url, submission):
    with pytest.raises(MachineError, match="cannot be reached"):
        Queue("postgresql://nobody@127.0.0.1:1/queue", busy_seconds=2)
    with pytest.raises(MachineError, match=r'cannot be reached: .*"nowhere" does not exist'):
        Queue(server.url("nowhere"))
    with Queue(url, clock) as queue:
        ref = queue.submit(submission())
        server.stop()
        try:
            with pytest.raises(MachineError, match="cannot be reached"):
                queue.items()
        finally:
            server.start()
        assert queue.item(ref).content_hash == ref


def test_a_locked_database_says_so_and_a_password_is_never_shown(url, queue, submission):
    import psycopg

    with psycopg.connect(url) as other:
        other.execute("SELECT * FROM review_meta FOR UPDATE")
        with Queue(url, busy_seconds=0.2) as waiting, pytest.raises(MachineError, match="held it locked"):
            waiting.submit(submission())
    with pytest.raises(MachineError) as caught:
        Queue("postgres://me:secret-word@127.0.0.1:1/queue", busy_seconds=1)
    assert "secret-word" not in str(caught.value)


def test_two_first_openers_do_not_collide(server):
    fresh = server.new_database()
    code = "import sys; from review.queue import Queue; Queue(sys.argv[1]).close()"
    both = [subprocess.Popen([sys.executable, "-c", code, fresh]) for _ in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]
