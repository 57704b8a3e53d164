"""Approving on the command line: one item at a time, and none of which nothing was opened."""

from __future__ import annotations

import json
from pathlib import Path

from bootcamp_kit.decision import Choice
from review.decide import decide, undo
from review.queue import Queue
from review.states import State
from tests.bootcamp_cli.conftest import Run
from tests.review.conftest import REVIEWER, a_submission


def test_nothing_is_approved_unseen_and_a_rejection_needs_no_look(bootcamp: Run, tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir()
    with Queue(state / "queue.sqlite") as queue:
        ref = queue.submit(a_submission())
        dull = queue.submit(a_submission(task_id="dull_task"))
    me = {"BOOTCAMP_REVIEWER": REVIEWER}
    done = bootcamp("review", "approve", ref, code=5, **me)
    assert f"nothing of it was opened by {REVIEWER}" in done.stderr
    assert f"bootcamp review show {ref[:12]}" in done.stderr
    assert "not what would be decided on" not in done.stderr
    bootcamp("review", "show", ref, "--no-cases", BOOTCAMP_REVIEWER="Otto Other <otto@example.org>")
    bootcamp("review", "approve", ref, code=5, **me)
    bootcamp("review", "show", ref, "--no-cases", **me)
    bootcamp("review", "approve", ref, dull, code=2, **me)
    bootcamp("review", "approve", ref, **me)
    bootcamp("review", "reject", dull, "--reason", "dull", **me)
    with Queue(state / "queue.sqlite") as queue:
        assert queue.item(ref).state is State.APPROVED
        assert queue.item(dull).state is State.REJECTED


def test_after_the_first_of_two_approvals_list_and_merge_say_that_a_second_person_is_waited_for(
    bootcamp: Run, tmp_path: Path
) -> None:
    state, other = tmp_path / "state", "Otto Other <otto@example.org>"
    state.mkdir()
    with Queue(state / "queue.sqlite") as queue:
        ref = queue.submit(a_submission(body="HALF = Score.partial\n"))
        queue.submit(a_submission(task_id="another_task"))
    bootcamp("review", "show", ref, "--no-cases", BOOTCAMP_REVIEWER=REVIEWER)
    bootcamp("review", "approve", ref, BOOTCAMP_REVIEWER=REVIEWER)
    listed = bootcamp("review", "list")
    assert "queued 1/2" in listed.stdout
    assert listed.stdout.count("1/2") == 1, "of the one alone"
    assert "it waits for a second" in listed.stderr
    assert [bool(row["first_approval"]) for row in json.loads(bootcamp("review", "list", "--json").stdout)].count(
        True
    ) == 1
    none = bootcamp("merge", code=2)
    assert f"a second person is needed for seat_rotation@{ref[:12]} (approved by {REVIEWER})" in none.stderr
    assert "somebody else approves it" in none.stderr
    bootcamp("review", "undo", ref, BOOTCAMP_REVIEWER=REVIEWER)
    assert "1/2" not in bootcamp("review", "list").stdout
    assert "nothing is approved " not in bootcamp("merge", code=2).stderr
    with Queue(state / "queue.sqlite") as queue:
        assert queue.first_approvals() == {}
        for who in (REVIEWER, other):
            decide(queue, ref, Choice.APPROVE, who, shown_hash=ref)
        assert queue.first_approvals(queue.items()) == {}
        undo(queue, ref, other)
        assert queue.first_approvals(queue.items()) == queue.first_approvals() == {ref: REVIEWER}
