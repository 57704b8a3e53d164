"""Determinism: the same calls in two containers with different hash seeds, in shuffled order."""

from __future__ import annotations

from bootcamp_kit.jsondata import canonical
from bootcamp_kit.report import Witness
from sandbox.calls import JobOutcome, Observation
from sandbox.checks.check import Check, Judgement
from sandbox.checks.evidence import CaseEvidence, Evidence
from sandbox.checks.observed import LIMITS, score_of
from sandbox.checks.policy import Policy


def differs(left: Observation | None, right: Observation | None) -> bool:
    """Whether two containers answered the same call differently; failures other than ok are judged elsewhere."""
    if left is None or right is None or not (left.ok and right.ok):
        return False
    first, second = score_of(left), score_of(right)
    if first and second:
        return (first.value, first.outcome) != (second.value, second.outcome)
    return canonical(left.value) != canonical(right.value)


def fails_once(left: Observation | None, right: Observation | None) -> bool:
    """Whether the call worked in one container and failed in the other; a limit reached once proves nothing."""
    if left is None or right is None or left.ok == right.ok:
        return False
    return not {left.outcome, right.outcome} & {*LIMITS, JobOutcome.INFRASTRUCTURE}


_WHAT = {
    "payload": ("generated", "generated_other"),
    "prompt": ("prompt", "prompt_other"),
    "score": ("score", "score_other"),
    "oracle": ("solved", "solved_other"),
}


def pair(case: CaseEvidence, what: str) -> tuple[Observation | None, Observation | None]:
    """The two observations of payload, prompt, score or oracle."""
    first, second = _WHAT[what]
    return getattr(case, first), getattr(case, second)


def _judge(evidence: Evidence, policy: Policy, what: str) -> Judgement:
    compared = [case for case in evidence.cases if None not in pair(case, what)]
    odd = [case for case in compared if differs(*pair(case, what)) or fails_once(*pair(case, what))]
    figures = {"different": len(odd), "n": len(compared), "hash_seeds": list(evidence.hash_seeds)}
    if not odd:
        return Judgement((), figures)
    case = odd[0]
    witness = Witness(
        "determinism",
        case.level,
        case.seed,
        case.response if what == "score" else None,
        hash_seeds=evidence.hash_seeds,
        expected=f"the same {what} in both containers",
        seen=f"two different {what}s" if differs(*pair(case, what)) else f"the {what} in one container only",
    )
    message = f"{what} changes with the process on {len(odd)} of {len(compared)} cases, first at level {case.level}"
    hint = "draw from rng only; sort sets before use; keep no state between calls"
    return Judgement((policy.finding(f"determinism.{what}", message, witness, hint),), figures)


def nondeterministic(evidence: Evidence) -> str:
    """Which of payload, prompt and score differ between containers, in words; "" when none does."""
    odd = [
        what
        for what in ("payload", "prompt", "score")
        if any(differs(*pair(case, what)) or fails_once(*pair(case, what)) for case in evidence.cases)
    ]
    return f"the {' and the '.join(odd)} changed between two containers" if odd else ""


def judge_payload(evidence: Evidence, policy: Policy) -> Judgement:
    """Payloads agree."""
    return _judge(evidence, policy, "payload")


def judge_prompt(evidence: Evidence, policy: Policy) -> Judgement:
    """Prompts agree."""
    return _judge(evidence, policy, "prompt")


def judge_score(evidence: Evidence, policy: Policy) -> Judgement:
    """Scores of the oracle's response agree."""
    return _judge(evidence, policy, "score")


def judge_oracle(evidence: Evidence, policy: Policy) -> Judgement:
    """The oracle's texts agree: only noted, several answers may be right."""
    return _judge(evidence, policy, "oracle")


_CANNOT = "a dependence that two hash seeds and one shuffled order do not show, or on another platform or Python"
CHECKS = (
    Check(
        "determinism.payload",
        judge_payload,
        shows="(id, level, seed) gives the same payload in two containers with other hash seeds, in shuffled order",
        cannot=_CANNOT,
        needs=("card", "load"),
        rfc008="runtime.seed_control",
    ),
    Check(
        "determinism.prompt",
        judge_prompt,
        shows="a case gives the same prompt in both",
        cannot=_CANNOT,
        needs=("card", "load", "cases"),
        rfc008="runtime.episode_determinism",
    ),
    Check(
        "determinism.score",
        judge_score,
        shows="a case and a response give the same score in both",
        cannot=_CANNOT,
        needs=("card", "load", "cases"),
        rfc008="semantic.verifier_determinism",
    ),
    Check(
        "determinism.oracle",
        judge_oracle,
        shows="the oracle writes the same response in both",
        cannot="nothing is wrong where it does not: another right answer may come out",
        needs=("card", "load", "cases"),
    ),
)
