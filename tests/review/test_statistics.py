from __future__ import annotations

from datetime import timedelta

import pytest

from review.alarms import alarms
from review.decide import Choice, decide, undo
from review.haste import hasty_approvals
from review.queue import Queue
from review.share import pull_request_body
from review.statistics import agreement, reviewers
from tests.review.conftest import NOW, REVIEWER

OTHER = "Otto Other <otto@example.org>"


@pytest.fixture
def seconds() -> list[int]:
    return [0]


@pytest.fixture
def queue(queue_path, seconds):
    with Queue(queue_path, lambda: NOW + timedelta(seconds=seconds[0])) as opened:
        yield opened


def test_each_persons_figures_come_from_the_log(queue, submission, seconds):
    for number, (who, choice, took) in enumerate(
        ((REVIEWER, Choice.REJECT, 60), ("R. V. <RAE@example.org>", Choice.APPROVE, 120), (OTHER, Choice.RETURN, 0))
    ):
        ref = queue.submit(submission(task_id=f"task_{number}"))
        if took:
            queue.note(ref, who, "first screen")
            queue.note(ref, who, f"pair at level 1: {'agreed' if took == 60 else 'DISAGREED'}")
        seconds[0] += took
        decide(queue, ref, choice, who, "why", shown_hash=ref)
    undo(queue, "task_2", OTHER)
    rae, otto = reviewers(queue.events())
    assert (rae.name, rae.approved, rae.rejected, rae.seconds, rae.pairs, rae.pairs_agreed) == (
        REVIEWER,
        1,
        1,
        90,
        2,
        1,
    )
    assert (otto.returned, otto.withdrawn, otto.unseen, otto.seconds) == (1, 1, 1, None)


def test_an_approval_sooner_than_a_page_can_be_read_is_told_where_it_counts(queue, submission, seconds):
    """It is no rule: the second person, whoever merges, and the figures are told."""
    ref = queue.submit(submission(body="HALF = Score.partial\n"))
    queue.note(ref, REVIEWER, "first screen")
    seconds[0] += 3
    decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref)
    told = f"{REVIEWER} approved it 3 s after the first look: too soon to have read the page"
    assert hasty_approvals(queue.item(ref)) == (told,)
    assert f"note: {told}" in [alarm.text for alarm in alarms(queue.item(ref))]
    queue.note(ref, OTHER, "first screen")
    seconds[0] += 20
    decide(queue, ref, Choice.APPROVE, OTHER, shown_hash=ref)
    assert hasty_approvals(queue.item(ref)) == (told,)
    assert told in pull_request_body([(queue.item(ref), "0" * 40)])
    assert [(one.name, one.hasty) for one in reviewers(queue.events())] == [(REVIEWER, 1), (OTHER, 0)]
    decide(queue, ref, Choice.RETURN, OTHER, "look again", shown_hash=ref)
    assert hasty_approvals(queue.item(ref)) == (), "what was turned down is no approval"
    unseen = queue.submit(submission(task_id="other_task"))
    decide(queue, unseen, Choice.APPROVE, REVIEWER, shown_hash=unseen)
    assert "with nothing opened" in hasty_approvals(queue.item(unseen))[0]


def test_agreement_is_counted_over_items_two_people_decided(queue, submission):
    for number, second in enumerate((Choice.APPROVE, Choice.APPROVE, Choice.REJECT)):
        ref = queue.submit(submission(task_id=f"task_{number}", body="HALF = Score.partial\n"))
        decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref)
        decide(queue, ref, second, OTHER, "why", shown_hash=ref)
    alone = queue.submit(submission(task_id="task_alone"))
    decide(queue, alone, Choice.REJECT, OTHER, "why", shown_hash=alone)
    found = agreement(queue.events())
    assert (found.items, found.agreed) == (3, 2)
    assert found.low == pytest.approx(0.0943, abs=1e-3)
    assert found.high == pytest.approx(0.9916, abs=1e-3)


def test_an_empty_log_says_nothing():
    assert reviewers([]) == []
    assert (agreement([]).items, agreement([]).low, agreement([]).high) == (0, 0.0, 1.0)
