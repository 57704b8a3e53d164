from __future__ import annotations

import sqlite3
from dataclasses import replace

import pytest

from bootcamp_kit.decision import Choice
from bootcamp_kit.errors import ReviewRuleError
from bootcamp_kit.report import Severity, Verdict
from review.decide import decide, repair_order, return_item, undo, warnings
from review.item import State
from review.people import git_identity, is_person, name_and_mail, same_person
from review.policy import Facts, kind_of, refusal, two_people, undo_refusal
from review.risk import RiskFacts

REVIEWER = "Rae Viewer <rae@example.org>"
OTTO = "Otto <otto@example.org>"
GOOD = Facts(
    choice=Choice.APPROVE,
    state=State.QUEUED,
    reviewer=REVIEWER,
    author="compiler/1",
    reason="",
    shown_hash="a" * 64,
    submitted_hash="a" * 64,
    content_hash="a" * 64,
    origin_sound=True,
    report_about="a" * 64,
    submitted_report="r" * 64,
    report_hash="r" * 64,
    verdict=Verdict.PASS,
)
REJECT = replace(GOOD, choice=Choice.REJECT, reason="dull")


@pytest.mark.parametrize(
    ("facts", "found"),
    [
        (GOOD, None),
        (REJECT, None),
        (replace(REJECT, choice=Choice.RETURN), None),
        (replace(REJECT, state=State.APPROVED), None),
        (replace(REJECT, state=State.RETURNED), None),
        (replace(REJECT, verdict=Verdict.FAIL), None),
        (replace(REJECT, verdict=Verdict.INCONCLUSIVE, report_about="b" * 64, report_hash="s" * 64), None),
        (replace(GOOD, reviewer=""), "not a named person"),
        (replace(GOOD, reviewer="root"), "not a named person"),
        (replace(GOOD, reviewer="compiler/1"), "not a named person"),
        (replace(GOOD, author=REVIEWER), "its author"),
        (replace(GOOD, author="R. V. <RAE@example.org>"), "its author"),
        (replace(GOOD, author="rae viewer"), "its author"),
        (replace(GOOD, two_because=("risk",), approved_by=("Otto <otto@example.org>",)), None),
        (replace(GOOD, approved_by=("R. Viewer <RAE@example.org>",)), "you approved it already"),
        (replace(REJECT, approved_by=(REVIEWER,)), None),
        (replace(GOOD, claimed_by="Otto <otto@example.org>", claimed_until="9"), "is looking at it until 9"),
        (replace(GOOD, claimed_by="R. Viewer <RAE@example.org>", claimed_until="9"), None),
        (replace(GOOD, state=State.APPROVED), "it is approved"),
        (replace(GOOD, state=State.APPROVED, two_because=("kit",), approved_by=(OTTO,)), None),
        (replace(GOOD, state=State.APPROVED, approved_by=(OTTO,)), "it is approved"),
        (replace(GOOD, state=State.APPROVED, two_because=("kit",), approved_by=(REVIEWER,)), "you approved it already"),
        (replace(GOOD, state=State.APPROVED, two_because=("kit",), approved_by=(OTTO, "A <a@b.c>")), "it is approved"),
        (replace(GOOD, state=State.MERGED, two_because=("kit",), approved_by=(OTTO,)), "it is merged"),
        (replace(GOOD, state=State.RETURNED), "it is returned"),
        (replace(GOOD, state=State.REJECTED), "it is rejected"),
        (replace(GOOD, state=State.SUPERSEDED), "it is superseded"),
        (replace(GOOD, state=State.MERGED), "it is merged"),
        (replace(REJECT, state=State.MERGED), "it is merged"),
        (replace(REJECT, reason=" \n"), "no reason"),
        (replace(REJECT, choice=Choice.RETURN, reason=""), "no reason"),
        (replace(REJECT, reason="x" * 4001), "4001 characters"),
        (replace(GOOD, content_hash="b" * 64), "changed in the queue"),
        (replace(REJECT, content_hash="b" * 64), "changed in the queue"),
        (replace(GOOD, origin_sound=False), "brief or its lineage"),
        (replace(GOOD, shown_hash="b" * 64), "what was shown"),
        (replace(GOOD, shown_hash=""), "nothing of it was opened by"),
        (replace(GOOD, report_about="b" * 64), "about other bytes"),
        (replace(GOOD, report_hash="s" * 64), "report was changed"),
        (replace(GOOD, verdict=Verdict.FAIL), "says fail"),
        (replace(GOOD, verdict=Verdict.INCONCLUSIVE), "says inconclusive"),
    ],
)
def test_the_rules(facts, found):
    refused = refusal(facts)
    if found is None:
        assert refused is None
    else:
        assert refused is not None
        assert found in refused.found
        assert refused.do


