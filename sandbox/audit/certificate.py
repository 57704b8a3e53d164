"""The certificate: what an audit measured, by task, level and class, as JSON of one schema.

Rates are never pooled over classes: each class has its own hits, n and exact one-sided 95 % bound, and the worst one is
named. Classes of one task are not independent of each other, and neither are the mutants of one answer: n counts
trials, not independent evidence. Timings and the machine stand apart, under ``run``; everything else is the same bytes
when the same audit is run twice.
"""

from __future__ import annotations

import statistics as stdlib_statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from bootcamp_kit.jsondata import Json, canonical, digest
from bootcamp_kit.report import to_json
from sandbox.audit.audit import Audit, missing_tests
from sandbox.audit.mutation import SURVIVING, diff
from sandbox.audit.statistics import CONFIDENCE, DIGITS, capacity, rate, spread, sprt, worst
from sandbox.checks.evidence import CaseEvidence, Evidence, Scored
from sandbox.checks.floor import Earned, declared_floor, measured
from sandbox.checks.near_miss import EQUAL, FAILED, TEXT_GROUPS, UNDECIDED, VALUE_GROUPS, decided
from sandbox.checks.structure import delimited

SCHEMA = 2
OPPONENTS = ("adversary.model", "prompt.blind_solver")
"""Rows of models that were asked; there are none where none was."""
_FLOOR_PREFIXES = ("constant", "options", "example", "echo", "seen", "cross")
Classes = dict[str, dict[str, Json]]


def certificate(audit: Audit, name: str = "") -> dict[str, Any]:
    """The whole certificate as plain JSON data.

    Args:
        audit: What was measured.
        name: The words that name the task on the command line.
    """
    evidence, report = audit.evidence, audit.report
    body: dict[str, Any] = {
        "schema": SCHEMA,
        "kind": "bootcamp-certificate",
        "task": {"name": name, "id": report.task_id, "content_hash": report.content_hash, "tier": report.tier},
        "verdict": report.verdict.value,
        "confidence": CONFIDENCE,
        "policy_version": report.environment.policy_version,
        "image": report.environment.image_digest,
        "findings": [{"id": finding.id, **to_json(finding)} for finding in report.findings],
        "not_measured": [
            {"check": result.check, "status": result.status.value, "reason": result.reason}
            for result in report.results
            if result.reason
        ],
        "mutation": _mutation(audit),
        "truth": {name: _row(audit, f"truth.{name}") for name in ("listed", "second_oracle")},
        "adversary": _row(audit, "adversary.search"),
        "opponents": {name: _row(audit, name) for name in OPPONENTS if name in {row.check for row in report.results}},
    }
    if evidence.card is not None:
        body["task"]["version"] = evidence.card.version
        body["all_levels"] = _measured(evidence, evidence.cases, lambda item: True)
        body["levels"] = {str(level): _level(evidence, level) for level in evidence.card.difficulty.levels}
        body["determinism"] = _determinism(evidence)
    return {**body, "hash": digest(canonical(body)), "run": _run(audit)}


def _row(audit: Audit, check: str) -> dict[str, Any]:
    """The figures of one check, or why it has none."""
    result = next(item for item in audit.report.results if item.check == check)
    return {"status": result.status.value, "skipped": result.reason, **(result.figures or {})}


def _run(audit: Audit) -> dict[str, Any]:
    """What differs from run to run."""
    environment = audit.report.environment
    solved: dict[int, list[float]] = defaultdict(list)
    for case in audit.evidence.cases:
        if case.solved is not None:
            solved[case.level].append(case.solved.cpu_s)
    return {
        "seconds": dict(audit.report.seconds),
        "engine": environment.engine,
        "python": environment.python,
        "weak": list(environment.weak),
        "oracle_cpu_s": {str(level): round(stdlib_statistics.median(times), 6) for level, times in solved.items()},
    }


def _level(evidence: Evidence, level: int) -> dict[str, Any]:
    cases = [case for case in evidence.cases if case.level == level]
    found = _measured(evidence, cases, lambda item: item.probe.case.level == level)
    found["difficulty"] = {
        "prompt_characters": _mean(len(case.prompt_text) for case in cases if case.prompt_text is not None),
        "payload_bytes": _mean(len(canonical(case.case.payload)) for case in cases if case.case is not None),
        "answer_characters": _mean(len(_content(case)) for case in cases if case.right is not None),
        "params": dict(evidence.task.difficulty.params(level)),
    }
    return found


def _mean(numbers: Iterable[int]) -> float | None:
    found = list(numbers)
    return round(sum(found) / len(found), 2) if found else None


def _content(case: CaseEvidence) -> str:
    cut = delimited(case.right or "")
    return cut.content.strip() if cut else (case.right or "")


def _measured(evidence: Evidence, cases: Sequence[CaseEvidence], of: Callable[[Scored], bool]) -> dict[str, Any]:
    accepted, undecided = _false_accepts(evidence, of)
    rejected = _false_rejects(evidence, cases, of)
    worst_accept, worst_reject = worst(accepted), worst(rejected)
    garbage = _garbage(evidence, of)
    solved = [case for case in cases if case.solved is not None]
    return {
        "cases": len(cases),
        "oracle": rate(len(solved) - sum(case.right is not None for case in solved), len(solved)),
        "false_accept": {"by_class": accepted, "worst": worst_accept, "undecided": undecided},
        "garbage": {"by_class": garbage, "worst": worst(garbage)},
        "false_reject": {"by_class": rejected, "worst": worst_reject},
        "rates": _rates(worst_accept, worst_reject),
        "floor": _floor(evidence, of),
        "distinct": capacity(case.case.key for case in cases if case.case is not None),
        "answers": spread(_content(case) for case in cases if case.right is not None),
    }


