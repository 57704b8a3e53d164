"""Judges on hand-made observations: what counts as accepted, equal, undecided, nondeterministic, our own fault."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bootcamp_kit.case import Case
from bootcamp_kit.folder import TaskFolder
from sandbox.calls import Call, JobOutcome, Observation, Op
from sandbox.checks import determinism, floor, generator, near_miss
from sandbox.checks.evidence import CaseEvidence, Evidence, Probe, PropertyRun, Scored
from sandbox.checks.near_miss import EQUAL, FAILED, REJECTED, UNDECIDED, decide
from sandbox.checks.observed import describe, failure_kind, score_of
from sandbox.checks.policy import default_policy
from sandbox.checks.registry import CHECKS, Needs, machine_fault

FOLDER = TaskFolder.read(Path(__file__).parents[2] / "sound_tasks" / "score_total")
POLICY = default_policy()


def seen(op: Op, value: Any, outcome: JobOutcome = JobOutcome.OK, **more: Any) -> Observation:
    return Observation(Call(op, {}), outcome, value=value, **more)


def score(value: float) -> Observation:
    outcome = "correct" if value == 1.0 else "wrong" if value == 0.0 else "partial"
    return seen(Op.SCORE, {"value": value, "outcome": outcome, "reason": ""})


def parsed(answer: Any) -> Observation:
    return seen(Op.PARSE, {"answer": answer})


def case(level: int = 1, seed: int = 0, payload: Any = None) -> CaseEvidence:
    payload = {"points": [level, seed]} if payload is None else payload
    return CaseEvidence(
        level=level,
        seed=seed,
        generated=seen(Op.GENERATE, payload),
        generated_other=seen(Op.GENERATE, payload),
        case=Case(FOLDER.card.id, level, seed, FOLDER.card.difficulty.params(level), payload),
        prompt=seen(Op.PROMPT, f"Add {level} and {seed}: <answer>7</answer>"),
        solved=seen(Op.SOLVE, f"<answer>{level + seed}</answer>"),
        parsed=parsed(level + seed),
        score=score(1.0),
    )


def evidence(*cases: CaseEvidence, **more: Any) -> Evidence:
    return Evidence(
        FOLDER, FOLDER.card, loads=(seen(Op.LOAD, {"bootcamp": "T", "oracle": "R"}),) * 2, cases=cases, **more
    )


@pytest.mark.parametrize(
    ("group", "value", "answer", "unique", "verdict"),
    [
        ("value", 0.0, 8, True, REJECTED),
        ("value", 0.9, 8, True, REJECTED),
        ("value", 1.0, 8, True, "near_miss.accepted"),
        ("value", 1.0, 8, False, UNDECIDED),
        ("value", 1.0, 7, True, "near_miss.parse_collapses"),
        ("value", 1.0, 7, False, "near_miss.parse_collapses"),
        ("form", 1.0, 7, True, EQUAL),
        ("form", 1.0, 8, True, "near_miss.accepted"),
        ("form", 1.0, 8, False, UNDECIDED),
        ("tolerance", 1.0, 7.1, True, "near_miss.tolerance"),
        ("text", 1.0, 7, False, "near_miss.hedge"),
        ("text", 1.0, "7 or 8", False, UNDECIDED),
        ("last", 1.0, 7, False, "near_miss.first_match"),
        ("undelimited", 1.0, 7, True, "near_miss.undelimited"),
        ("loose", 1.0, 7, True, "near_miss.loose"),
        # equality is that of JSON: true is not 1, 7 is not 7.0
        ("value", 1.0, True, True, "near_miss.accepted"),
    ],
)
def test_an_answered_mutant_is_decided(group: str, value: float, answer: Any, unique: bool, verdict: str) -> None:
    probe = Probe("near_miss", "kind", case().case, "r", group, "integer", parse=True)  # type: ignore[arg-type]
    right = parsed(1) if answer is True else parsed(7)
    assert decide(Scored(probe, score(value), parsed(answer)), right, unique) == verdict


def test_the_order_is_spoken_of_where_a_mutant_changed_the_order() -> None:
    def hint(group: str, kind: str) -> str:
        probe = Probe("near_miss", kind, case().case, "<answer>8</answer>", group, parse=True)  # type: ignore[arg-type]
        found = evidence(case(), probes={"near_miss": (Scored(probe, score(1.0), parsed(8)),)})
        (finding,) = near_miss.judge_answers(found, POLICY).findings
        assert finding.code == "near_miss.accepted"
        return finding.hint

    assert "order" not in hint("value", "plus_one") and "solutions = 'any'" in hint("value", "plus_one")
    assert "rewrites = ['order']" in hint("form", "reversed")


def test_a_mutant_without_a_score_failed() -> None:
    probe = Probe("near_miss", "kind", case().case, "r", "value")  # type: ignore[arg-type]
    crashed = seen(Op.SCORE, None, JobOutcome.EXCEPTION, error="ValueError: no")
    assert decide(Scored(probe, crashed), parsed(7), True) == FAILED


@pytest.mark.parametrize(
    "value",
    [None, 1.0, {"value": 1, "outcome": "correct", "reason": ""}, {"value": True, "outcome": "correct", "reason": ""},
     {"value": 1.5, "outcome": "correct", "reason": ""}, {"value": 0.5, "outcome": "correct", "reason": ""},
     {"value": 1.0, "outcome": "correct"}, {"value": 1.0, "outcome": "splendid", "reason": ""}],
)  # fmt: skip
def test_only_a_well_formed_score_is_a_score(value: Any) -> None:
    observation = seen(Op.SCORE, value)
    assert score_of(observation) is None
    assert failure_kind(observation) == "shape"


def test_words_of_an_observation_have_no_addresses_and_no_terminal_codes() -> None:
    one = seen(Op.SCORE, None, JobOutcome.EXCEPTION, error="KeyError: <T at 0x7f00deadbeef>\x1b[31m",
               traceback='File "<task>/bootcamp.py", line 12, in verify\n')  # fmt: skip
    assert describe(one) == "exception KeyError: <T at 0x…>\\u{1b}[31m at bootcamp.py:12 in verify"
    assert failure_kind(seen(Op.SOLVE, None, JobOutcome.TIMEOUT)) == "limit"
    assert failure_kind(seen(Op.SOLVE, None, JobOutcome.INFRASTRUCTURE)) == ""


def test_a_payload_that_differs_between_containers_is_found_and_stops_what_depends_on_it() -> None:
    odd = replace(case(seed=5), generated_other=seen(Op.GENERATE, {"points": [1, 6]}))
    found = evidence(case(), odd)
    judgement = determinism.judge_payload(found, POLICY)
    assert [finding.code for finding in judgement.findings] == ["determinism.payload"]
    assert judgement.findings[0].witness is not None
    assert judgement.findings[0].witness.seed == 5
    skipped = {check.name for check in CHECKS if "payload" in Needs(found).missing(check)}
    assert {"floor.constants", "near_miss.answers", "still_right.declared", "properties.solvable"} <= skipped
    assert "oracle.scores_one" not in skipped


def test_equal_scores_with_other_reasons_are_not_nondeterminism() -> None:
    other = seen(Op.SCORE, {"value": 1.0, "outcome": "correct", "reason": "another sentence"})
    assert determinism.judge_score(evidence(replace(case(), score_other=other)), POLICY).findings == ()


def test_a_fault_of_our_machine_is_an_error_of_the_checks_that_read_it_and_never_a_finding() -> None:
    probe = Probe("garbage", "nothing", case().case, "")  # type: ignore[arg-type]
    broken = Scored(probe, seen(Op.SCORE, None, JobOutcome.INFRASTRUCTURE, error="engine gone"))
    found = evidence(case(), probes={"garbage": (broken,)})
    faults = {check.name for check in CHECKS if machine_fault(check, found)}
    assert faults == {"contract.garbage"}
    everywhere = evidence(replace(case(), score=broken.score))
    faults = {check.name for check in CHECKS if machine_fault(check, everywhere)}
    assert {"contract.score", "determinism.score", "floor.constants", "generator.distinct"} <= faults
    assert not {"static.source", "contract.card", "generator.axes"} & faults
    search = evidence(case(), properties=(PropertyRun("total", 0, infrastructure="engine gone"),))
    assert {check.name for check in CHECKS if machine_fault(check, search)} == {"properties.total"}


def floored(name: str, values: list[float], family: str = "floor", level: int = 1) -> tuple[Scored, ...]:
    return tuple(
        Scored(Probe(family, name, case(level, seed).case, "r"), score(value))  # type: ignore[arg-type]
        for seed, value in enumerate(values)
    )


def test_the_floor_is_judged_on_fresh_cases_not_on_the_ones_that_chose_the_strategy() -> None:
    lucky = floored("constant 0", [1.0] * 6)
    fresh = floored("constant 0", [0.0] * 18, "confirm")
    assert floor.worth_confirming(lucky) == ["constant 0"]
    judgement = floor.judge_constants(evidence(case(), probes={"floor": lucky, "confirm": fresh}), POLICY)
    assert judgement.findings == ()
    assert (judgement.figures["mean"], judgement.figures["n"]) == (0.0, 18)


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ([1.0] * 29 + [0.0], "floor.answer_wins"),
        ([1.0] * 15 + [0.0] * 15, "floor.above_declared"),
        ([1.0] * 5 + [0.0] * 25, None),
        ([0.5] * 30, "floor.above_declared"),
        ([0.1] * 30, None),
    ],
)
def test_a_floor_is_a_finding_only_when_its_lower_bound_is_above_what_is_allowed(
    values: list[float], code: str | None
) -> None:
    judgement = floor.judge_constants(evidence(case(), probes={"floor": floored("constant 0", values)}), POLICY)
    assert [finding.code for finding in judgement.findings] == ([code] if code else [])


def test_one_level_won_is_found_though_the_mean_is_low() -> None:
    scored = floored("constant 0", [1.0] * 12, level=1) + floored("constant 0", [0.0] * 80, level=2)
    judgement = floor.judge_constants(evidence(case(), probes={"floor": scored}), POLICY)
    assert [finding.code for finding in judgement.findings] == ["floor.level_wins"]


@pytest.mark.parametrize(
    ("payloads", "code"),
    [([1] * 10, "generator.constant"), ([1, 2, 3] * 4, "generator.few_cases"), ([*range(9), 0], "generator.repeats")],
)
def test_repeated_cases_weigh_by_their_share(payloads: list[int], code: str) -> None:
    cases = [case(1, seed, payload) for seed, payload in enumerate(payloads)]
    findings = generator.judge_distinct(evidence(*cases), POLICY).findings
    assert [finding.code for finding in findings] == [code]


def test_undecided_mutants_are_notes_with_a_witness() -> None:
    files = {**FOLDER.files, "card.toml": FOLDER.files["card.toml"].replace(b'"unique"', b'"any"')}
    folder = TaskFolder(files)
    probe = Probe("near_miss", "plus_one", case().case, "<answer>2</answer>", "value", "integer", parse=True)  # type: ignore[arg-type]
    found = replace(
        evidence(case(), probes={"near_miss": (Scored(probe, score(1.0), parsed(2)),)}), folder=folder, card=folder.card
    )
    judgement = near_miss.judge_answers(found, POLICY)
    assert [(finding.code, finding.severity.value) for finding in judgement.findings] == [
        ("near_miss.undecided", "note")
    ]
    assert judgement.figures["undecided"] == 1
