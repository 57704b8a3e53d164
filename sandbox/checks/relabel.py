"""The number of a case is no part of the puzzle: the same payload under another seed is judged alike.

A verifier that looks at ``case.seed`` can behave well on the seeds a gate tries and pay out on others.
"""

from __future__ import annotations

from collections import defaultdict

from bootcamp_kit.report import Witness
from sandbox.checks.check import Check, Judgement
from sandbox.checks.evidence import Evidence, Scored
from sandbox.checks.observed import describe, score_of
from sandbox.checks.policy import Policy


def differs(first: Scored, other: Scored) -> bool:
    """Whether two askings of one response on one payload gave two verdicts."""
    left, right = score_of(first.score), score_of(other.score)
    return left is not None and right is not None and (left.value, left.outcome) != (right.value, right.outcome)


def judge_seed(evidence: Evidence, policy: Policy) -> Judgement:
    """No verdict changes with the seed alone; the first probe of each response bears the case's own."""
    groups: dict[tuple[str, str], list[Scored]] = defaultdict(list)
    asked = evidence.asked("relabel")
    for item in asked:
        groups[item.probe.group, item.probe.kind].append(item)
    odd = [(own, item) for own, *others in groups.values() for item in others if differs(own, item)]
    figures = {"different": len(odd), "n": len(asked) - len(groups)}
    if not odd:
        return Judgement((), figures)
    own, item = odd[0]
    case = own.probe.case
    witness = Witness(
        "relabel",
        case.level,
        case.seed,
        own.probe.response,
        line=item.probe.case.seed,
        expected=f"the verdict under the case's own seed: {describe(own.score)}",
        seen=describe(item.score),
    )
    message = (
        f"level {case.level}: the {own.probe.kind} response to seed {case.seed} is judged otherwise when only the seed"
        f" is called {item.probe.case.seed}, {len(odd)} of {figures['n']} times"
    )
    hint = "judge the payload; the seed is no part of the puzzle"
    return Judgement((policy.finding("contract.seed_decides", message, witness, hint),), figures)


CHECKS = (
    Check(
        "contract.seed",
        judge_seed,
        shows="a right and a wrong response keep their verdict when the same payload bears other seeds",
        cannot="a dependence on seeds that were not tried; static.reads_seed reads the source for it",
        needs=("card", "load", "cases", "deterministic", "right"),
        probes=("relabel",),
    ),
)
