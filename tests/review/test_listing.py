from __future__ import annotations

import sqlite3
from datetime import timedelta

import pytest

from bootcamp_kit.errors import ReviewRuleError, UsageError
from review.decide import Choice, decide
from review.item import State
from review.listing import Filter
from review.queue import Queue
from tests.review.conftest import REVIEWER, clock
from tests.review.old_schema import make_version_1

OTHER = "Otto Other <otto@example.org>"


def names(queue: Queue, **wanted: object) -> list[str]:
    return [entry.task_id for entry in queue.find(Filter(**wanted)).entries]  # type: ignore[arg-type]


def test_the_riskiest_come_first_and_the_oldest_among_equals(queue, submission):
    for name, author in (("plain_one", "compiler/1"), ("model_one", "openai:m"), ("plain_two", "compiler/1")):
        queue.submit(submission(task_id=name, author=author))
    entries = queue.find(Filter()).entries
    assert entries[0].task_id == "model_one"
    assert [entry.task_id for entry in entries[1:]] == ["plain_one", "plain_two"]
    assert "written by a model (+12)" in queue.item("model_one").risk_reasons
    kept = [entry.task_id for entry in queue.find(Filter(), limit=1).entries]
    assert kept == ["model_one"]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, ["alpha_task", "beta_task"]),
        ({"family": "graphs"}, ["beta_task"]),
        ({"family": "graph"}, []),
        ({"author": "COMPILER"}, ["alpha_task"]),
        ({"author": "%"}, []),
        ({"min_risk": 30}, ["beta_task"]),
        ({"search": "alpha"}, ["alpha_task"]),
        ({"search": "ROTATION  alpha"}, ["alpha_task"]),
        ({"search": "straße"}, ["beta_task"]),
        ({"search": "STRASSE"}, ["beta_task"]),
        ({"search": "rotation beta"}, []),
        ({"search": "a%a"}, []),
        ({"search": "_"}, ["alpha_task", "beta_task"]),
        ({"states": [State.MERGED]}, []),
        ({"task_id": "beta_task"}, ["beta_task"]),
    ],
)
def test_every_filter_finds_what_it_says(queue, submission, wanted, expected):
    queue.submit(submission(task_id="alpha_task"))
    queue.submit(submission(task_id="beta_task", family="graphs", author="openai:m", title="Die Straße"))
    assert sorted(names(queue, **wanted)) == expected


def test_a_page_knows_how_long_the_list_is(queue, submission):
    for number in range(5):
        queue.submit(submission(task_id=f"task_{number}"))
    page = queue.find(Filter(search="task"), limit=2, offset=3)
    assert (len(page.entries), page.total) == (2, 5)


def test_a_filter_that_makes_no_sense_is_refused():
    with pytest.raises(UsageError, match="0 to 100"):
        Filter(min_risk=101)
    with pytest.raises(UsageError, match="very long"):
        Filter(search="x" * 300)


def test_an_authors_record_raises_the_risk_of_the_next(queue, submission):
    for number in range(6):
        ref = queue.submit(submission(task_id=f"task_{number}"))
        decide(queue, ref, Choice.REJECT, REVIEWER, "dull", shown_hash=ref)
    queue.submit(submission(task_id="the_next"))
    assert "6 of its author's 6 were turned down (+15)" in queue.item("the_next").risk_reasons


def test_only_the_holder_of_a_claim_decides(queue, submission):
    ref = queue.submit(submission())
    claim = queue.claim(ref, REVIEWER)
    assert claim.until == "2026-11-30T12:30:00Z"
    for act in (
        lambda: queue.claim(ref, OTHER),
        lambda: queue.release(ref, OTHER),
        lambda: decide(queue, ref, Choice.APPROVE, OTHER, shown_hash=ref),
    ):
        with pytest.raises(ReviewRuleError, match="Rae Viewer"):
            act()
    assert queue.claim(ref, REVIEWER, minutes=60).until == "2026-11-30T13:00:00Z"
    decide(queue, ref, Choice.REJECT, REVIEWER, "dull", shown_hash=ref)
    assert queue.item(ref).claimed_by == ""


