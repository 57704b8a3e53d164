"""What a finding says was seen is found again, in whichever form the finding tells it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from authoring import calibration
from authoring.opposition import judgement
from bootcamp_kit.report import Finding, Severity, Witness
from bootcamp_kit.versions import CHANGED_VERDICT
from evaluation.changes import _words as version_words
from evaluation.scoring import Judgement as EvaluatedScore
from evaluation.scoring import Unscored, judge
from review.bug_report import CODE as REPORTED
from review.bug_report import _words as reported_words
from sandbox.audit.mutation import _word as mutant_words
from sandbox.calls import Call, JobOutcome, Observation, Op
from sandbox.checks.observed import describe
from sandbox.told import LIMITS_OF_CLAIMS, UNDECIDED, limit_of, same_as_told

ROOT = Path(__file__).parents[2]


def scored(value: float, outcome: str, reason: str = "") -> Observation:
    return Observation(Call(Op.SCORE, {}), JobOutcome.OK, value={"value": value, "outcome": outcome, "reason": reason})


RIGHT, WRONG, PART = scored(1.0, "correct"), scored(0.0, "wrong", "7 expected"), scored(1 / 3, "partial")
MALFORMED = scored(0.0, "malformed", "no tags")
CRASH = Observation(Call(Op.SCORE, {}), JobOutcome.EXCEPTION, error="KeyError: 'x'")
SLOW = Observation(Call(Op.SCORE, {}), JobOutcome.TIMEOUT)
ALL = (RIGHT, WRONG, PART, MALFORMED, CRASH, SLOW)


def by_opponent(item: Observation) -> str:
    if item.ok:
        score = item.value
        return f"{score['value']} ({score['outcome']}): {score['reason']}; the attacker says: 1 (correct)"
    return f"{item.outcome.value}: {item.error}"


def by_version(item: Observation) -> str:
    return version_words(evaluated(item))


def evaluated(item: Observation) -> EvaluatedScore:
    from bootcamp_kit.case import Case

    return judge(lambda calls: [item for _ in calls], [(Case("a_task", 1, 0, {}, {}), "an answer")])[0]


def by_mutants(item: Observation) -> str:
    return mutant_words(item.value["value"] if item.ok else item.error.partition(":")[0])


@pytest.mark.parametrize(
    ("code", "tell", "told_apart"),
    [
        ("near_miss.accepted", describe, ALL),
        (REPORTED, reported_words, ALL),
        (CHANGED_VERDICT, by_version, ALL),
        (judgement.ACCEPTS_WRONG, by_opponent, ALL),
        ("mutation.score_low", by_mutants, (RIGHT, WRONG, PART, CRASH)),
        (calibration.AGREES_OTHERWISE, lambda item: f"{item.value['value']:g}", (RIGHT, WRONG, PART)),
    ],
)
def test_a_verdict_is_found_again_in_the_form_that_its_finding_tells_it_in(code, tell, told_apart):
    for then in told_apart:
        finding = Finding(code, Severity.MAJOR, "m", Witness("score", 1, 0, "an answer", seen=tell(then)))
        for now in told_apart:
            assert same_as_told(finding, now) is (now is then), (tell(then), describe(now))


def test_words_that_are_no_verdict_are_never_taken_for_one():
    for seen in ("", "a blind solver says: wrong 0", "score", "wrong", "nan (wrong)", "score 0.0 (odd)"):
        finding = Finding("oppose.accepts_wrong", Severity.MAJOR, "m", Witness("score", 1, 0, "a", seen=seen))
        assert not any(same_as_told(finding, item) for item in ALL), seen


def test_an_unscored_word_that_evaluation_has_is_known():
    assert version_words(EvaluatedScore(None, Unscored.VERIFIER_TIMEOUT)) == "no score (verifier-timeout)"


def test_what_a_replay_leaves_open_is_said_of_codes_that_exist():
    codes = {CHANGED_VERDICT, REPORTED, *_named(judgement), *_named(calibration)}
    for name in ("checks", "audit"):
        codes |= set(tomllib.loads((ROOT / "sandbox" / name / "policy.toml").read_text())["severity"])
    for name in (*LIMITS_OF_CLAIMS, *UNDECIDED):
        assert any(code.startswith(name) for code in codes), name
    averages = {code for code in codes if code.startswith("floor.")}
    assert averages and all("average" in limit_of(code) for code in averages)


def _named(module: object) -> set[str]:
    return {text for text in vars(module).values() if isinstance(text, str) and re.fullmatch(r"[a-z]+\.[a-z_]+", text)}
