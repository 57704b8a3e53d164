from __future__ import annotations

import sqlite3
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from sqlalchemy import event

from bootcamp_kit.errors import BootcampError, MachineError, UsageError
from bootcamp_kit.report import Verdict
from review.decide import Choice, decide
from review.item import State
from review.queue import Queue

REVIEWER = "Rae Viewer <rae@example.org>"


def kinds(queue: Queue) -> list[str]:
    return [event.kind for event in queue.events()]


def test_an_item_comes_back_whole(queue, submission):
    given = submission(findings=())
    item = queue.item(queue.submit(given))
    assert item.folder == given.candidate.folder
    assert item.report == given.report
    assert item.brief == given.brief
    assert item.lineage == given.candidate.lineage
    assert item.state is State.QUEUED
    assert item.created == "2026-11-30T12:00:00Z"
    assert item.origin_sound


def test_the_same_candidate_twice_is_one_item_and_one_event(queue, submission):
    assert queue.submit(submission()) == queue.submit(submission())
    assert len(queue.items()) == 1
    assert kinds(queue) == ["submitted"]


def test_a_report_that_says_something_replaces_an_inconclusive_one(queue, submission):
    ref = queue.submit(submission(verdict="inconclusive"))
    queue.submit(submission(verdict="pass"))
    queue.submit(submission(verdict="inconclusive"))
    assert queue.item(ref).report.verdict is Verdict.PASS
    assert queue.items()[0].verdict is Verdict.PASS
    assert kinds(queue) == ["submitted", "rechecked"]
    decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref)


def test_a_newer_candidate_supersedes_waiting_and_returned_ones_but_not_an_approval(queue, submission, approved):
    kept = approved(body="A = 0\n")
    waiting = queue.submit(submission(body="A = 1\n"))
    returned = queue.submit(submission(body="A = 2\n"))
    assert queue.item(waiting).state is State.SUPERSEDED
    decide(queue, returned, Choice.RETURN, REVIEWER, "too easy", shown_hash=returned)
    newest = queue.submit(submission(body="A = 3\n"))
    assert queue.item(returned).state is State.SUPERSEDED
    assert queue.item(returned).events[-1].data == {"by": newest}
    assert queue.item(kept).state is State.APPROVED
    other = queue.submit(submission(task_id="other_task", text="Another."))
    assert queue.item(newest).state is queue.item(other).state is State.QUEUED


def test_a_candidate_without_a_readable_card_is_listed_under_its_brief(queue, submission):
    ref = queue.submit(submission(verdict="fail", extra={"card.toml": b"id = ["}))
    assert queue.item(ref).task_id == "seat_rotation"
    assert queue.items()[0].version == ""


def test_the_list_is_filtered_by_state_and_limited(queue, submission):
    first = queue.submit(submission())
    second = queue.submit(submission(task_id="other_task"))
    decide(queue, first, Choice.REJECT, REVIEWER, "dull", shown_hash=first)
    assert [entry.content_hash for entry in queue.items()] == [first, second]
    assert [entry.content_hash for entry in queue.items(states=[State.QUEUED])] == [second]
    assert [entry.content_hash for entry in queue.items(limit=1)] == [first]
    assert [entry.content_hash for entry in queue.items(task_id="other_task")] == [second]


def test_an_item_is_named_by_task_id_hash_or_both(queue, submission):
    old = queue.submit(submission(body="A = 1\n"))
    new = queue.submit(submission(body="A = 2\n"))
    assert queue.item("seat_rotation").content_hash == new
    assert queue.item(old[:6]).content_hash == old
    assert queue.item(f"seat_rotation@{old[:8]}").content_hash == old
    assert queue.item(queue.items()[0].ref).content_hash == old


def test_a_closed_task_is_still_found_by_its_id(queue, submission):
    ref = queue.submit(submission())
    decide(queue, ref, Choice.REJECT, REVIEWER, "dull", shown_hash=ref)
    assert queue.item("seat_rotation").content_hash == ref


