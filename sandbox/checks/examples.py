"""The task's own examples: what it says it accepts, rejects and calls malformed holds."""

from __future__ import annotations

from collections import Counter

from bootcamp_kit.case import Outcome
from bootcamp_kit.report import Finding, Witness
from sandbox.checks.check import Check, Judgement
from sandbox.checks.contract import failed_call
from sandbox.checks.evidence import Evidence, Scored
from sandbox.checks.examples_file import GROUPS
from sandbox.checks.observed import answer_of, describe, failure_kind, score_of, shown
from sandbox.checks.policy import Policy

FILE = "examples.toml"
_EXPECTED = {
    "accept": "score 1.0 (correct)",
    "reject": "well formed, score below 1",
    "malformed": "score 0.0 (malformed)",
}


def holds(item: Scored) -> bool:
    """Whether an example got what it says."""
    score = score_of(item.score)
    if score is None:
        return False
    if item.probe.group == "accept":
        return score.value == 1.0
    if item.probe.group == "reject":
        return score.value < 1.0 and score.outcome is not Outcome.MALFORMED
    return score.outcome is Outcome.MALFORMED


def _finding(policy: Policy, item: Scored) -> Finding:
    probe = item.probe
    witness = Witness(
        "score",
        probe.case.level,
        probe.case.seed,
        probe.response,
        file=FILE,
        expected=_EXPECTED[probe.group],
        seen=describe(item.score),
    )
    message = f"{FILE}: {probe.group} example {shown(probe.kind, 80)!r} does not hold"
    if failure_kind(item.score):
        return failed_call(policy, item.score, message, witness)
    return policy.finding(f"examples.{probe.group}", f"{message}: {witness.seen}", witness)


def judge(evidence: Evidence, policy: Policy) -> Judgement:
    """Every example holds, and there is one of each kind."""
    asked = evidence.asked("examples")
    counts = Counter(item.probe.group for item in asked)
    findings = [_finding(policy, item) for item in asked if not holds(item)]
    figures = {**{group: counts[group] for group in GROUPS}, "failed": sum(not holds(item) for item in asked)}
    return Judgement(tuple(findings), figures)


def judge_card_example(evidence: Evidence, policy: Policy) -> Judgement:
    """The card's example answer has the form that parse reads."""
    parsed = answer_of(evidence.example)
    if evidence.example is None or parsed is None or parsed[0] == "answer":
        return Judgement()
    witness = Witness(
        "parse",
        response=evidence.task.answer.example,
        expected="an answer",
        seen=describe(evidence.example),
    )
    message = f"card.toml: answer.example is malformed to the task's own parser: {shown(str(parsed[1]))}"
    return Judgement((policy.finding("examples.card_example", message, witness),))


CHECKS = (
    Check(
        "examples.hold",
        judge,
        shows="accept, reject and malformed examples of examples.toml come out as they say",
        cannot="anything about other responses",
        needs=("card", "load", "deterministic"),
        probes=("examples",),
    ),
    Check(
        "examples.card_example",
        judge_card_example,
        shows="the example answer on the card is well formed",
        cannot="that the prompt shows the same form",
        needs=("card", "load"),
    ),
)
