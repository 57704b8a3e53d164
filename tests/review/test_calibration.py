"""Known items measure reviewers: they look like the others, are told with the decision, and are never merged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bootcamp_kit.decision import Choice
from bootcamp_kit.errors import ReviewRuleError, UsageError
from bootcamp_kit.report import CheckResult, Finding, Report, Severity, Status, Verdict, Witness
from review.calibration import (
    Style,
    Truth,
    disguised,
    known_submission,
    missing,
    read_known,
    shown_report,
    style_of,
)
from review.decide import decide, told_afterwards, undo
from review.item import State
from review.merge import merge
from review.present import item_to_json
from review.queue import Queue
from review.statistics import agreement, rate, reviewers
from tests.review.conftest import KEEPER, REVIEWER, a_submission

PLACE = Path(__file__).parents[1]
KNOWN = {item.name: item for item in read_known(PLACE)}
WITNESS = Witness("score", 1, 0, "<answer>0</answer>")


def true_report(report: Report, *findings: Finding, oracle: Status = Status.PASS) -> Report:
    ran = CheckResult(
        "oracle.scores_one", oracle, "no case" if oracle is Status.SKIP else "", figures={"n": 24, "wrong": 0}
    )
    near = CheckResult(
        "near_miss.answers",
        Status.FAIL,
        findings=findings,
        figures={"accepted": 27, "n": 27, "worst_class_n": 20, "worst_class_false_accept_below": 1.0},
    )
    return replace(report, results=(ran, near if findings else replace(near, status=Status.PASS)))


BLOCKER = Finding("near_miss.accepted", Severity.BLOCKER, "a wrong answer scores 1", WITNESS)


def put_in(queue: Queue, name: str, style: Style | None = None) -> str:
    """A known item, as the command line puts it in; the gate's report is written by hand."""
    known = KNOWN[name]
    taken = {entry.task_id for entry in queue.items()}
    folder = disguised(known, "compiler/1", taken)
    report = replace(a_submission().report, task_id=folder.card.id, content_hash=folder.content_hash)
    given = true_report(report, BLOCKER) if known.broken else true_report(report)
    made = known_submission(known, folder, given, "compiler/1")
    assert made is not None
    submission, truth = made
    return queue.submit_known(submission, replace(truth, style=style) if style else truth)


def test_the_checkout_has_broken_and_sound_tasks() -> None:
    assert len([item for item in KNOWN.values() if item.broken]) >= 40
    assert len([item for item in KNOWN.values() if not item.broken]) >= 8
    assert KNOWN["always_right"].fault == "verify accepts everything"
    with pytest.raises(UsageError, match="no task"):
        read_known(PLACE / "review")


def test_a_broken_task_whose_own_words_name_its_fault_is_left_out() -> None:
    assert "denial_counts" not in KNOWN, "its brief begins with its name"
    assert "letters_after" in KNOWN, "of a sound one the name tells nothing"


def test_a_known_item_carries_nothing_that_names_its_fault(queue: Queue) -> None:
    for name in ("always_right", "sign_dropped", "fewest_coins"):
        known = KNOWN[name]
        ref = put_in(queue, name)
        item = queue.item(ref)
        shown = str(item_to_json(item)) + item.folder.files["card.toml"].decode() + str(item.events)
        for word in (name, name.replace("_", " ").capitalize(), known.fault or name, "test suite", "known", "bestiary"):
            assert word not in shown
        assert "expected.toml" not in item.folder.files
        assert told_afterwards(item) == ""
    assert queue.counts() == (3, 3)
    assert queue.known_names() == {"always_right", "sign_dropped", "fewest_coins"}


def test_an_evident_fault_is_shown_mildly_and_a_silent_one_left_out() -> None:
    report = true_report(a_submission().report, BLOCKER)
    assert report.verdict is Verdict.FAIL
    evident, silent = shown_report(report, Style.EVIDENT), shown_report(report, Style.SILENT)
    assert evident is not None
    assert silent is not None
    assert (evident.verdict, evident.findings[0].severity) == (Verdict.PASS, Severity.MAJOR)
    assert (silent.verdict, silent.findings, silent.results[1].status) == (Verdict.PASS, (), Status.PASS)
    figures = silent.results[1].figures
    assert figures is not None
    assert (figures["accepted"], figures["n"]) == (0, 27)
    assert figures["worst_class_false_accept_below"] == pytest.approx(0.1391, abs=1e-3), "the bound of 0 of 20"
    assert shown_report(report, Style.SOUND) is None, "a sound task that fails is of no use"
    assert shown_report(true_report(a_submission().report, BLOCKER, oracle=Status.SKIP), Style.EVIDENT) is None
    styles = {style_of(item, disguised(item, "compiler/1")) for item in KNOWN.values()}
    assert styles == set(Style)