@pytest.mark.parametrize(
    "ref", ["", "nothing_here", "abc", "ABCDEF", "seat_rotation@ffffffff", "%", "a' OR 1=1 --", "_"]
)
def test_an_unknown_reference_says_what_to_name(queue, submission, ref):
    queue.submit(submission())
    with pytest.raises(UsageError, match="no such item"):
        queue.item(ref)


def test_an_ambiguous_reference_lists_what_it_could_mean(queue, submission, approved):
    first = approved(body="A = 0\n")
    second = queue.submit(submission(body="A = 1\n"))
    with pytest.raises(UsageError, match="2 items are meant") as caught:
        queue.item("seat_rotation")
    assert f"seat_rotation@{first[:12]} (approved)" in caught.value.found
    assert f"seat_rotation@{second[:12]} (queued)" in caught.value.found


def test_earlier_attempts_are_followed_through_their_parents(queue, submission):
    first = queue.submit(submission(body="A = 1\n"))
    decide(queue, first, Choice.RETURN, REVIEWER, "too easy", shown_hash=first)
    second = queue.submit(submission(body="A = 2\n", parent=first, attempt=2))
    third = queue.submit(submission(body="A = 3\n", parent=second, attempt=3))
    assert [item.content_hash for item in queue.ancestors(queue.item(third))] == [second, first]


WORKER = """
    import sys
    sys.path.insert(0, {here!r})
    from pathlib import Path
    from conftest import a_submission, clock
    from review.queue import Queue
    with Queue(Path({path!r}), clock) as queue:
        for number in range(20):
            queue.submit(a_submission(task_id=f"shared_{{number}}"))
            queue.submit(a_submission(task_id=f"own_{me}_{{number}}"))
"""


def test_two_processes_at_once_lose_nothing_and_double_nothing(queue_path):
    here = str(Path(__file__).parent)
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(WORKER.format(here=here, path=str(queue_path), me=me))],
            stderr=subprocess.PIPE,
        )
        for me in range(2)
    ]
    for worker in workers:
        _, said = worker.communicate(timeout=240)
        assert worker.returncode == 0, said.decode()
    with Queue(queue_path) as queue:
        names = [entry.task_id for entry in queue.items()]
        assert len(names) == len(set(names)) == 60
        check = queue.verify_log()
        assert (check.sound, check.count) == (True, 60)


def test_a_changed_event_cannot_be_written_and_is_found_when_forced(queue, queue_path, submission):
    queue.submit(submission())
    queue.submit(submission(task_id="other_task"))
    with sqlite3.connect(queue_path) as raw:
        for statement in ("UPDATE review_events SET actor = 'x'", "DELETE FROM review_events"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                raw.execute(statement)
        assert queue.verify_log().sound
        raw.execute("DROP TRIGGER review_events_no_update")
        raw.execute("UPDATE review_events SET actor = 'x' WHERE seq = 1")
    raw.close()
    check = queue.verify_log()
    assert check.problems == ("event 1 (submitted by x) was changed after it was written",)


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("DELETE FROM review_events WHERE seq = 2", "event 3 stands where event 2 should"),
        ("UPDATE review_items SET state = 'approved' WHERE id = 1", "is approved, its events say queued"),
        ("DELETE FROM review_events WHERE seq = 3", "has no event"),
        ("UPDATE review_events SET data = '{}' WHERE seq = 2", "event 2 (submitted by compiler/1) was changed"),
        ("UPDATE review_events SET data = 'x' WHERE seq = 2", "event 2 (submitted by compiler/1) was changed"),
        ("DELETE FROM review_items WHERE id = 1", "its item is gone"),
    ],
)
def test_every_kind_of_tampering_is_named(queue, queue_path, submission, statement, problem):
    for number in range(3):
        queue.submit(submission(task_id=f"task_{number}"))
    with sqlite3.connect(queue_path) as raw:
        raw.execute("DROP TRIGGER review_events_no_update")
        raw.execute("DROP TRIGGER review_events_no_delete")
        raw.execute(statement)
    raw.close()
    assert any(problem in found for found in queue.verify_log().problems)


