"""The gate: measures one task folder in the sandbox and reports what was found.

Order: static source → load → cases in two containers with different hash seeds → probes of right and wrong responses →
Hypothesis properties → judgement. A candidate that crashes, hangs or lies gives findings; what our own machinery gets
wrong gives checks with status ``error``; an engine that cannot run at all raises ``MachineError``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

from bootcamp_kit.card import Card
from bootcamp_kit.case import Case
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import canonical
from bootcamp_kit.report import CheckResult, Report, Severity, Status
from sandbox.box import Box
from sandbox.calls import Call, Observation
from sandbox.checks import probes, properties, registry
from sandbox.checks.check import Check
from sandbox.checks.evidence import CaseEvidence, Evidence, PropertyRun, Scored
from sandbox.checks.examples_file import Example, parse_examples
from sandbox.checks.floor import worth_confirming
from sandbox.checks.observed import failure_kind
from sandbox.checks.policy import Policy, default_policy
from sandbox.checks.prompt import visible_fields
from sandbox.checks.search import OutOfBudget
from sandbox.collect import (
    Asker,
    collect_cases,
    collect_other,
    collect_perturbed,
    collect_scored,
    parse_call,
)
from sandbox.counterexamples import Counterexample, CounterexampleStore, worth_keeping
from sandbox.image.libraries import PLAIN, find_profile
from sandbox.limits import JobLimits
from sandbox.plan import GatePlan, derived
from sandbox.service import Sandbox

TIER = "gate"
UNKNOWN_TASK = "unknown"
MAX_CPU_S = 3600.0


def job_limits(card: Card) -> JobLimits:
    """The limits of one call, from the card; CPU seconds are of a whole session, so the wall clock bounds a call."""
    return JobLimits(wall_s=card.limits.seconds_per_call, cpu_s=MAX_CPU_S, address_mb=card.limits.memory_mb)


def run_gate(
    sandbox: Sandbox,
    folder: TaskFolder,
    *,
    plan: GatePlan | None = None,
    policy: Policy | None = None,
    counterexamples: CounterexampleStore | None = None,
    progress: Callable[[str], None] | None = None,
    tier: str = TIER,
    keep: Callable[[Evidence], None] | None = None,
) -> Report:
    """Measure a task folder.

    Args:
        sandbox: An entered sandbox.
        folder: The task.
        plan: How much to measure; the default plan.
        policy: Thresholds and severities; the shipped policy.
        counterexamples: Kept counter-examples, tried first and added to.
        progress: Told in a few words what is being done.
        tier: The report's word for how deep this was.
        keep: Given the evidence once all of it is collected, for measurements that go on from there.

    Returns:
        The report. The same bytes, plan, policy, kept counter-examples and machine give the same hash, unless the task
        itself is nondeterministic.

    Raises:
        MachineError: the engine failed.
    """
    policy = policy or default_policy()
    gate = _Gate(sandbox, folder, plan or GatePlan(), progress or (lambda text: None))
    kept = counterexamples.load(gate.card.id) if counterexamples and gate.card else ()
    evidence = gate.collect(kept)
    if keep:
        keep(evidence)
    with gate.stage("judge"):
        needs = registry.Needs(evidence)
        results = tuple(_result(check, evidence, policy, needs) for check in registry.CHECKS)
    report = Report(
        task_id=gate.card.id if gate.card else UNKNOWN_TASK,
        content_hash=folder.content_hash,
        tier=tier,
        environment=replace(
            sandbox.environment_of(gate.card.limits.profile if gate.card else PLAIN), policy_version=policy.version
        ),
        results=results,
        seconds={**gate.spent, "all": round(time.monotonic() - gate.started, 4)},
    )
    if counterexamples and gate.card:
        counterexamples.add(gate.card.id, worth_keeping(report.findings))
    return report


def _usable(card: Card, sandbox: Sandbox) -> Card:
    """The card, when the sandbox has what it asks for.

    Raises:
        UsageError: no such library profile; more memory than a container has.
    """
    find_profile(card.limits.profile)
    most = sandbox.settings.container.memory_mb
    if card.limits.memory_mb > most:
        raise UsageError(
            "card key limits.memory_mb", f"{card.limits.memory_mb}, more than a container's {most}", "ask less"
        )
    return card


def _result(check: Check, evidence: Evidence, policy: Policy, needs: registry.Needs) -> CheckResult:
    fault = needs.machine_fault(check)
    if fault:
        return CheckResult(check.name, Status.ERROR, fault, rfc008=check.rfc008)
    missing = needs.missing(check)
    if missing:
        return CheckResult(check.name, Status.SKIP, missing, rfc008=check.rfc008)
    judged = check.judge(evidence, policy)
    if judged.skipped:
        return CheckResult(check.name, Status.SKIP, judged.skipped, rfc008=check.rfc008)
    failed = any(finding.severity.rank >= Severity.MINOR.rank for finding in judged.findings)
    return CheckResult(
        check.name,
        Status.FAIL if failed else Status.PASS,
        findings=judged.findings,
        figures=judged.figures or None,
        rfc008=check.rfc008,
    )


class _Gate:
    """One measurement: what it has collected so far, and how long each stage took."""

    def __init__(self, sandbox: Sandbox, folder: TaskFolder, plan: GatePlan, progress: Callable[[str], None]) -> None:
        self.sandbox, self.folder, self.plan, self.progress = sandbox, folder, plan, progress
        self.started = time.monotonic()
        self.spent: dict[str, float] = {}
        self.card: Card | None = None
        self.card_error = ""
        try:
            self.card = _usable(folder.card, sandbox)
        except UsageError as error:
            self.card_error = f"{error.asked}: {error.found}" + (f"; {error.do}" if error.do else "")

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Tell what is being done, and time it."""
        self.progress(name)
        start = time.monotonic()
        yield
        self.spent[name] = round(time.monotonic() - start, 4)

    def collect(self, kept: Sequence[Counterexample]) -> Evidence:
        """All evidence, as far as the task lets it be collected."""
        evidence = Evidence(self.folder, self.card, self.card_error, self.plan.hash_seeds_for(self.folder.content_hash))
        if self.card is None:
            return evidence
        with self._two_boxes(self.card) as (first_box, second_box, pool):
            budget_s = self.plan.budget_s
            first = Asker(first_box, self.card, budget_s=budget_s)
            shuffle = derived(self.folder.content_hash, "order")
            second = Asker(second_box, self.card, shuffle=shuffle, budget_s=budget_s)
            with self.stage("load"):
                loads = pool.submit(second.load)
                evidence = replace(evidence, loads=(first.load(), loads.result()))
            if any(map(failure_kind, evidence.loads)):
                return evidence
            measured = self._measure(evidence, first, second, pool, kept)
            return replace(measured, over_budget_s=budget_s) if first.exhausted or second.exhausted else measured

    @contextmanager
    def _two_boxes(self, card: Card) -> Iterator[tuple[Box, Box, ThreadPoolExecutor]]:
        """Both containers, started and removed side by side; the pool's one thread is the second one's."""
        limits, files = job_limits(card), self.folder.sources
        first, second = (
            self.sandbox.box(files, limits, hash_seed=seed)
            for seed in self.plan.hash_seeds_for(self.folder.content_hash)
        )
        with ThreadPoolExecutor(1) as pool:
            starting = pool.submit(second.__enter__)
            try:
                with self.stage("start"):
                    first.__enter__()
                    starting.result()
                yield first, second, pool
                closing = pool.submit(second.close)
                first.close()
                closing.result()
            except BaseException:
                # Also Ctrl-C: take the second container away from under its thread, which then ends with an error.
                pool.shutdown(wait=False, cancel_futures=True)
                second.close()
                first.close()
                raise

    def _measure(
        self, evidence: Evidence, first: Asker, second: Asker, pool: ThreadPoolExecutor, kept: Sequence[Counterexample]
    ) -> Evidence:
        card = evidence.task
        with self.stage("speed"):
            tried = collect_cases(first, [(level, 0) for level in card.difficulty.levels])
            self.plan = self.plan.for_cost(_slowest(tried), _largest(tried))
        keys = [
            (level, seed)
            for level in card.difficulty.levels
            for seed in self.plan.seeds(self.folder.content_hash, level)
        ]
        with self.stage("cases"):
            others = pool.submit(second.generate, keys)
            known = {(case.level, case.seed): case for case in tried}
            fresh = collect_cases(first, [key for key in keys if key not in known])
            known.update({(case.level, case.seed): case for case in fresh})
            cases = tuple(known[key] for key in keys if key in known)
            made = others.result()
        with self.stage("probes"):
            per_level = self.plan.second_container_cases
            compared = pool.submit(collect_other, second, cases, made, per_level=per_level)
            evidence = self._probe(replace(evidence, cases=cases), first, second, pool)
            evidence = replace(evidence, cases=compared.result())
        with self.stage("properties"):
            return replace(evidence, properties=self._properties(evidence, first, kept))

    def _probe(self, evidence: Evidence, first: Asker, second: Asker, pool: ThreadPoolExecutor) -> Evidence:
        """Probe responses: cheap strategies in the second container, everything else in the first."""
        card, plan, cases = evidence.task, self.plan, evidence.cases
        perturbed = collect_perturbed(first, cases, per_level=plan.perturbed_cases)
        visible = visible_fields(perturbed)
        cheap = probes.floor_probes(card, cases, visible, screen=plan.screen_cases)
        screening = pool.submit(collect_scored, second, cheap)
        asked = [
            *probes.near_miss_probes(card, cases, per_level=plan.near_miss_cases, each=plan.wrong_values),
            *probes.relabel_probes(card, cases, plan.seeds_for_renaming(evidence.folder.content_hash)),
            *probes.still_right_probes(card, cases, per_level=plan.still_right_cases),
            *probes.example_probes(card, self._examples(card), self._case_maker(first, cases)),
        ]
        garbage = probes.garbage_probes(
            cases, per_level=plan.garbage_cases, huge_cases=plan.huge_garbage_cases, huge=plan.huge
        )
        scored = collect_scored(first, asked) + collect_scored(first, garbage)
        screened = screening.result()
        leading = worth_confirming(screened)
        if leading:
            again = probes.floor_probes(card, cases, visible, screen=plan.screen_cases, only=leading)
            scored += collect_scored(first, again)
        example = first.box.batch([parse_call(card.answer.example)])[0]
        return replace(evidence, probes=_by_family(scored + screened), perturbed=perturbed, example=example)

    def _examples(self, card: Card) -> tuple[Example, ...]:
        try:
            return parse_examples(self.folder.files["examples.toml"], card.difficulty.levels)
        except UsageError:
            return ()  # contract.card reports it

    def _case_maker(self, first: Asker, cases: Sequence[CaseEvidence]) -> Callable[[int, int], Case | None]:
        known = {(item.level, item.seed): item.case for item in cases}

        def make(level: int, seed: int) -> Case | None:
            if (level, seed) not in known:
                made = first.generate([(level, seed)]).get((level, seed))
                known[level, seed] = first.case(level, seed, made.value) if made and made.ok else None
            return known[level, seed]

        return make

    def _properties(self, evidence: Evidence, asker: Asker, kept: Sequence[Counterexample]) -> tuple[PropertyRun, ...]:
        right = [(case.case, case.right) for case in evidence.right if case.case is not None and case.right is not None]
        chosen = {case.level: (case, response) for case, response in reversed(right)}
        examples = {
            "solvable": self.plan.property_examples,
            "total": self.plan.response_examples,
            "stable": self.plan.stable_examples,
        }
        with asker.box.session() as session:

            def ask(calls: Sequence[Call]) -> list[Observation]:
                if asker.exhausted:
                    raise OutOfBudget
                seen = session.batch(calls)
                for item in seen:
                    asker.spend(item)
                return seen

            def seed_of(number: int) -> int:
                return derived(self.folder.content_hash, self.plan.salt, "search", number)

            asked = properties.Properties(ask, evidence.task, [chosen[level] for level in sorted(chosen)], seed_of)
            again = [(item.property, item.level, item.seed, item.response) for item in kept]
            return properties.run(asked, again, examples=examples, after=self.plan.calls_after_failure)


def _slowest(cases: Sequence[CaseEvidence]) -> float:
    """CPU seconds of the slowest case's whole chain; the wall clock would make the plan depend on the neighbours."""
    return max((sum(item.cpu_s for item in case.observations()) for case in cases), default=0.0)


def _largest(cases: Sequence[CaseEvidence]) -> int:
    """Bytes of the largest payload."""
    return max((len(canonical(case.case.payload)) for case in cases if case.case), default=0)


def _by_family(scored: Sequence[Scored]) -> dict[str, tuple[Scored, ...]]:
    found: dict[str, list[Scored]] = {}
    for item in scored:
        found.setdefault(item.probe.family, []).append(item)
    return {family: tuple(items) for family, items in found.items()}