def test_an_approval_binds_content_and_report(queue, submission):
    ref = queue.submit(submission())
    decision = decide(queue, "seat_rotation", Choice.APPROVE, REVIEWER, shown_hash=ref)
    item = queue.item(ref)
    assert item.state is State.APPROVED
    assert item.decisions == (decision,)
    assert item.approval is not None
    assert item.approval.holds_for(ref)
    assert decision.report_hash == item.report.hash
    assert item.events[-1].actor == REVIEWER
    assert item.events[-1].data["policy"] == "review/5"


def test_a_refused_decision_leaves_no_trace(queue, submission):
    ref = queue.submit(submission(verdict="fail"))
    with pytest.raises(ReviewRuleError, match="says fail") as caught:
        decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref)
    assert caught.value.exit_code == 5
    assert [event.kind for event in queue.events()] == ["submitted"]


def test_an_approval_can_be_taken_back_until_it_is_merged(queue, approved):
    ref = approved()
    decide(queue, ref, Choice.RETURN, REVIEWER, "second thoughts", shown_hash=ref)
    assert queue.item(ref).approval is None


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE review_files SET data = CAST('x' AS BLOB) WHERE path = 'oracle.py'", "changed in the queue"),
        ("UPDATE review_bodies SET brief = replace(brief, 'CC0-1.0', 'MIT')", "brief or its lineage"),
        ("UPDATE review_bodies SET lineage = replace(lineage, 'compiler/1', 'somebody')", "brief or its lineage"),
        ("UPDATE review_bodies SET report = replace(report, '\"n\":60', '\"n\":600')", "report was changed"),
    ],
)
def test_nothing_that_was_tampered_with_is_approved(queue, queue_path, submission, statement, found):
    ref = queue.submit(submission())
    with sqlite3.connect(queue_path) as raw:
        raw.execute(statement)
    raw.close()
    with pytest.raises(ReviewRuleError, match=found):
        decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref)


def test_an_unknown_licence_is_said_at_approval_and_kept_in_the_event(queue, submission):
    ref = queue.submit(submission(licence="unknown"))
    assert "licence is unknown" in warnings(queue.item(ref))[0]
    decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref)
    assert "licence is unknown" in queue.item(ref).events[-1].data["warnings"][0]


def test_returning_makes_a_repair_order_with_the_persons_words_first(queue, submission):
    from bootcamp_kit.report import Finding, Witness

    found = Finding("floor.constant", Severity.MAJOR, "7 scores 0.4", Witness(kind="score", response="7"))
    given = submission(findings=(found,))
    ref = queue.submit(given)
    order = return_item(queue, ref, REVIEWER, "Say what happens at the end of the row.", shown_hash=ref)
    assert order == repair_order(queue, "seat_rotation")
    assert order.candidate == given.candidate
    assert order.brief == given.brief
    assert order.reason == "Say what happens at the end of the row."
    assert [finding.code for finding in order.findings] == ["review.returned", "floor.constant"]
    assert order.findings[0].message == order.reason


def test_there_is_no_repair_order_without_a_return(queue, submission):
    queue.submit(submission())
    with pytest.raises(ReviewRuleError, match="queued, not returned"):
        repair_order(queue, "seat_rotation")


def test_git_says_who_you_are(tmp_path, monkeypatch):
    assert git_identity(tmp_path) == "Kim Keeper <kim@example.org>"
    empty = tmp_path / "empty"
    empty.write_text("[user]\nname = Kim\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(empty))
    with pytest.raises(ReviewRuleError, match=r"user\.email is not set\n.*git config --global user\.email"):
        git_identity(tmp_path)
    empty.write_text("[user]\nname = Kim\nemail = not an address\n")
    with pytest.raises(ReviewRuleError, match="names no person"):
        git_identity(tmp_path)
    with pytest.raises(ReviewRuleError, match="is not a folder"):
        git_identity(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("Rae Viewer <rae@example.org>", True),
        ("李 <li@example.org>", True),
        ("<rae@example.org>", False),
        ("Rae <rae>", False),
        ("Rae\nReviewed-by: X <x@example.org>", False),
        ("Rae\x1b[31m <rae@example.org>", False),
        ("R" * 200 + " <rae@example.org>", False),
    ],
)
def test_a_person_has_a_name_and_an_address(text, good):
    assert is_person(text) is good


