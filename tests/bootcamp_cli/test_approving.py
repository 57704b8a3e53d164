"""Approving on the command line: one item at a time, and none of which nothing was opened."""

from __future__ import annotations

from pathlib import Path

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
    assert "what was shown (nothing) is not what would be decided on" in done.stderr
    assert "bootcamp review show" in done.stderr
    bootcamp("review", "show", ref, "--no-cases", BOOTCAMP_REVIEWER="Otto Other <otto@example.org>")
    bootcamp("review", "approve", ref, code=5, **me)
    bootcamp("review", "show", ref, "--no-cases", **me)
    bootcamp("review", "approve", ref, dull, code=2, **me)
    bootcamp("review", "approve", ref, **me)
    bootcamp("review", "reject", dull, "--reason", "dull", **me)
    with Queue(state / "queue.sqlite") as queue:
        assert queue.item(ref).state is State.APPROVED
        assert queue.item(dull).state is State.REJECTED
