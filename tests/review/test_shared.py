"""Two people look where verifier code that others rely on has changed: the kit, or a merged task."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bootcamp_kit.candidate import Submission
from bootcamp_kit.decision import Choice
from bootcamp_kit.errors import ReviewRuleError
from bootcamp_kit.report import CheckResult, Status
from bootcamp_kit.versions import CHANGES_CHECK
from review.checkout import Checkout
from review.committed import Committed
from review.decide import decide, undo
from review.item import State
from review.merge import merge
from review.queue import Queue
from review.session import context_of
from review.shared import on_disk, other_kits
from tests.review.conftest import KEEPER, REVIEWER, Repository

SECOND = "Otto Other <otto@example.org>"


def under(kit: str, given: Submission) -> Submission:
    """The same, measured under another kit."""
    environment = replace(given.report.environment, kit_version=kit)
    return replace(given, report=replace(given.report, environment=environment))


def test_the_kits_of_a_library_are_read_off_its_reports(tmp_path: Path) -> None:
    def put(name: str, text: str) -> None:
        path = tmp_path / "lists" / name / "evidence" / "report.json"
        path.parent.mkdir(parents=True)
        path.write_text(text)

    assert other_kits(None, "2") == other_kits(on_disk(tmp_path), "2") == ()
    told = 'a "kit_version": "2"\n  "kit_version": "2",\n'
    put("one", json.dumps({"about": told, "environment": {"kit_version": "1"}}, indent=1, sort_keys=True))
    put("two", json.dumps({"environment": {"kit_version": '1 "x"'}, "a": "x" * 10_000}, sort_keys=True))
    put("broken", "{")
    put("older", "[]")
    assert other_kits(on_disk(tmp_path), "2") == ("1", '1 "x"')
    assert other_kits(on_disk(tmp_path), "1") == other_kits(on_disk(tmp_path), '1 "x"') == ()


def test_the_first_candidate_under_another_kit_needs_two_people(
    queue: Queue, repository: Repository, submission: Callable[..., Submission], approved: Callable[..., str]
) -> None:
    merge(queue, approved(task_id="first_task"), repository.library, identity=KEEPER)
    ref = queue.submit(under("0.2.0", submission()))
    lines = dict(context_of(queue, queue.item(ref), REVIEWER, repository.library))
    assert lines["two people"] == "because of kit 0.2.0, code under every verifier: the library has 0.1.0"
    decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref, library=repository.library)
    assert queue.item(ref).state is State.QUEUED
    with pytest.raises(ReviewRuleError, match="waits for a second"):
        merge(queue, ref, repository.library, identity=KEEPER)
    decide(queue, ref, Choice.APPROVE, SECOND, shown_hash=ref, library=repository.library)
    merge(queue, ref, repository.library, identity=KEEPER)
    again = queue.submit(under("0.2.0", submission(task_id="next_task")))
    decide(queue, again, Choice.APPROVE, REVIEWER, shown_hash=again, library=repository.library)
    merge(queue, again, repository.library, identity=KEEPER)
    assert queue.verify_log().sound


def test_what_one_approved_without_the_library_waits_at_the_merge_for_a_second(
    queue: Queue, repository: Repository, submission: Callable[..., Submission], approved: Callable[..., str]
) -> None:
    merge(queue, approved(task_id="first_task"), repository.library, identity=KEEPER)
    ref = queue.submit(under("0.2.0", submission()))
    decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref)
    with pytest.raises(ReviewRuleError, match=r"two people must approve it \(.*kit 0\.2\.0.*\), 1 did"):
        merge(queue, ref, repository.library, identity=KEEPER)
    with pytest.raises(ReviewRuleError, match="it is approved"):
        decide(queue, ref, Choice.APPROVE, SECOND, shown_hash=ref)
    with pytest.raises(ReviewRuleError, match="you approved it already"):
        decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref, library=repository.library)
    decide(queue, ref, Choice.APPROVE, SECOND, shown_hash=ref, library=repository.library)
    undo(queue, ref, SECOND)
    assert (queue.item(ref).state, queue.item(ref).approval) == (State.QUEUED, None)
    assert queue.item(ref).approvers == (REVIEWER,)
    decide(queue, ref, Choice.APPROVE, SECOND, shown_hash=ref, library=repository.library)
    assert merge(queue, ref, repository.library, identity=KEEPER).new
    assert queue.verify_log().sound


@pytest.mark.parametrize(("flips", "state"), [(0, State.APPROVED), (2, State.QUEUED)])
def test_a_new_version_that_changes_verdicts_needs_two_people(
    queue: Queue, submission: Callable[..., Submission], flips: int, state: State
) -> None:
    given = submission(version="1.1.0")
    figures: dict[str, Any] = {"asked": {"examples": 9}, "changed": {"examples": flips}, "size": "minor"}
    told = CheckResult(CHANGES_CHECK, Status.PASS, figures=figures)
    ref = queue.submit(replace(given, report=replace(given.report, results=(*given.report.results, told))))
    decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref)
    assert queue.item(ref).state is state


def test_a_new_version_that_nothing_compared_with_the_merged_one_needs_two_people(
    queue: Queue, repository: Repository, submission: Callable[..., Submission], approved: Callable[..., str]
) -> None:
    """A report made where the library was not at hand says nothing of verdicts that change."""
    merge(queue, approved(), repository.library, identity=KEEPER)
    ref = queue.submit(submission(version="1.1.0", body="A = 2\n"))
    decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref)
    with pytest.raises(ReviewRuleError, match=r"does not say which verdicts of arithmetic/seat_rotation change.*1 did"):
        merge(queue, ref, repository.library, identity=KEEPER)
    decide(queue, ref, Choice.APPROVE, SECOND, shown_hash=ref, library=repository.library)
    assert merge(queue, ref, repository.library, identity=KEEPER).new
    compared = queue.submit(submission(version="1.2.0", body="A = 3\n", compared=True))
    decide(queue, compared, Choice.APPROVE, REVIEWER, shown_hash=compared, library=repository.library)
    assert merge(queue, compared, repository.library, identity=KEEPER).new


@pytest.mark.parametrize("how", ["skip-worktree", "assume-unchanged"])
def test_a_library_that_is_not_on_disk_does_not_do_without_the_second_person(
    queue: Queue, repository: Repository, submission: Callable[..., Submission], approved: Callable[..., str], how: str
) -> None:
    """As in a sparse checkout: git says it is clean, and no kit and no task can be read there."""
    done = merge(queue, approved(task_id="first_task"), repository.library, identity=KEEPER)
    for path in [path for path in done.path.rglob("*") if path.is_file()]:
        repository.git("update-index", f"--{how}", str(path.relative_to(repository.root)))
        path.unlink()
    assert repository.status() == ""
    ref = queue.submit(under("0.2.0", submission()))
    decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref, library=repository.library)
    with pytest.raises(ReviewRuleError, match=r"files of the library that git does not look at: .*first_task"):
        merge(queue, ref, repository.library, identity=KEEPER)


def test_files_that_git_ignores_do_not_stand_for_the_library(
    queue: Queue, repository: Repository, submission: Callable[..., Submission], approved: Callable[..., str]
) -> None:
    """A folder that no commit holds names the new kit and an older version's bytes; the merge reads the commit."""
    repository.commit_file(".gitignore", "scratch/\n")
    merge(queue, approved(task_id="first_task"), repository.library, identity=KEEPER)
    ref = queue.submit(under("0.2.0", submission()))
    report = repository.library / "scratch" / "any_task" / "evidence" / "report.json"
    report.parent.mkdir(parents=True)
    report.write_text('{"environment": {"kit_version": "0.2.0"}}')
    assert repository.status() == ""
    decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref, library=repository.library)
    assert queue.item(ref).state is State.APPROVED
    with pytest.raises(ReviewRuleError, match=r"two people must approve it \(.*kit 0\.2\.0.*\), 1 did"):
        merge(queue, ref, repository.library, identity=KEEPER)


def test_a_commit_is_read_whole_and_unreadable_things_in_it_are_nobodys_kit(
    queue: Queue, repository: Repository, approved: Callable[..., str]
) -> None:
    for number in range(3):
        merge(queue, approved(task_id=f"task_{number}"), repository.library, identity=KEEPER)
    place = repository.library.relative_to(repository.root)
    repository.commit_file(f"{place}/arithmetic/a b/evidence/report.json", "{")
    repository.commit_file(f"{place}/arithmetic/note.txt", "x")
    checkout = Checkout.open(repository.library)
    there = Committed(checkout, str(checkout.head()))
    assert len(list(there.reports())) == 4
    assert other_kits(there, "9") == ("0.1.0",) and other_kits(there, "0.1.0") == ()
    assert [address for address, _ in there.merged("task_1")] == ["arithmetic/task_1"]
    assert (
        there.holds_tasks()
        and not Committed(checkout, repository.git("rev-list", "--max-parents=0", "HEAD")).holds_tasks()
    )
