"""Still right: rewrites of right responses that must keep their score of 1."""

from __future__ import annotations

from bootcamp_kit.jsondata import Json
from bootcamp_kit.report import Witness
from sandbox.checks.bounds import upper_bound
from sandbox.checks.check import Check, Judgement
from sandbox.checks.evidence import Evidence
from sandbox.checks.observed import describe, shown
from sandbox.checks.policy import Policy
from sandbox.checks.rewrites import UNIVERSAL, applicable


def _judge(evidence: Evidence, policy: Policy, names: tuple[str, ...], code: str) -> Judgement:
    asked = [item for item in evidence.asked("still_right") if item.probe.kind in names]
    if not names or not asked:
        return Judgement(skipped="no rewrite of this kind applies to these answers")
    findings = []
    classes: dict[str, Json] = {}
    for name in names:
        of_name = [item for item in asked if item.probe.kind == name]
        rejected = [item for item in of_name if item.value != 1.0]
        classes[name] = [len(rejected), len(of_name)]
        if not rejected:
            continue
        first = rejected[0]
        case = first.probe.case
        witness = Witness(
            "score",
            case.level,
            case.seed,
            first.probe.response,
            expected="score 1.0 (correct)",
            seen=describe(first.score),
        )
        message = (
            f"a right answer is rejected when rewritten: {name} ({shown(first.probe.variant)}),"
            f" {len(rejected)} of {len(of_name)}"
        )
        findings.append(policy.finding(code, message, witness, "bootcamp_kit.answers reads these"))
    worst = max((values for values in classes.values() if values[1]), key=lambda values: values[0] / values[1])
    figures = {
        "rejected_of": classes,
        "n": len(asked),
        "worst_class_false_reject_below": round(upper_bound(worst[0], worst[1]), 4),
        "confidence": 0.95,
    }
    return Judgement(tuple(findings), figures)


def judge_declared(evidence: Evidence, policy: Policy) -> Judgement:
    """The rewrites the card declares."""
    declared = {*evidence.task.answer.rewrites, "tolerance"}
    names = tuple(name for name in applicable(evidence.task.answer) if name in declared)
    return _judge(evidence, policy, names, "still_right.rejected")


def judge_universal(evidence: Evidence, policy: Policy) -> Judgement:
    """White space, reasoning and decoys where the card does not declare them."""
    names = tuple(name for name in UNIVERSAL if name not in evidence.task.answer.rewrites)
    return _judge(evidence, policy, names, "still_right.universal_rejected")


_NEEDS = ("card", "load", "cases", "deterministic", "right")
CHECKS = (
    Check(
        "still_right.declared",
        judge_declared,
        shows="right answers keep their score under every rewrite the card declares",
        cannot="spellings that are not in the vocabulary, and rewrites the card does not promise",
        needs=_NEEDS,
        probes=("still_right",),
    ),
    Check(
        "still_right.universal",
        judge_universal,
        shows="white space, reasoning around the answer and earlier decoys do not cost the score",
        cannot="spellings that are not in the vocabulary",
        needs=_NEEDS,
        probes=("still_right",),
    ),
)