def test_two_names_with_one_address_are_one_person():
    assert same_person("A <x@example.org>", "B <X@Example.org>")
    assert not same_person("A <a@example.org>", "A <b@example.org>")
    assert not same_person("A <a@example.org>", "openai:some-model")
    assert name_and_mail(" A B  <a@example.org> ") == ("A B", "a@example.org")


def test_of_two_reviewers_at_once_one_is_told_that_it_is_decided(queue, queue_path, submission):
    from concurrent.futures import ThreadPoolExecutor

    from review.queue import Queue

    ref = queue.submit(submission())

    def approve(reviewer: str) -> str:
        with Queue(queue_path) as own:
            try:
                decide(own, ref, Choice.APPROVE, reviewer, shown_hash=ref)
            except ReviewRuleError as error:
                return error.found
        return "done"

    with ThreadPoolExecutor(2) as pool:
        said = sorted(pool.map(approve, [REVIEWER, "Sam Second <sam@example.org>"]))
    assert said == ["done", "it is approved"]
    assert [event.kind for event in queue.events()] == ["submitted", "approved"]


@pytest.mark.parametrize(
    ("risk", "facts", "other_kits", "reasons"),
    [
        (59, RiskFacts(), "", []),
        (60, RiskFacts(), "", ["its risk is 60"]),
        (0, RiskFacts(partial_credit=True), "", ["partial credit"]),
        (0, RiskFacts(tolerance=0.1), "", ["tolerates 0.1"]),
        (0, RiskFacts(flips=3, kit="2"), "", ["changes verdicts of a merged task (3 seen)"]),
        (0, RiskFacts(other_questions=9), "", []),
        (0, RiskFacts(kit="2"), "1, 1.5", ["measured under kit 2, the library's tasks under 1, 1.5"]),
        (
            99,
            RiskFacts(partial_credit=True, tolerance=0.1, flips=1, kit="2"),
            "1",
            ["partial", "0.1", "99", "1", "kit"],
        ),
    ],
)
def test_when_two_people_look(risk, facts, other_kits, reasons):
    found = two_people(risk, facts, other_kits)
    assert len(found) == len(reasons)
    assert all(words in why for words, why in zip(reasons, found, strict=True))


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({}, "approved"),
        ({"two_because": ("risk",)}, "endorsed"),
        ({"two_because": ("risk",), "approved_by": ("Otto <otto@example.org>",)}, "approved"),
        ({"choice": Choice.REJECT, "two_because": ("risk",)}, "rejected"),
        ({"earlier_authors": ("openai:model", "R. V. <RAE@example.org>")}, "endorsed"),
        ({"earlier_authors": (REVIEWER,), "approved_by": ("Otto <otto@example.org>",)}, "approved"),
        ({"earlier_authors": ("openai:model",)}, "approved"),
        ({"earlier_authors": (REVIEWER,), "choice": Choice.REJECT}, "rejected"),
        ({"choice": Choice.RETURN}, "returned"),
    ],
)
def test_what_a_decision_becomes(change, kind):
    assert kind_of(replace(GOOD, **change)) == kind


@pytest.mark.parametrize(
    ("last", "actor", "found"),
    [
        ("approved", REVIEWER, None),
        ("endorsed", REVIEWER, None),
        ("rejected", REVIEWER, None),
        ("returned", REVIEWER, None),
        ("approved", "Otto <otto@example.org>", "Otto"),
        ("merged", REVIEWER, "merged"),
        ("superseded", REVIEWER, "superseded"),
        ("submitted", REVIEWER, "submitted"),
        ("withdrawn", REVIEWER, "withdrawn"),
    ],
)
def test_what_can_be_taken_back(last, actor, found):
    refused = undo_refusal(last_kind=last, last_actor=actor, reviewer=REVIEWER)
    assert (refused.found if refused else None) is None if found is None else found in refused.found