@pytest.mark.parametrize(
    ("name", "choice", "words"),
    [
        ("always_right", Choice.APPROVE, "so the fault was MISSED"),
        ("always_right", Choice.RETURN, "caught"),
        ("fewest_coins", Choice.APPROVE, "approved, rightly"),
        ("fewest_coins", Choice.REJECT, "a false alarm"),
    ],
)
def test_the_truth_is_told_with_the_decision_and_nothing_can_follow(
    queue: Queue, repository: Any, name: str, choice: Choice, words: str
) -> None:
    ref = put_in(queue, name)
    decide(queue, ref, choice, REVIEWER, "because", shown_hash=ref)
    item = queue.item(ref)
    assert item.state is State.SUPERSEDED
    told = told_afterwards(item)
    assert words in told
    assert name in told
    with pytest.raises(ReviewRuleError, match="calibrated"):
        undo(queue, ref, REVIEWER)
    with pytest.raises(ReviewRuleError, match="it is superseded"):
        merge(queue, ref, repository.library, identity=KEEPER)
    with pytest.raises(ReviewRuleError, match="it is superseded"):
        decide(queue, ref, Choice.APPROVE, KEEPER, shown_hash=ref)
    assert queue.verify_log().sound


def test_catch_rate_and_false_alarms_have_exact_bounds_and_stand_apart(queue: Queue) -> None:
    real = queue.submit(a_submission())
    decide(queue, real, Choice.APPROVE, REVIEWER, shown_hash=real)
    for name, style, choice in (
        ("always_right", Style.EVIDENT, Choice.RETURN),
        ("sign_dropped", Style.SILENT, Choice.APPROVE),
        ("length_unchecked", Style.SILENT, Choice.REJECT),
        ("fewest_coins", None, Choice.RETURN),
    ):
        ref = put_in(queue, name, style)
        decide(queue, ref, choice, REVIEWER, "because", shown_hash=ref)
    (one,) = reviewers(queue.events())
    assert (one.approved, one.rejected, one.returned) == (1, 0, 0)
    assert (one.caught.hits, one.caught.n, one.silent_caught.hits, one.silent_caught.n) == (2, 3, 1, 2)
    assert (one.false_alarms.hits, one.false_alarms.n) == (1, 1)
    assert one.caught.low == pytest.approx(0.0943, abs=1e-3)
    assert one.caught.high == pytest.approx(0.9916, abs=1e-3)
    assert (rate(0, 0).low, rate(0, 0).high) == (0.0, 1.0)
    assert agreement(queue.events()).items == 0
    again = queue.submit(a_submission(task_id="other_task"))
    assert "its author has 1 decided" in " ".join(queue.item(again).risk_reasons), "known items are not in the record"


@pytest.mark.parametrize(
    ("waiting", "known", "share", "wanted"),
    [
        (0, 0, 0.05, 0),
        (18, 0, 0.05, 0),
        (19, 0, 0.05, 1),
        (19, 1, 0.05, 0),
        (190, 3, 0.05, 7),
        (10, 0, 0.5, 10),
        (9, 0, 0, 0),
    ],
)
def test_one_in_twenty_of_what_waits_is_known(waiting: int, known: int, share: float, wanted: int) -> None:
    assert missing(waiting, known, share) == wanted


def test_names_run_out_with_a_clear_word() -> None:
    known = KNOWN["always_right"]
    taken: set[str] = set()
    with pytest.raises(UsageError, match="names are taken"):
        for _ in range(1_000):
            taken.add(disguised(known, "compiler/1", taken).card.id)
    assert len(taken) > 100


def test_words_of_each_truth() -> None:
    assert "its report did not show it" in Truth("x", Style.SILENT, "y").words(approved=False)
