"""Known items measure reviewers: they look like the others, are told with the decision, and are never merged."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bootcamp_kit.candidate import Lineage, Submission
from bootcamp_kit.decision import Choice
from bootcamp_kit.errors import ReviewRuleError, UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import digest
from bootcamp_kit.report import CheckResult, Finding, Report, Severity, Status, Verdict, Witness
from review.as_json import item_to_json
from review.calibration import (
    Likeness,
    Style,
    Truth,
    disguised,
    lineage_like,
    missing,
    proved_broken,
    proved_sound,
    read_known,
    shown_report,
    submission_of,
)
from review.decide import decide, told_afterwards, undo
from review.item import QueueItem, State
from review.merge import merge
from review.planting import planted
from review.queue import Queue
from review.statistics import agreement, rate, reviewers
from tests.review.conftest import KEEPER, REVIEWER, a_submission
from tests.review.telling import features, told_apart

PLACE = Path(__file__).parents[1]
KNOWN = {item.name: item for item in read_known(PLACE)}
WITNESS = Witness("score", 1, 0, "<answer>0</answer>")
BLOCKER = Finding("near_miss.accepted", Severity.BLOCKER, "a wrong answer scores 1", WITNESS)
CHANCE = 0.8
"""Fewer than so many of some 15 to 30 items are judged rightly by chance, save once in a hundred times."""
FAULT = "drop a check, bootcamp.py line 9"


def gate_report(folder: TaskFolder, *findings: Finding, oracle: Status = Status.PASS) -> Report:
    """As the gate would give it."""
    ran = CheckResult(
        "oracle.scores_one", oracle, "no case" if oracle is Status.SKIP else "", figures={"n": 24, "wrong": 0}
    )
    status = Status.FAIL if findings else Status.PASS
    near = CheckResult("near_miss.answers", status, findings=findings, figures={"accepted": 27 if findings else 0})
    about = {"task_id": folder.card.id, "content_hash": folder.content_hash}
    return replace(a_submission().report, **about, results=(ran, near))


def made(name: str, style: Style, like: Likeness | None = None, seed: int = 0) -> tuple[Submission, Truth]:
    """A known item, with reports written by hand in place of the gate's."""
    folder, brief = disguised(KNOWN[name], like, "compiler/1")
    sound, broken, fault = gate_report(folder), None, ""
    if style is not Style.SOUND:
        one = next(planted(folder, Random(seed)))
        folder, fault = one.folder, one.fault
        broken = gate_report(folder, BLOCKER)
    report = shown_report(style, sound, broken, like)
    assert report is not None
    lineage = lineage_like(like, brief, "compiler/1")
    return submission_of(folder, brief, lineage, report), Truth(name, style, fault)


def put_in(queue: Queue, name: str, style: Style) -> str:
    return queue.submit_known(*made(name, style))


def test_the_checkout_has_sound_tasks_to_make_them_from() -> None:
    assert len(KNOWN) >= 25
    with pytest.raises(UsageError, match="no task"):
        read_known(PLACE / "review")


def test_a_known_item_carries_nothing_that_tells_it(queue: Queue) -> None:
    for name, style in (("digit_total", Style.EVIDENT), ("fewest_coins", Style.SILENT), ("flood_map", Style.SOUND)):
        item = queue.item(put_in(queue, name, style))
        shown = str(item_to_json(item)) + item.folder.files["card.toml"].decode() + str(item.events)
        for word in ("test suite", "testing", "known", "planted", "sound_tasks", FAULT):
            assert word not in shown
        assert told_afterwards(item) == ""
        assert item.report.content_hash == item.folder.content_hash
    assert queue.counts() == (3, 3)
    assert queue.known_names() == {"digit_total", "fewest_coins", "flood_map"}
    assert queue.others_waiting() == []
    assert queue.knows("flood_map")
    assert not queue.knows("digit_sum")


def test_an_evident_fault_is_shown_mildly_and_of_a_silent_one_the_report_without_it() -> None:
    sound, broken = (gate_report(KNOWN["digit_total"].folder, *findings) for findings in ((), (BLOCKER,)))
    assert proved_sound(sound)
    assert proved_broken(broken)
    assert not proved_sound(broken)
    doubtful = replace(BLOCKER, severity=Severity.MAJOR)
    assert not proved_sound(gate_report(KNOWN["digit_total"].folder, doubtful)), "it could be returned with reason"
    assert proved_sound(gate_report(KNOWN["digit_total"].folder, replace(BLOCKER, severity=Severity.MINOR)))
    assert (Truth("x", Style.SILENT, FAULT).kind, Truth("x", Style.SOUND, "").kind) == ("drop a check", "")
    assert not proved_broken(sound)
    evident, silent = (shown_report(style, sound, broken, None) for style in (Style.EVIDENT, Style.SILENT))
    assert evident is not None
    assert (evident.verdict, evident.findings[0].severity) == (Verdict.PASS, Severity.MAJOR)
    assert silent == replace(sound, content_hash=broken.content_hash)
    assert shown_report(Style.SOUND, broken, None, None) is None, "a sound task that fails is of no use"
    unasked = gate_report(KNOWN["digit_total"].folder, BLOCKER, oracle=Status.SKIP)
    crash = replace(BLOCKER, code="contract.score_crash")
    assert not proved_broken(gate_report(KNOWN["digit_total"].folder, BLOCKER, crash)), "glaring"
    assert not proved_broken(unasked), "a fault that keeps the oracle from being asked is seen at a glance"