def _false_accepts(evidence: Evidence, of: Callable[[Scored], bool]) -> tuple[Classes, dict[str, Json]]:
    """By class of wrong answer; mutants that may be right are counted apart."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    undecided: dict[str, int] = defaultdict(int)
    for entry in decided(evidence, VALUE_GROUPS + TEXT_GROUPS) if evidence.right else ():
        if not of(entry.item) or entry.verdict in (EQUAL, FAILED):
            continue
        name = f"{entry.item.probe.group}: {entry.item.probe.kind}"
        if entry.verdict == UNDECIDED:
            undecided[name] += 1
            continue
        counts[name][0] += entry.verdict.startswith("near_miss.")
        counts[name][1] += 1
    return {name: rate(*pair) for name, pair in sorted(counts.items())}, dict(sorted(undecided.items()))


def _garbage(evidence: Evidence, of: Callable[[Scored], bool]) -> Classes:
    """By kind of odd response; those that spell the right number are no fault."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    rights = {(case.level, case.seed): case for case in evidence.right}
    for item in evidence.asked("garbage"):
        case = rights.get((item.probe.case.level, item.probe.case.seed))
        lucky = case is not None and _same_number(_content(case), item.probe.response)
        if of(item) and item.value is not None and not lucky:
            counts[item.probe.kind][0] += item.value >= 1.0
            counts[item.probe.kind][1] += 1
    return {name: rate(*pair) for name, pair in sorted(counts.items())}


def _same_number(content: str, response: str) -> bool:
    cut = delimited(response)
    try:
        return cut is not None and float(cut.content[:400]) == float(content[:400])
    except ValueError:
        return False


def _false_rejects(evidence: Evidence, cases: Sequence[CaseEvidence], of: Callable[[Scored], bool]) -> Classes:
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for case in cases:
        if case.solved is not None:
            counts["as the oracle writes it"][0] += case.right is None
            counts["as the oracle writes it"][1] += 1
    for item in evidence.asked("still_right"):
        if of(item):
            counts[item.probe.kind][0] += item.value != 1.0
            counts[item.probe.kind][1] += 1
    return {name: rate(*pair) for name, pair in sorted(counts.items())}


def _rates(accept: Mapping[str, Any] | None, reject: Mapping[str, Any] | None) -> dict[str, Json]:
    """TPR, TNR and J of the worst classes; the bounds hold for each class alone."""
    if not accept or not reject or not accept["n"] or not reject["n"]:
        return {}
    tpr, tnr = 1 - reject["hits"] / reject["n"], 1 - accept["hits"] / accept["n"]
    return {
        "tpr": round(tpr, DIGITS),
        "tpr_above": round(1 - reject["below"], DIGITS),
        "tpr_n": reject["n"],
        "tnr": round(tnr, DIGITS),
        "tnr_above": round(1 - accept["below"], DIGITS),
        "tnr_n": accept["n"],
        "j": round(tpr + tnr - 1, DIGITS),
        "sprt_false_accept": sprt(accept["hits"], accept["n"]),
        "sprt_false_reject": sprt(reject["hits"], reject["n"]),
    }


def _floor(evidence: Evidence, of: Callable[[Scored], bool]) -> dict[str, Json]:
    best: list[dict[str, Json]] = []
    for earned in measured(evidence, _FLOOR_PREFIXES):
        here = Earned(earned.strategy, tuple(item for item in earned.scored if of(item)))
        if here.n:
            best.append(
                {
                    "strategy": here.strategy[:120],
                    "mean": round(here.mean, DIGITS),
                    "above": round(here.bound(), DIGITS),
                    "n": here.n,
                }
            )
    best.sort(key=lambda item: (-float(str(item["mean"])), str(item["strategy"])))
    return {"declared": declared_floor(evidence), "strategies": len(best), "best": list(best[:5])}


def _determinism(evidence: Evidence) -> dict[str, Json]:
    """Cases compared between two containers with different hash seeds; the findings say what differed."""
    compared = [case for case in evidence.cases if case.generated_other is not None]
    whole = [case for case in compared if case.score_other is not None]
    differing = sum(
        case.generated.ok != (other := case.generated_other).ok  # type: ignore[union-attr]
        or (case.generated.ok and canonical(case.generated.value) != canonical(other.value))  # type: ignore[union-attr]
        for case in compared
    )
    return {
        "containers": 2,
        "hash_seeds": list(evidence.hash_seeds),
        "payloads": rate(differing, len(compared)),
        "compared_in_full": len(whole),
    }


def _mutation(audit: Audit) -> dict[str, Any]:
    run = audit.mutation
    if run.fault or run.skipped:
        return {"skipped": run.fault or run.skipped}
    survivors = [mutant for mutant in run.mutants if mutant.status == SURVIVING]
    return {
        **run.figures(),
        "missing_tests": missing_tests(run),
        "survivors": [
            {
                "operator": mutant.edit.operator,
                "place": f"{mutant.edit.file}:{mutant.edit.line}",
                "function": mutant.edit.function,
                "diff": diff(audit.folder, mutant.edit),
                "killed_by": mutant.by,
                "response": mutant.question.response[:2_000] if mutant.question else None,
                "level": mutant.question.case.level if mutant.question else None,
                "seed": mutant.question.case.seed if mutant.question else None,
                "was": mutant.was,
                "became": mutant.became,
            }
            for mutant in survivors
        ],
    }
