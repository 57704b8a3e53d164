"""Constructors hold the invariants."""

import random

import pytest

from bootcamp_kit.case import Case, Outcome, Score
from bootcamp_kit.decision import Approval, Choice, Decision
from bootcamp_kit.errors import ReviewRuleError, UsageError
from bootcamp_kit.report import (
    CheckResult,
    Environment,
    Finding,
    Report,
    Severity,
    Status,
    Verdict,
    Witness,
    to_json,
)
from bootcamp_kit.seeds import rng_for

ENVIRONMENT = Environment("sha256:0", "docker", "docker 20.10", "0.1.0", "1", "3.11", {"memory_mb": 512})


class Truthy(int):
    """Looks like a number."""


@pytest.mark.parametrize("value", [1, True, Truthy(1), "1", None, float("nan"), float("inf"), -0.1, 1.1, 5.0])
def test_a_score_is_a_finite_float_in_range_and_nothing_that_looks_like_one(value: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        Score(value, Outcome.CORRECT)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "outcome"),
    [
        (1.0, Outcome.PARTIAL),
        (0.0, Outcome.PARTIAL),
        (0.5, Outcome.CORRECT),
        (0.5, Outcome.WRONG),
        (1.0, Outcome.MALFORMED),
    ],
)
def test_value_and_outcome_agree(value: float, outcome: Outcome) -> None:
    with pytest.raises(ValueError, match="does not go with"):
        Score(value, outcome)


def test_seeds_give_streams_of_their_own() -> None:
    assert isinstance(rng_for("a", 1, 1), random.Random)
    assert rng_for("a", 1, 1).random() == rng_for("a", 1, 1).random()
    assert len({rng_for(task, level, seed).random() for task in "ab" for level in (1, 2) for seed in range(50)}) == 200


def test_equal_payloads_have_equal_keys() -> None:
    assert Case("a", 1, 1, {}, {"x": 1, "y": 2}).key == Case("a", 2, 9, {}, {"y": 2, "x": 1}).key


def test_a_heavy_finding_needs_a_witness() -> None:
    with pytest.raises(UsageError, match="witness"):
        Finding("oracle.score", Severity.MAJOR, "wrong")
    Finding("oracle.score", Severity.MINOR, "odd")


def finding(severity: Severity) -> Finding:
    return Finding("x.y", severity, "m", Witness("score", 1, 2, "r", (0,), expected="1", seen="0"), "h")


@pytest.mark.parametrize(
    ("results", "verdict"),
    [
        ((CheckResult("a", Status.PASS),), Verdict.PASS),
        ((CheckResult("a", Status.PASS), CheckResult("b", Status.SKIP, "no oracle")), Verdict.PASS),
        ((CheckResult("a", Status.FAIL, findings=(finding(Severity.MAJOR),)),), Verdict.PASS),
        (
            (CheckResult("a", Status.FAIL, findings=(finding(Severity.BLOCKER),)), CheckResult("b", Status.ERROR, "x")),
            Verdict.FAIL,
        ),
        ((CheckResult("a", Status.ERROR, "engine died"),), Verdict.INCONCLUSIVE),
        ((), Verdict.INCONCLUSIVE),
    ],
)
def test_the_verdict_is_a_function_of_the_results(results: tuple[CheckResult, ...], verdict: Verdict) -> None:
    assert Report("t", "0" * 64, "gate", ENVIRONMENT, results, {}).verdict is verdict


def test_a_report_survives_json_and_hashes_without_its_timings() -> None:
    results = (CheckResult("a", Status.FAIL, "", (finding(Severity.BLOCKER),), {"n": 3, "rate": 0.5}, "semantic.x"),)
    report = Report("t", "0" * 64, "gate", ENVIRONMENT, results, {"total": 1.5})
    back = Report.from_json(to_json(report))
    assert back == report
    assert back.findings[0].id == report.findings[0].id
    assert Report("t", "0" * 64, "gate", ENVIRONMENT, results, {"total": 9.9}).hash == report.hash
    assert Report("t", "1" * 64, "gate", ENVIRONMENT, results, {"total": 1.5}).hash != report.hash
    assert report.figure("a", "rate") == 0.5
    for bad in ({}, {**to_json(report), "schema": 99}, {**to_json(report), "results": [{}]}, []):
        with pytest.raises(UsageError, match="report"):
            Report.from_json(bad)  # type: ignore[arg-type]


def test_a_check_that_did_not_run_says_why() -> None:
    with pytest.raises(UsageError, match="reason"):
        CheckResult("a", Status.SKIP)


def decision(choice: Choice = Choice.APPROVE, reviewer: str = "Ada <a@x>", reason: str = "") -> Decision:
    return Decision(choice, reviewer, "compiler/1", "0" * 64, "1" * 64, "2026-01-01T00:00:00Z", reason)


def test_decisions_name_a_person_who_is_not_the_author_and_say_why() -> None:
    assert Approval(decision()).holds_for("0" * 64)
    assert not Approval(decision()).holds_for("2" * 64)
    assert not Approval(decision(Choice.REJECT, reason="no")).holds_for("0" * 64)
    for bad in (
        {"reviewer": ""},
        {"reviewer": "compiler/1"},
        {"choice": Choice.REJECT},
        {"choice": Choice.RETURN, "reason": " "},
    ):
        with pytest.raises(ReviewRuleError):
            decision(**bad)
