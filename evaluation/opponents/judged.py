"""What of all that models said is believed. A claim is a finding when the sandbox bears it out beyond doubt.

An accepted response is a wrong answer where the card says that one is right and this is another one. Where several may
be right, and where a right answer is said to be rejected, a claim that nothing contradicts is a *note* for a reader.
A blind solver's disagreement is evidence, never a verdict.
"""

from __future__ import annotations

from collections.abc import Iterator

from bootcamp_kit.case import Outcome
from bootcamp_kit.jsondata import Json
from bootcamp_kit.report import CheckResult, Finding, Severity, Status, Witness
from evaluation.opponents.asked import RIGHT_REJECTED, WRONG_ACCEPTED, BlindAnswer, Said, TriedClaim
from sandbox.audit.adversary.wrong import essence, is_another_answer
from sandbox.checks.contract import call_witness, failed_call
from sandbox.checks.evidence import Evidence, Scored, infrastructure
from sandbox.checks.observed import describe, failure_kind, same_answer, score_of, shown
from sandbox.checks.policy import Policy

ATTACK, BLIND = "adversary.model", "prompt.blind_solver"
HOLDS, FALLS, OPEN = "holds", "falls", "open"
MAX_NOTES = 3


def judge_opponents(evidence: Evidence, said: Said, policy: Policy) -> tuple[CheckResult, ...]:
    """A row for the attacker and one for the solver, each only where a model was asked."""
    rows = []
    if said.attacker:
        standing = [(item, stands(item, evidence)) for item in said.claims]
        figures: dict[str, Json] = {
            "model": said.attacker,
            "claims": len(said.claims),
            **{name: sum(word == name for _, word in standing) for name in (HOLDS, FALLS, OPEN)},
            "declined": [stage for stage in said.declined if stage != "blind"],
        }
        findings = tuple(_claims(standing, policy))
        rows.append(_row(ATTACK, findings, figures, said, [item.scored for item in said.claims]))
    if said.solver:
        right = sum(item.scored.value == 1.0 for item in said.blind)
        told: dict[str, Json] = {
            "model": said.solver,
            "right": right,
            "n": len(said.blind),
            "missing": sum(bool(item.missing) for item in said.blind),
            "declined": said.declined.count("blind"),
        }
        rows.append(_row(BLIND, tuple(_blind(said, policy)), told, said, [item.scored for item in said.blind]))
    return tuple(rows)


def _row(
    name: str, findings: tuple[Finding, ...], figures: dict[str, Json], said: Said, scored: list[Scored]
) -> CheckResult:
    fault = infrastructure(item.score for item in scored) or said.stopped
    if fault:
        return CheckResult(name, Status.ERROR, fault, findings, figures)
    failed = any(finding.severity.rank >= Severity.MINOR.rank for finding in findings)
    return CheckResult(name, Status.FAIL if failed else Status.PASS, findings=findings, figures=figures)


def stands(item: TriedClaim, evidence: Evidence) -> str:
    """Whether what was seen bears a claim out, contradicts it, or leaves it open."""
    if failure_kind(item.scored.score):
        return HOLDS
    case, card, value = item.shown.evidence, evidence.task, item.scored.value
    if value is None or (item.claim == WRONG_ACCEPTED) != (value == 1.0):
        return FALLS
    response = item.scored.probe.response
    if item.claim == WRONG_ACCEPTED:
        if is_another_answer(response, case, card, item.scored.parsed):
            return HOLDS
        return FALLS if _dressed(response, item, evidence) else OPEN  # a hedge, or one of several: for a reader
    score = score_of(item.scored.score)
    if score and score.outcome is Outcome.MALFORMED:
        return OPEN if _dressed(response, item, evidence) else FALLS
    if same_answer(item.scored.parsed, case.parsed):
        return HOLDS
    return FALLS if card.solutions == "unique" else OPEN


def _dressed(response: str, item: TriedClaim, evidence: Evidence) -> bool:
    """Whether it is the oracle's answer, perhaps written otherwise."""
    card = evidence.task
    return essence(response, card) == essence(item.shown.evidence.right or "", card)


def _claims(standing: list[tuple[TriedClaim, str]], policy: Policy) -> Iterator[Finding]:
    held = [item for item, word in standing if word == HOLDS]
    for item in [one for one in held if failure_kind(one.scored.score)][:1]:
        case, seen = item.scored.probe.case, item.scored.score
        witness = call_witness(seen, case.level, case.seed, item.scored.probe.response)
        yield failed_call(policy, seen, "score fails on a response that an attacker wrote", witness)
    for claim, code, words, expected in (
        (WRONG_ACCEPTED, "adversary.model_exploit", "an attacker's wrong answer scores 1", "score below 1"),
        (RIGHT_REJECTED, "adversary.model_rejected", "an attacker's right answer is rejected", "score 1.0 (correct)"),
    ):
        found = [item for item in held if item.claim == claim and not failure_kind(item.scored.score)]
        for item in found[:1]:
            message = f"{words} ({item.stage}; {len(found)} in all): {shown(item.why)}"
            yield policy.finding(code, message, _witness(item.scored, expected))
    for item in [one for one, word in standing if word == OPEN][:MAX_NOTES]:
        message = f"an attacker claims {item.claim.replace('_', ' ')}, and nothing contradicts it: {shown(item.why)}"
        yield policy.finding("adversary.model_claim", message, _witness(item.scored, "to be read"))


def _blind(said: Said, policy: Policy) -> Iterator[Finding]:
    lacking = [item for item in said.blind if item.missing]
    different = list({item.missing: item for item in reversed(lacking)}.values())[::-1]
    for item in different[:MAX_NOTES]:
        message = f"a blind solver says that the prompt lacks something ({len(lacking)} of {len(said.blind)} prompts): "
        yield policy.finding("prompt.blind_missing", message + shown(item.missing), _solved(item))
    wrong = [item for item in said.blind if item.scored.value is not None and item.scored.value < 1.0]
    if len(wrong) > len(said.blind) / 2:
        message = f"a blind solver is wrong on {len(wrong)} of {len(said.blind)} prompts: too hard, or not all is told"
        yield policy.finding("prompt.blind_differs", message, _solved(wrong[0]))


def _solved(item: BlindAnswer) -> Witness:
    return _witness(item.scored, "score 1.0, were the prompt enough and the solver good")


def _witness(item: Scored, expected: str) -> Witness:
    case = item.probe.case
    return Witness("score", case.level, case.seed, item.probe.response, expected=expected, seen=describe(item.score))
