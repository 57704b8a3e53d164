"""Runs the search on a task and judges what it found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bootcamp_kit.jsondata import Json
from bootcamp_kit.report import CheckResult, Finding, Severity, Status, Witness
from sandbox.audit.adversary.log import SearchLog
from sandbox.audit.adversary.search import AdversaryPlan, Found, Hunt, plan_key
from sandbox.audit.many import ManyScores
from sandbox.audit.truth import score_cost
from sandbox.checks.contract import call_witness, failed_call
from sandbox.checks.evidence import Evidence, Scored, infrastructure
from sandbox.checks.floor import Earned, declared_floor
from sandbox.checks.observed import describe, shown
from sandbox.checks.policy import Policy
from sandbox.collect import Asker
from sandbox.runner import job_limits
from sandbox.service import Sandbox

CHECK = "adversary.search"


@dataclass(frozen=True, slots=True)
class AdversaryRun:
    """What the search came to, or why there was none."""

    found: Found = field(default_factory=Found)
    skipped: str = ""


def run_adversary(
    sandbox: Sandbox,
    evidence: Evidence,
    plan: AdversaryPlan,
    log: Path | None = None,
    progress: Callable[[str], None] = lambda text: None,
) -> AdversaryRun:
    """Search for exploits.

    Args:
        sandbox: An entered sandbox.
        evidence: What the checks collected.
        plan: How much.
        log: File that everything tried is kept in; a search that was cut off goes on from it.
        progress: Told in a few words what is being done.

    Raises:
        MachineError: the engine failed, or the log cannot be written.
    """
    if plan.calls < 1:
        return AdversaryRun(skipped="not asked for")
    if not evidence.right:
        return AdversaryRun(skipped="no response of the oracle scores 1")
    card = evidence.task
    image = sandbox.environment_of(card.limits.profile).image_digest
    kept = SearchLog(log, plan_key(evidence, plan, image))
    with sandbox.box(evidence.folder.sources, job_limits(card)) as box, ManyScores(sandbox, evidence.folder) as many:
        hunt = Hunt(many, Asker(box, card), evidence, plan, kept, score_cost(evidence))
        return AdversaryRun(hunt.run(progress))


def judge_adversary(evidence: Evidence, run: AdversaryRun, policy: Policy) -> CheckResult:
    """The row of a report."""
    if run.skipped:
        return CheckResult(CHECK, Status.SKIP, run.skipped)
    found = run.found
    scored = [item for earned in found.constants for item in earned.scored]
    fault = infrastructure(item.score for item in (*scored, *found.wrong, *found.failed))
    if fault:
        return CheckResult(CHECK, Status.ERROR, fault)
    findings = tuple(_findings(evidence, found, policy))
    figures: dict[str, Json] = {
        "calls": found.calls,
        "responses": found.responses,
        "unconfirmed": found.unconfirmed,
        "cut_by_time": found.cut,
        "best_for_all": [
            {"response": shown(item.strategy, 60), "mean": round(item.mean, 4), "n": item.n} for item in found.constants
        ],
        "wrong_accepted": len(found.wrong),
    }
    failed = any(finding.severity.rank >= Severity.MINOR.rank for finding in findings)
    return CheckResult(CHECK, Status.FAIL if failed else Status.PASS, findings=findings, figures=figures)


def _findings(evidence: Evidence, found: Found, policy: Policy) -> Iterator[Finding]:
    earning = (_constant(evidence, earned, policy) for earned in found.constants)
    yield from [finding for finding in earning if finding][:1]
    for item in found.wrong[:1]:
        message = f"the search found a wrong answer that scores 1: {shown(item.probe.response, 80)}"
        message += f" ({len(found.wrong)} in all)"
        hint = "check every condition on what parse gives, however long or odd it is"
        yield policy.finding("adversary.wrong_accepted", message, _witness(item, "score below 1"), hint)
    for item in found.failed[:1]:
        witness = call_witness(item.score, item.probe.case.level, item.probe.case.seed, item.probe.response)
        yield failed_call(policy, item.score, "score fails on a response that the search made", witness)


def _constant(evidence: Evidence, item: Earned, policy: Policy) -> Finding | None:
    """By the rules of the guess floor, over all cases, then at each level."""
    declared, wins = declared_floor(evidence), policy.threshold("floor_wins")
    allowed = min(declared + policy.threshold("floor_margin"), policy.threshold("floor_ceiling"))
    level_bound = max(policy.threshold("floor_level_bound"), declared + policy.threshold("floor_level_margin"))
    words = f"the response {shown(item.strategy, 60)!r} on every case"
    if item.mean >= wins:
        return policy.finding("adversary.answer_wins", *_earned(words, item, "below 1 on most cases"))
    for level in item.levels():
        here = item.at(level)
        if here.mean >= wins and here.bound() > level_bound:
            return policy.finding(
                "adversary.answer_wins", *_earned(f"{words} of level {level}", here, "below 1 on most cases")
            )
    if item.bound() > allowed:
        expected = f"at most {allowed:.2f} on average; the declared floor is {declared:.2f}"
        return policy.finding("adversary.above_declared", *_earned(words, item, expected))
    return None


def _earned(words: str, item: Earned, expected: str) -> tuple[str, Witness]:
    message = f"{words} scores {item.mean:.2f} on average (n = {item.n}, above {item.bound():.2f} at 95 %)"
    return message, _witness(item.best_case(), expected)


def _witness(item: Scored, expected: str) -> Witness:
    case = item.probe.case
    return Witness("score", case.level, case.seed, item.probe.response, expected=expected, seen=describe(item.score))
