"""Audits one task folder: the gate's checks with a larger plan, then what only the deeper tier does.

That is: mutation testing of the verifier, independent truth, and a search for exploits.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import CheckResult, Finding, Report, Severity, Status, Witness
from sandbox.audit.adversary.adversary import AdversaryRun, judge_adversary, run_adversary
from sandbox.audit.mutation import SURVIVING, Mutant, MutationRun, diff, run_mutation
from sandbox.audit.plan import AuditPlan
from sandbox.audit.rules import audit_policy
from sandbox.audit.truth import TruthRun, collect_truth
from sandbox.audit.truth_judge import judge_truth
from sandbox.checks.evidence import Evidence
from sandbox.checks.policy import Policy
from sandbox.counterexamples import CounterexampleStore
from sandbox.runner import run_gate
from sandbox.service import Sandbox

TIER = "audit"
CHECK = "mutation.verifier"
MAX_SURVIVORS = 5
NOT_SOLVED = "no response of the oracle scores 1"


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit measured.

    Attributes:
        folder: The task.
        report: All checks and findings, the mutation check among them.
        evidence: What was collected, for the certificate.
        mutation: The changed verifiers.
        truth: Listed answers, and what the second oracle says.
        adversary: What the search for exploits came to.
    """

    folder: TaskFolder
    report: Report
    evidence: Evidence
    mutation: MutationRun
    truth: TruthRun
    adversary: AdversaryRun


def run_audit(
    sandbox: Sandbox,
    folder: TaskFolder,
    *,
    plan: AuditPlan | None = None,
    policy: Policy | None = None,
    counterexamples: CounterexampleStore | None = None,
    progress: Callable[[str], None] | None = None,
    search_log: Path | None = None,
) -> Audit:
    """Measure a task folder deeply.

    Args:
        sandbox: An entered sandbox.
        folder: The task.
        plan: How much to measure.
        policy: Thresholds and severities; the shipped ones.
        counterexamples: Kept counter-examples, tried first and added to.
        progress: Told in a few words what is being done.
        search_log: File that the search for exploits keeps what it tried in, so that it can go on.

    Raises:
        MachineError: the engine failed.
    """
    plan, policy = plan or AuditPlan(), policy or audit_policy()
    kept: list[Evidence] = []
    report = run_gate(
        sandbox,
        folder,
        plan=plan.gate,
        policy=policy,
        counterexamples=counterexamples,
        progress=progress,
        tier=TIER,
        keep=kept.append,
    )
    return deepen(sandbox, kept[0], report, plan, policy=policy, progress=progress, search_log=search_log)


def deepen(
    sandbox: Sandbox,
    evidence: Evidence,
    report: Report,
    plan: AuditPlan,
    *,
    policy: Policy | None = None,
    progress: Callable[[str], None] | None = None,
    search_log: Path | None = None,
) -> Audit:
    """What an audit measures beyond the gate's checks, on what those have collected.

    Args:
        sandbox: An entered sandbox.
        evidence: What the checks were judged by.
        report: Their report; the further rows are added to it.
        plan: How much.
        policy: Thresholds and severities; the shipped ones.
        progress: Told in a few words what is being done.
        search_log: As for :func:`run_audit`.

    Raises:
        MachineError: the engine failed.
    """
    policy, folder, tell = policy or audit_policy(), evidence.folder, progress or (lambda text: None)
    spent = _Clock(dict(report.seconds))
    mutation, truth = MutationRun(skipped=NOT_SOLVED), TruthRun(not_listed=NOT_SOLVED)
    adversary = AdversaryRun(skipped=NOT_SOLVED)
    if evidence.card is not None and evidence.right:
        with spent.stage("mutation"):
            mutation = run_mutation(sandbox, evidence, plan.mutation, tell)
        with spent.stage("truth"):
            truth = collect_truth(sandbox, evidence, plan.truth, tell)
        with spent.stage("adversary"):
            adversary = run_adversary(sandbox, evidence, plan.adversary, search_log, tell)
    results = (
        *report.results,
        judge_mutation(folder, mutation, policy),
        *judge_truth(evidence, truth, policy),
        judge_adversary(evidence, adversary, policy),
    )
    report = replace(report, results=results, seconds=spent.seconds)
    return Audit(folder, report, evidence, mutation, truth, adversary)


class _Clock:
    """Wall seconds of each further stage, added to those of the gate's."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self.seconds = seconds

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time one stage."""
        start = time.monotonic()
        yield
        spent = round(time.monotonic() - start, 4)
        self.seconds |= {name: spent, "all": round(self.seconds.get("all", 0.0) + spent, 4)}


def judge_mutation(folder: TaskFolder, run: MutationRun, policy: Policy) -> CheckResult:
    """The mutation check's row of a report."""
    if run.fault or run.skipped:
        return CheckResult(CHECK, Status.ERROR if run.fault else Status.SKIP, run.fault or run.skipped)
    findings = tuple(_findings(folder, run, policy))
    failed = any(finding.severity.rank >= Severity.MINOR.rank for finding in findings)
    return CheckResult(CHECK, Status.FAIL if failed else Status.PASS, findings=findings, figures=run.figures())


def _findings(folder: TaskFolder, run: MutationRun, policy: Policy) -> Iterator[Finding]:
    survivors = [mutant for mutant in run.mutants if mutant.status == SURVIVING]
    score, told = run.score, len(run.mutants) - run.count("not distinguished")
    if score is not None and score < policy.threshold("mutation_score") and told >= policy.threshold("mutation_count"):
        message = f"{len(survivors)} of {told} careless versions of the verifier pass every answer that was tried"
        yield policy.finding("mutation.score_low", message, _witness(survivors[0]), missing_tests(run)[0])
    for same in _by_answer(survivors)[:MAX_SURVIVORS]:
        mutant, edit = same[0], same[0].edit
        message = f"no answer that was tried notices “{edit.operator}” in {edit.function} ({edit.file}:{edit.line})"
        hint = f"add an example of the class “{mutant.by}”: {mutant.was} now, {mutant.became} if changed\n"
        if len(same) > 1:
            message += f" and {len(same) - 1} more that one such answer would show"
        yield policy.finding("mutation.survivor", message, _witness(mutant), hint + diff(folder, edit))


def _by_answer(survivors: list[Mutant]) -> list[list[Mutant]]:
    """Survivors that the same answer shows, together."""
    groups: dict[object, list[Mutant]] = {}
    for mutant in survivors:
        item = mutant.question
        key = (item.case.level, item.case.seed, item.response) if item else (mutant.edit.file, mutant.edit.line)
        groups.setdefault(key, []).append(mutant)
    return list(groups.values())


def _witness(mutant: Mutant) -> Witness:
    item = mutant.question
    if item is None:
        return Witness("source", file=mutant.edit.file, line=mutant.edit.line, expected="an answer that notices")
    expected = f"an answer of this class among those tried; a careless verifier gives {mutant.became}"
    return Witness("score", item.case.level, item.case.seed, item.response[:20_000], expected=expected, seen=mutant.was)


def missing_tests(run: MutationRun) -> list[str]:
    """Which classes of answers would kill the survivors, most useful first."""
    counts = Counter(mutant.by for mutant in run.mutants if mutant.status == SURVIVING)
    return [f"{name} (kills {count})" for name, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))]