def test_damaged_rows_are_the_databases_fault(queue, queue_path, submission):
    ref = queue.submit(submission())
    with sqlite3.connect(queue_path) as raw:
        raw.execute("UPDATE review_bodies SET report = '{'")
    raw.close()
    with pytest.raises(MachineError, match="damaged"):
        queue.item(ref)


def refused(path: object, kind: type[BootcampError], match: str, **options: object) -> None:
    with pytest.raises(kind, match=match):
        Queue(path, **options).items()  # type: ignore[arg-type]


def test_what_is_not_a_queue_is_refused_clearly(tmp_path):
    text = tmp_path / "text"
    text.write_text("not a database, but long enough to be taken for one " * 100)
    refused(text, UsageError, "not a healthy SQLite database")
    refused(tmp_path, UsageError, "it is a folder")
    refused(tmp_path / "nowhere", UsageError, "no such file", create=False)
    refused(text / "below", MachineError, "folder cannot be made|cannot be opened")
    refused("nonsense://host/db", UsageError, "driver")
    foreign = tmp_path / "foreign"
    with sqlite3.connect(foreign) as raw:
        raw.execute("CREATE TABLE checkpoints (x)")
    raw.close()
    refused(foreign, UsageError, "something else")


@pytest.mark.parametrize(("version", "do"), [("99", "upgrade this program"), ("0", "version that wrote it")])
def test_another_schema_version_is_refused(queue, queue_path, version, do):
    with sqlite3.connect(queue_path) as raw:
        raw.execute("UPDATE review_meta SET value = ?", (version,))
    raw.close()
    refused(queue_path, UsageError, f"schema is version {version}.*\n.*{do}")


def test_a_locked_queue_says_so_after_the_wait(queue, queue_path, submission):
    raw = sqlite3.connect(queue_path, isolation_level=None)
    raw.execute("BEGIN EXCLUSIVE")
    with (
        Queue(queue_path, busy_seconds=0.2, create=False) as other,
        pytest.raises(MachineError, match="held it locked"),
    ):
        other.submit(submission())
    raw.close()
    assert queue.items() == []


def test_a_url_opens_the_same_queue(queue, queue_path, submission):
    ref = queue.submit(submission())
    with Queue(f"sqlite:///{queue_path}") as other:
        assert other.item(ref).content_hash == ref


def test_ten_thousand_items_are_listed_by_few_queries(queue, queue_path, submission):
    queue.submit(submission())
    with sqlite3.connect(queue_path) as raw:
        columns = [row[1] for row in raw.execute("PRAGMA table_info(review_items)")][1:]
        picked = ", ".join("printf('%064x', value)" if name == "content_hash" else name for name in columns)
        series = "WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 10000)"
        raw.execute(
            f"{series} INSERT INTO review_items ({', '.join(columns)}) "
            f"SELECT {picked} FROM n, review_items WHERE id = 1"
        )
    raw.close()
    asked: list[object] = []
    event.listen(queue._store._engine, "before_cursor_execute", lambda *call: asked.append(call[2]))
    assert len(queue.items(states=[State.QUEUED])) == 10001
    assert 0 < len(asked) < 10, "it asks for each line"


def test_a_file_that_goes_away_while_it_is_open_is_said_and_not_made_anew(queue, queue_path, submission):
    ref = queue.submit(submission())
    kept = queue_path.with_name("elsewhere.sqlite")
    queue_path.rename(kept)
    for act in (queue.items, lambda: queue.claim(ref, "Rae Viewer <rae@example.org>")):
        with pytest.raises(MachineError, match="its file is gone"):
            act()
    assert not queue_path.exists()
    kept.rename(queue_path)
    assert [entry.content_hash for entry in queue.items()] == [ref]