SECOND = "Otto Other <otto@example.org>"
PARTIAL = "from bootcamp_kit.case import Score\nHALF = Score.partial\n"


def test_two_people_approve_what_the_policy_says(queue, submission):
    ref = queue.submit(submission(body=PARTIAL))
    decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref)
    item = queue.item(ref)
    assert (item.state, item.approval, item.approvers) == (State.QUEUED, None, (REVIEWER,))
    assert item.events[-1].kind == "endorsed"
    assert item.events[-1].data["two_because"] == ["it gives partial credit"]
    with pytest.raises(ReviewRuleError, match="second person"):
        decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref)
    assert queue.claim_next(REVIEWER) is None
    found = queue.claim_next(SECOND)
    assert found is not None
    decide(queue, ref, Choice.APPROVE, SECOND, shown_hash=ref)
    item = queue.item(ref)
    assert (item.state, item.approvers) == (State.APPROVED, (REVIEWER, SECOND))
    assert item.approval is not None
    assert queue.verify_log().sound


def test_who_made_an_earlier_attempt_does_not_approve_the_repaired_one_alone(queue, submission):
    first = queue.submit(submission(author=REVIEWER))
    ref = queue.submit(submission(author="openai:model", body="BOOTCAMP = 2\n", parent=first, attempt=2))
    decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref)
    assert queue.item(ref).state is State.QUEUED
    assert queue.item(ref).events[-1].kind == "endorsed"
    with pytest.raises(ReviewRuleError, match="second person"):
        decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref)
    decide(queue, ref, Choice.APPROVE, "Otto <otto@example.org>", shown_hash=ref)
    assert queue.item(ref).state is State.APPROVED


def test_a_first_approval_does_not_survive_a_rejection(queue, submission):
    ref = queue.submit(submission(body=PARTIAL))
    decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref)
    decide(queue, ref, Choice.REJECT, SECOND, "no", shown_hash=ref)
    undo(queue, ref, SECOND)
    assert queue.item(ref).approvers == (REVIEWER,)
    decide(queue, ref, Choice.REJECT, SECOND, "no", shown_hash=ref)
    assert queue.item(ref).approvers == ()


def test_a_decision_is_taken_back_by_who_made_it_as_long_as_nothing_followed(queue, submission):
    ref = queue.submit(submission())
    decide(queue, ref, Choice.REJECT, REVIEWER, "no", shown_hash=ref)
    with pytest.raises(ReviewRuleError, match="decided that"):
        undo(queue, ref, SECOND)
    assert undo(queue, ref, REVIEWER) == "rejected"
    assert queue.item(ref).state is State.QUEUED
    assert queue.item(ref).decisions == ()
    with pytest.raises(ReviewRuleError, match="only a decision"):
        undo(queue, ref, REVIEWER)
    decide(queue, ref, Choice.APPROVE, REVIEWER, shown_hash=ref)
    assert queue.item(ref).approval is not None
    undo(queue, ref, REVIEWER)
    assert queue.item(ref).approval is None
    assert queue.verify_log().sound


def test_a_decision_records_time_spent_and_evidence_opened(queue_path, submission):
    from datetime import timedelta

    from review.queue import Queue
    from tests.review.conftest import NOW

    seconds = [0]
    with Queue(queue_path, lambda: NOW + timedelta(seconds=seconds[0])) as queue:
        ref = queue.submit(submission())
        for at, who, what in (
            (10, REVIEWER, "page"), (40, REVIEWER, "code"), (45, SECOND, "page"), (50, REVIEWER, "page"),
        ):  # fmt: skip
            seconds[0] = at
            queue.note(ref, who, what)
        seconds[0] = 5_000
        decide(queue, ref, Choice.REJECT, REVIEWER, "no", shown_hash=ref)
        data = queue.item(ref).events[-1].data
        assert (data["seconds"], data["opened"]) == (40 + 300, ["page", "code"])
        undo(queue, ref, REVIEWER)
        decide(queue, ref, Choice.REJECT, REVIEWER, "no", shown_hash=ref)
        assert queue.item(ref).events[-1].data["opened"] == [], "what was opened counts for one decision"
