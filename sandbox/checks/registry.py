"""The table of all checks, in the order of the report, and when each has to be left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sandbox.calls import Observation
from sandbox.checks import (
    contract,
    determinism,
    examples,
    floor,
    generator,
    near_miss,
    oracle,
    prompt,
    properties,
    relabel,
    static,
    still_right,
)
from sandbox.checks.check import Check
from sandbox.checks.evidence import Evidence, Scored, infrastructure
from sandbox.checks.observed import failure_kind

CHECKS: tuple[Check, ...] = (
    *static.CHECKS,
    *contract.CHECKS,
    *relabel.CHECKS,
    *determinism.CHECKS,
    *oracle.CHECKS,
    *prompt.CHECKS,
    *floor.CHECKS,
    *near_miss.CHECKS,
    *still_right.CHECKS,
    *examples.CHECKS,
    *properties.CHECKS,
    *generator.CHECKS,
)


class Needs:
    """What checks need of one task's evidence; each need is looked at once."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._reasons: dict[str, str] = {}
        self._is_ours = bool(infrastructure(_all_read(evidence))) or any(
            run.infrastructure for run in evidence.properties
        )

    def machine_fault(self, check: Check) -> str:
        """What our own machinery got wrong in what a check reads, or ""."""
        return machine_fault(check, self._evidence) if self._is_ours else ""

    def missing(self, check: Check) -> str:
        """Why a check has nothing to judge, or ""."""
        for need in check.needs:
            if need not in self._reasons:
                self._reasons[need] = _reason(need, self._evidence)
            if self._reasons[need]:
                return self._reasons[need]
        return ""


def _reason(need: str, evidence: Evidence) -> str:
    if need == "card":
        return "" if evidence.card else "the card cannot be read"
    if need == "load":
        return "the task does not load" if any(map(failure_kind, evidence.loads)) else ""
    if need == "cases":
        return "" if any(case.case for case in evidence.cases) else "no case was generated"
    if need == "deterministic":
        return determinism.nondeterministic(evidence)
    if need == "right":
        return "" if evidence.right else "no response of the oracle scores 1"
    raise ValueError(f"no such need: {need}")


def machine_fault(check: Check, evidence: Evidence) -> str:
    """What our own machinery got wrong in what this check reads, or ""."""
    return infrastructure(_read_by(check, evidence)) or _search_fault(check, evidence)


def _all_read(evidence: Evidence) -> Iterator[Observation]:
    yield from evidence.loads
    for case in evidence.cases:
        yield from case.observations()
    for family in evidence.probes.values():
        yield from _of_probes(family)
    for changed in evidence.perturbed:
        yield from (changed.prompt, changed.solved, changed.score)
    if evidence.example:
        yield evidence.example


def _of_probes(scored: Iterable[Scored]) -> Iterator[Observation]:
    for item in scored:
        yield item.score
        if item.parsed:
            yield item.parsed


def _read_by(check: Check, evidence: Evidence) -> Iterator[Observation]:
    if "load" in check.needs:
        yield from evidence.loads
        for case in evidence.cases:
            yield from case.observations()
    for family in check.probes:
        yield from _of_probes(evidence.asked(family))
    if check.family == "prompt":
        for changed in evidence.perturbed:
            yield from (changed.prompt, changed.solved, changed.score)
    if check.name == "examples.card_example" and evidence.example:
        yield evidence.example


def _search_fault(check: Check, evidence: Evidence) -> str:
    if check.family != "properties":
        return ""
    faults = [run.infrastructure for run in evidence.properties if f"properties.{run.name}" == check.name]
    return faults[0] if faults else ""
