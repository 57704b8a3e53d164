"""Near misses: typed mutants of right answers must score below 1, unless they are right too.

Where the card says the answer is unique, an accepted mutant of another value is wrong. Where several answers may be
right, an accepted mutant is *undecided*: counted, shown, and left to the reviewer or a second opinion.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from bootcamp_kit.report import Finding, Witness
from sandbox.calls import Observation
from sandbox.checks.bounds import upper_bound
from sandbox.checks.check import Check, Judgement
from sandbox.checks.contract import call_witness, failed_call
from sandbox.checks.evidence import Evidence, Scored
from sandbox.checks.observed import describe, failure_kind, same_answer
from sandbox.checks.policy import Policy

MAX_PER_CODE = 3
REJECTED, EQUAL, UNDECIDED, FAILED = "rejected", "equal", "undecided", "failed"
VALUE_GROUPS = ("value", "form", "tolerance", "loose")
TEXT_GROUPS = ("text", "last", "undelimited")
_LOOSE_SHAPES = ("word", "text")


@dataclass(frozen=True, slots=True)
class Decided:
    """A mutant and what it is: rejected, equal, undecided, failed, or the code of a finding."""

    item: Scored
    verdict: str


def decide(item: Scored, right: Observation | None, unique: bool) -> str:
    """What an answered mutant is.

    Args:
        item: The mutant with its score and its parsed answer.
        right: What the right response was parsed to.
        unique: Whether the card says there is one right answer.
    """
    if failure_kind(item.score):
        return FAILED
    if item.value is None or item.value < 1.0:
        return REJECTED
    same = same_answer(item.parsed, right)
    group = item.probe.group
    if group == "undelimited":
        return "near_miss.undelimited"
    if group == "last" and same:
        return "near_miss.first_match"
    if group == "text" and (same or unique):
        return "near_miss.hedge"
    if group == "form" and same:
        return EQUAL
    if group == "value" and same:
        return "near_miss.text_collapses" if item.probe.variant in _LOOSE_SHAPES else "near_miss.parse_collapses"
    if group == "loose":
        return "near_miss.loose"
    if not unique:
        return UNDECIDED
    return "near_miss.tolerance" if group == "tolerance" else "near_miss.accepted"


def decided(evidence: Evidence, groups: tuple[str, ...]) -> list[Decided]:
    """All mutants of the groups with their verdicts."""
    unique = evidence.task.solutions == "unique"
    rights = {(case.level, case.seed): case.parsed for case in evidence.right}
    return [
        Decided(item, decide(item, rights.get((item.probe.case.level, item.probe.case.seed)), unique))
        for item in evidence.asked("near_miss")
        if item.probe.group in groups
    ]


_MESSAGES = {
    "near_miss.accepted": "a wrong answer scores 1",
    "near_miss.parse_collapses": "another answer is read as the right one and scores 1",
    "near_miss.text_collapses": "another text is read as the right one and scores 1",
    "near_miss.tolerance": "an answer outside the declared tolerance scores 1",
    "near_miss.loose": "the number in another dress scores 1",
    "near_miss.hedge": "an answer that hedges or denies scores 1",
    "near_miss.first_match": "an earlier answer counts although another one is given last",
    "near_miss.undelimited": "an answer outside the delimiters scores 1",
}
_HINTS = {
    "near_miss.accepted": "check the value, its range and length, and every condition; or, if it is right too,"
    " say so in the card: solutions = 'any'",
    "near_miss.parse_collapses": "parse strictly: bootcamp_kit.answers",
    "near_miss.first_match": "use bootcamp_kit.answers.last_answer",
    "near_miss.undelimited": "use bootcamp_kit.answers.last_answer",
    "near_miss.tolerance": "compare with the declared absolute tolerance, relative to the right value",
}
_HINT_OF_ORDER = (
    "check order, duplicates and every condition; or, if any order is right, say so in the card: rewrites = ['order'],"
    " or solutions = 'any'"
)


def _hint(code: str, item: Scored) -> str:
    if code == "near_miss.accepted" and item.probe.group == "form":
        return _HINT_OF_ORDER
    return _HINTS.get(code, "")


def _witness(item: Scored) -> Witness:
    case = item.probe.case
    return Witness(
        "score", case.level, case.seed, item.probe.response, expected="score below 1", seen=describe(item.score)
    )


def _findings(policy: Policy, all_decided: list[Decided]) -> Iterator[Finding]:
    totals = Counter(entry.item.probe.kind for entry in all_decided)
    for code, message in _MESSAGES.items():
        hits = [entry for entry in all_decided if entry.verdict == code]
        counts = Counter(entry.item.probe.kind for entry in hits)
        for kind, count in counts.most_common(MAX_PER_CODE):
            first = next(entry.item for entry in hits if entry.item.probe.kind == kind)
            text = f"{message}: mutant {kind}, {count} of {totals[kind]}"
            if len(counts) > MAX_PER_CODE:
                text += f" ({len(counts)} kinds in all)"
            yield policy.finding(code, text, _witness(first), _hint(code, first))


def _crashes(policy: Policy, all_decided: list[Decided]) -> Iterator[Finding]:
    seen: set[str] = set()
    for entry in all_decided:
        if entry.verdict == FAILED and len(seen) < MAX_PER_CODE:
            case, observation = entry.item.probe.case, entry.item.score
            witness = call_witness(observation, case.level, case.seed, entry.item.probe.response)
            if witness.seen not in seen:
                seen.add(witness.seen)
                yield failed_call(policy, observation, f"score fails on mutant {entry.item.probe.kind}", witness)


def _undecided(policy: Policy, all_decided: list[Decided]) -> Iterator[Finding]:
    hits = [entry.item for entry in all_decided if entry.verdict == UNDECIDED]
    counts = Counter(item.probe.kind for item in hits)
    for kind, count in counts.most_common(MAX_PER_CODE):
        first = next(item for item in hits if item.probe.kind == kind)
        yield policy.finding(
            "near_miss.undecided",
            f"mutant {kind} scores 1, {count} times; several answers may be right",
            _witness(first),
        )


def _judge(evidence: Evidence, policy: Policy, groups: tuple[str, ...]) -> Judgement:
    entries = decided(evidence, groups)
    if not entries:
        return Judgement(skipped="no mutants: no right response with delimiters to change")
    accepted = Counter(entry.item.probe.kind for entry in entries if entry.verdict.startswith("near_miss."))
    totals = Counter(entry.item.probe.kind for entry in entries)
    worst = max(totals, key=lambda kind: (accepted[kind] / totals[kind], kind))
    figures = {
        "accepted": sum(accepted.values()),
        "undecided": sum(entry.verdict == UNDECIDED for entry in entries),
        "equal": sum(entry.verdict == EQUAL for entry in entries),
        "n": len(entries),
        "classes": len(totals),
        "worst_class": worst,
        "worst_class_accepted": accepted[worst],
        "worst_class_n": totals[worst],
        "worst_class_false_accept_below": round(upper_bound(accepted[worst], totals[worst]), 4),
        "confidence": 0.95,
    }
    findings = (*_findings(policy, entries), *_crashes(policy, entries), *_undecided(policy, entries))
    return Judgement(findings, figures)


def judge_answers(evidence: Evidence, policy: Policy) -> Judgement:
    """Other values, orders, lengths, cells."""
    return _judge(evidence, policy, VALUE_GROUPS)


def judge_reading(evidence: Evidence, policy: Policy) -> Judgement:
    """Hedged, negated, repeated and undelimited answers."""
    return _judge(evidence, policy, TEXT_GROUPS)


_NEEDS = ("card", "load", "cases", "deterministic", "right")
CHECKS = (
    Check(
        "near_miss.answers",
        judge_answers,
        shows="typed mutants of right answers (value, sign, order, length, cell, tolerance) are rejected",
        cannot="wrong answers far from a right one; where several answers are right, accepted mutants stay undecided",
        needs=_NEEDS,
        probes=("near_miss",),
        rfc008="semantic.floor_gap",
    ),
    Check(
        "near_miss.reading",
        judge_reading,
        shows="only the last delimited answer counts; hedges, denials and bare answers do not",
        cannot="every way to hedge",
        needs=_NEEDS,
        probes=("near_miss",),
        rfc008="semantic.canary_floor",
    ),
)