def test_it_takes_after_a_waiting_candidate_in_all_that_is_not_the_task() -> None:
    panel = CheckResult("calibrate.panel", Status.FAIL, findings=(BLOCKER,), figures={"solved": 7, "asked": 12})
    real = a_submission(task_id="seat_rotation", title="Seat rotation", author="openai:model", licence="MIT", attempt=2)
    report = replace(real.report, results=(*real.report.results, panel))
    brief = replace(real.brief, source=replace(real.brief.source, url="https://example.org/seat-rotation"))
    like = Likeness(real.candidate.folder, brief, real.candidate.lineage, report)
    submission, _ = made("digit_total", Style.SILENT, like)
    card, lineage = submission.candidate.folder.card, submission.candidate.lineage
    assert (card.author, card.family, card.source.licence) == ("compiler/1", "arithmetic", "MIT")
    assert (lineage.author, lineage.attempt, lineage.parent) == ("openai:model", 1, "")
    assert (lineage.prompts, lineage.run) == (real.candidate.lineage.prompts, "r1")
    assert submission.brief.source.url == "https://example.org/digit-total"
    shown = {result.check: result for result in submission.report.results}["calibrate.panel"]
    assert (shown.status, shown.findings, dict(shown.figures or {})) == (Status.PASS, (), {"solved": 7, "asked": 12})


def test_a_planted_fault_is_one_small_change_that_reads_like_the_rest() -> None:
    for item in KNOWN.values():
        seen: set[str] = set()
        for one in islice(planted(item.folder, Random(1)), 6):
            (path,) = (name for name, data in item.folder.files.items() if one.folder.files[name] != data)
            before, after = item.folder.files[path].decode(), one.folder.files[path].decode()
            assert before.count("\n") == after.count("\n")
            assert max(map(len, after.split("\n"))) <= 120
            assert f"{path} line" in one.fault
            assert "accept everything" not in one.fault
            seen.add(after)
        assert len(seen) >= 3, item.name
    changed = next(one for one in planted(KNOWN["words_backwards"].folder, Random(0)))
    assert b"return (Score" not in changed.folder.files["bootcamp.py"]


@pytest.mark.parametrize(
    ("style", "choice", "words"),
    [
        (Style.SILENT, Choice.APPROVE, "so the fault was MISSED"),
        (Style.EVIDENT, Choice.RETURN, "caught"),
        (Style.SOUND, Choice.APPROVE, "approved, rightly"),
        (Style.SOUND, Choice.REJECT, "a false alarm"),
    ],
)
def test_the_truth_is_told_with_the_decision_and_nothing_can_follow(
    queue: Queue, repository: Any, style: Style, choice: Choice, words: str
) -> None:
    ref = put_in(queue, "fewest_coins", style)
    decide(queue, ref, choice, REVIEWER, "because", shown_hash=ref)
    item = queue.item(ref)
    assert item.state is State.SUPERSEDED
    told = told_afterwards(item)
    assert words in told
    assert "fewest_coins" in told
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
        ("digit_total", Style.EVIDENT, Choice.RETURN),
        ("flood_map", Style.SILENT, Choice.APPROVE),
        ("roman_year", Style.SILENT, Choice.REJECT),
        ("fewest_coins", Style.SOUND, Choice.RETURN),
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


def test_words_of_each_truth() -> None:
    assert "its report did not show it" in Truth("x", Style.SILENT, "y").words(approved=False)


def test_a_simple_classifier_tells_known_items_neither_from_each_other_nor_from_real_ones(queue: Queue) -> None:
    """Real ones stand for candidates that a model made: tasks of the same make, handed in with lineage and licence.

    With the gate's own reports in place of these, ``python -m benchmarks.known_items`` asks the same.
    """
    names = sorted(KNOWN, key=lambda name: digest(name.encode()))
    kinds: dict[str, list[QueueItem]] = {kind: [] for kind in ("real", *Style)}
    likes = []
    for name in names[::4]:
        folder, brief = disguised(KNOWN[name], None, "openai:model")
        lineage = Lineage("openai:model", brief.hash, prompts=(("draft.md", "0" * 64),), run="r1")
        likes.append(Likeness(folder, brief, lineage, gate_report(folder)))
    for number, name in enumerate(names):
        kind = ("real", *Style)[number % 4]
        if kind == "real":
            like = likes[number // 4]
            submission = submission_of(like.folder, like.brief, like.lineage, like.report)
            ref = queue.submit(submission)
        else:
            ref = queue.submit_known(*made(name, Style(kind), likes[number // 4 % len(likes)], seed=number))
        kinds[kind].append(queue.item(ref))
    rows = {kind: [features(item) for item in items] for kind, items in kinds.items()}
    blind = {kind: [features(item, evidence=False) for item in items] for kind, items in kinds.items()}
    assert told_apart(rows["silent"], rows["sound"]) < CHANCE
    assert told_apart(rows["silent"] + rows["sound"], rows["real"]) < CHANCE
    assert told_apart(blind["evident"], blind["sound"] + blind["silent"]) < CHANCE
    assert told_apart(rows["evident"], rows["sound"]) > 0.9, "their evidence differs, and it is meant to be read"
    with_tell = [{**row, "levels": 3.0} for row in rows["silent"]]
    assert told_apart(with_tell, [{**row, "levels": 5.0} for row in rows["sound"]]) > 0.9, "a tell is found"