def test_a_claim_ends_by_itself_or_by_hand(queue, queue_path, submission):
    ref = queue.submit(submission())
    queue.claim(ref, REVIEWER)
    with Queue(queue_path, lambda: clock() + timedelta(minutes=30)) as later:
        assert later.items()[0].claimed_by == ""
        later.claim(ref, OTHER)
        assert later.item(ref).claimed_by == OTHER
        assert later.release(ref, OTHER)
        assert not later.release(ref, OTHER)


def test_the_next_item_is_one_that_this_person_may_decide(queue, submission):
    mine = queue.submit(submission(task_id="mine", author=REVIEWER))
    taken = queue.submit(submission(task_id="taken"))
    free = queue.submit(submission(task_id="free_one"))
    queue.claim(taken, OTHER)
    for _ in range(2):
        item = queue.claim_next(REVIEWER)
        assert item is not None
        assert item.content_hash == free
        assert item.claimed_by == REVIEWER
    decide(queue, free, Choice.REJECT, REVIEWER, "dull", shown_hash=free)
    assert queue.claim_next(REVIEWER) is None
    found = queue.claim_next(OTHER)
    assert found is not None
    assert found.content_hash == taken
    assert queue.item(mine).claimed_by == ""


@pytest.mark.parametrize("minutes", [0, -1, 100_000])
def test_a_claim_for_a_silly_time_or_by_nobody_is_refused(queue, submission, minutes):
    ref = queue.submit(submission())
    with pytest.raises(ReviewRuleError, match="minutes"):
        queue.claim(ref, REVIEWER, minutes=minutes)
    with pytest.raises(ReviewRuleError, match="not a named person"):
        queue.claim_next("somebody")


def test_an_older_schema_is_migrated_with_nothing_lost(queue, submission, tmp_path):
    ref = queue.submit(submission(author="openai:m"))
    broken = queue.submit(submission(task_id="broken", verdict="fail", extra={"card.toml": b"id = ["}))
    decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref)
    old = tmp_path / "old.sqlite"
    make_version_1(f"sqlite:///{old}", queue)
    with Queue(old, clock) as migrated:
        before, after = queue.item(ref), migrated.item(ref)
        assert (after.folder, after.report, after.brief, after.lineage) == (
            before.folder, before.report, before.brief, before.lineage,
        )  # fmt: skip
        assert after.events == before.events
        assert after.origin_sound
        assert after.risk > 0
        assert migrated.item(broken).risk >= 60
        assert migrated.verify_log().sound
        assert names(migrated, search="seat rotation openai") == ["seat_rotation"]
        assert migrated.submit(submission(task_id="another"))
    with Queue(old) as again, sqlite3.connect(old) as raw:
        assert len(again.items()) == 3
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            raw.execute("UPDATE review_events SET actor = 'x'")
    raw.close()


def test_a_migration_that_fails_changes_nothing(queue, submission, tmp_path):
    queue.submit(submission())
    old = tmp_path / "old.sqlite"
    make_version_1(f"sqlite:///{old}", queue)
    with sqlite3.connect(old) as raw:
        raw.execute("CREATE TABLE review_claims (something_else)")
    raw.close()
    before = old.read_bytes()
    with pytest.raises(Exception, match="review_claims"):
        Queue(old)
    with sqlite3.connect(old) as raw:
        assert raw.execute("SELECT value FROM review_meta").fetchone() == ("1",)
        assert raw.execute("SELECT count(report) FROM review_items").fetchone() == (1,)
        raw.execute("DROP TABLE review_claims")
    raw.close()
    assert before
    with Queue(old) as mended:
        assert len(mended.items()) == 1
