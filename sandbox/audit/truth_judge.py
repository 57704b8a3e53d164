"""Judges what independent truth brought: how many answers are right; do oracle, second oracle and verifier agree?

A better answer than the oracle's is a mistake of the oracle, not a wrong answer. Where oracle and second oracle
disagree, one of the two is wrong; which one is for a reader to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median_low
from typing import Any

from bootcamp_kit.case import Outcome
from bootcamp_kit.jsondata import Json, canonical
from bootcamp_kit.report import CheckResult, Finding, Severity, Status, Witness
from sandbox.audit.second import Key, Opinion, SecondSays
from sandbox.audit.truth import ORACLE, SECOND, Listed, TruthRun
from sandbox.checks.contract import call_witness, failed_call
from sandbox.checks.evidence import Evidence, Scored
from sandbox.checks.observed import answer_of, describe, failure_kind, score_of, shown
from sandbox.checks.policy import Policy

LISTED_CHECK, SECOND_CHECK = "truth.listed", "truth.second_oracle"
MAX_EACH = 3
EPSILON = 1e-9


def judge_truth(evidence: Evidence, run: TruthRun, policy: Policy) -> tuple[CheckResult, CheckResult]:
    """Both rows of a report."""
    if run.fault:
        return tuple(CheckResult(name, Status.ERROR, run.fault) for name in (LISTED_CHECK, SECOND_CHECK))  # type: ignore[return-value]
    return _listed(evidence, run, policy), _second(evidence, run, policy)


def _row(name: str, findings: Sequence[Finding], figures: dict[str, Json]) -> CheckResult:
    failed = any(finding.severity.rank >= Severity.MINOR.rank for finding in findings)
    return CheckResult(name, Status.FAIL if failed else Status.PASS, findings=tuple(findings), figures=figures)


def _listed(evidence: Evidence, run: TruthRun, policy: Policy) -> CheckResult:
    if not run.listed:
        return CheckResult(LISTED_CHECK, Status.SKIP, run.not_listed or "no case to list answers for")
    card = evidence.task
    counted = [(one, different(one.scored, evidence)) for one in run.listed]
    counts = sorted(len(found) for _, found in counted)
    sizes = sorted(len(one.scored) for one in run.listed)
    figures: dict[str, Json] = {
        "cases": len(counted),
        "levels": sorted({one.case.level for one in run.listed}),
        "answers_listed": sum(sizes),
        "of_one_case": [sizes[0], sizes[-1]],
        "form": run.listed[0].words,
        "right_answers": {"fewest": counts[0], "median": median_low(counts), "most": counts[-1]},
        "accepted_share": round(max(_share(one) for one in run.listed), 4),
        "declared": card.solutions,
    }
    findings = [*_several(policy, counted, card.solutions), *_failures(policy, run.listed)]
    if card.solutions == "any" and counts[0] == counts[-1] == 1 and len(counts) > 1:
        one = run.listed[0]
        message = f"the card says that several answers may be right; each of {len(counts)} listed cases has one"
        found = next(item for item in one.scored if item.value == 1.0)
        findings.append(policy.finding("truth.seems_unique", message, _witness(found, "another right answer as well")))
    return _row(LISTED_CHECK, findings, figures)


def different(scored: Sequence[Scored], evidence: Evidence) -> dict[str, Scored]:
    """Answers that score 1, one for each that is different by the rewrites the card declares."""
    found: dict[str, Scored] = {}
    for item in scored:
        if item.value == 1.0:
            found.setdefault(meant(item, evidence), item)
    return found


def meant(item: Scored, evidence: Evidence) -> str:
    """What an answer is read as, without what the card says does not matter."""
    read = answer_of(item.parsed)
    value: Any = read[1] if read and read[0] == "answer" else item.probe.response
    rewrites, tolerance = evidence.task.answer.rewrites, evidence.task.answer.tolerance
    if "order" in rewrites and isinstance(value, list):
        value = sorted(value, key=canonical)
    if "case" in rewrites:
        return canonical(value).decode().casefold()
    if tolerance and isinstance(value, int | float):
        return "a number"  # which ones are near enough is for near_miss to say
    return canonical(value).decode()


def _share(one: Listed) -> float:
    return sum(item.value == 1.0 for item in one.scored) / len(one.scored) if one.scored else 0.0


def _several(policy: Policy, counted: Sequence[tuple[Listed, dict[str, Scored]]], solutions: str) -> Iterator[Finding]:
    if solutions != "unique":
        return
    several = [(one, found) for one, found in counted if len(found) > 1]
    if not several:
        return
    one, found = several[0]
    other = next(item for item in found.values() if item.probe.response != one.case.right)
    message = (
        f"the card says that one answer is right; of {one.words}, {len(found)} different ones score 1"
        f" ({len(several)} of {len(counted)} cases have several)"
    )
    hint = "check every condition; or say solutions = 'any' and name the rewrites that keep an answer right"
    yield policy.finding("truth.not_unique", message, _witness(other, "score below 1: another answer is right"), hint)


def _failures(policy: Policy, listed: Sequence[Listed]) -> Iterator[Finding]:
    failed = [item for one in listed for item in one.scored if failure_kind(item.score)]
    for item in failed[:1]:
        witness = call_witness(item.score, item.probe.case.level, item.probe.case.seed, item.probe.response)
        yield failed_call(policy, item.score, f"score fails on {len(failed)} listed answers", witness)


def _witness(item: Scored, expected: str) -> Witness:
    case = item.probe.case
    return Witness("score", case.level, case.seed, item.probe.response, expected=expected, seen=describe(item.score))


def _second(evidence: Evidence, run: TruthRun, policy: Policy) -> CheckResult:
    says = run.second
    if says is None:
        return CheckResult(SECOND_CHECK, Status.SKIP, "the task has no second_oracle.py")
    trial = _Trial(evidence, run.second_scored, says, policy)
    findings = [*_crashes(policy, says), *trial.findings()]
    answered = {str(level): 0 for level in evidence.task.difficulty.levels}
    for level, _ in says.answers:
        answered[str(level)] += 1
    figures: dict[str, Json] = {
        "cases": len(says.answers),
        "cases_by_level": dict(answered),
        "too_large": says.too_large,
        "failed": len(says.failed),
        "opinions": len(says.opinions),
        "undecided_mutants": trial.undecided(),
    }
    return _row(SECOND_CHECK, findings, figures)


def _crashes(policy: Policy, says: SecondSays) -> Iterator[Finding]:
    for (level, seed), item in says.failed[:1]:
        witness = Witness("second", level, seed, expected="a list of responses, or None", seen=describe(item))
        yield policy.finding("truth.second_fails", f"the second oracle fails: {shown(witness.seen)}", witness)


class _Trial:
    """Responses with the verifier's verdict and the second oracle's opinion."""

    def __init__(self, evidence: Evidence, scored: Sequence[Scored], says: SecondSays, policy: Policy) -> None:
        self.evidence, self.scored, self.says, self.policy = evidence, scored, says, policy
        self.oracles = {(case.level, case.seed): case for case in evidence.right}
        self.least = self._least()

    def findings(self) -> Iterator[Finding]:
        """All disagreements."""
        yield from self._disagreeing()
        yield from self._suboptimal()
        yield from self._wrong_accepted()
        yield from self._right_rejected()

    def undecided(self) -> dict[str, Json]:
        """Accepted mutants of tasks with several right answers, as the second oracle decides them."""
        if self.evidence.task.solutions == "unique":
            return {}
        mutants = [item for item in self.evidence.asked("near_miss") if item.value == 1.0]
        said = [self._right(item) for item in mutants]
        return {"right": said.count(True), "wrong": said.count(False), "left": said.count(None)}

    def _opinion(self, item: Scored) -> Opinion:
        return self.says.opinions.get((_key(item), item.probe.response), Opinion(None, None))

    def _right(self, item: Scored) -> bool | None:
        """Its opinion: in words, or by the cost where a cheaper answer is known."""
        said = self._opinion(item)
        if said.right is not None or said.cost is None:
            return said.right
        return not _less(self.least[_key(item)], said.cost)

    def _least(self) -> dict[Key, float]:
        least: dict[Key, float] = {}
        for item in self.scored:
            said = self._opinion(item)
            if said.cost is not None and said.right is not False:
                least[_key(item)] = min(said.cost, least.get(_key(item), said.cost))
        return least

    def _disagreeing(self) -> Iterator[Finding]:
        theirs: dict[Key, list[Scored]] = {key: [] for key in self.says.answers}
        for item in self.scored:
            if item.probe.kind == SECOND:
                theirs[_key(item)].append(item)
        rejected = [item for items in theirs.values() for item in items if item.value is not None and item.value < 1.0]
        for item in rejected[:1]:
            message = f"the second oracle's answer scores below 1 on {len({_key(one) for one in rejected})}"
            message += f" of {len(theirs)} cases: it or the oracle is wrong"
            yield self.policy.finding("truth.second_disagrees", message, _witness(item, "score 1.0 (correct)"))
        none = [key for key, items in theirs.items() if not items and not self.says.answers[key]]
        for key in none[:1]:
            message = f"the second oracle finds no answer on {len(none)} of {len(theirs)} cases that the oracle solves"
            oracle = self.oracles[key]
            expected = "score below 1: the second oracle finds that there is no answer"
            seen = describe(oracle.score) if oracle.score else ""
            witness = Witness("score", *key, oracle.right, expected=expected, seen=seen)
            yield self.policy.finding("truth.second_disagrees", message, witness)
        if self.evidence.task.solutions == "unique":
            yield from self._several(theirs)

    def _several(self, theirs: dict[Key, list[Scored]]) -> Iterator[Finding]:
        mine = {_key(item): item for item in self.scored if item.probe.kind == ORACLE}
        hits = [
            (item, len(items))
            for key, items in theirs.items()
            for item in items[:8]
            if item.value == 1.0 and key in mine and meant(item, self.evidence) != meant(mine[key], self.evidence)
        ]
        for item, _ in hits[:1]:
            cases = len({_key(one) for one, _ in hits})
            message = (
                f"the card says that one answer is right; the second oracle's is another and scores 1 ({cases} cases)"
            )
            witness = _witness(item, "score below 1: the oracle's answer is another")
            yield self.policy.finding("truth.not_unique", message, witness)

    def _suboptimal(self) -> Iterator[Finding]:
        better: list[tuple[Scored, float, float]] = []
        for item in self.scored:
            if item.probe.kind != ORACLE:
                continue
            cost, key = self._opinion(item).cost, _key(item)
            if cost is not None and _less(self.least[key], cost):
                best = min((one for one in self.scored if _key(one) == key), key=self._cost)
                better.append((best, self.least[key], cost))
        for best, least, cost in better[:1]:
            message = (
                f"the oracle's answer costs {cost:g}, one of {least:g} is possible ({len(better)} cases): its fault"
            )
            witness = _witness(best, f"no answer that costs less than the oracle's {cost:g}; this one costs {least:g}")
            yield self.policy.finding("truth.oracle_suboptimal", message, witness, "mend oracle.py, and verify with it")

    def _cost(self, item: Scored) -> float:
        said = self._opinion(item)
        return said.cost if said.cost is not None and said.right is not False else float("inf")

    def _wrong_accepted(self) -> Iterator[Finding]:
        hits = [item for item in self.scored if item.value == 1.0 and self._right(item) is False]
        yield from self._by_kind("truth.accepts_wrong", "an answer that the second oracle calls wrong scores 1", hits)

    def _right_rejected(self) -> Iterator[Finding]:
        hits = [
            item for item in self.scored if _below(item) and self._right(item) is True and self._rightly_called(item)
        ]
        yield from self._by_kind(
            "truth.rejects_right", "an answer that the second oracle calls right is rejected", hits
        )

    def _rightly_called(self, item: Scored) -> bool:
        """An answer that costs the least known is called right only where the oracle's costs as much."""
        said = self._opinion(item)
        if said.right is not None or said.cost is None:
            return item.probe.kind != SECOND  # those are in _disagreeing
        key = _key(item)
        mine = [self._opinion(one).cost for one in self.scored if one.probe.kind == ORACLE and _key(one) == key]
        return item.probe.kind != SECOND and any(cost is not None and not _less(said.cost, cost) for cost in mine)

    def _by_kind(self, code: str, words: str, hits: Sequence[Scored]) -> Iterator[Finding]:
        expected = "score below 1" if code == "truth.accepts_wrong" else "score 1.0 (correct)"
        for kind in list(dict.fromkeys(item.probe.kind for item in hits))[:MAX_EACH]:
            of_kind = [item for item in hits if item.probe.kind == kind]
            message = f"{words}: {kind}, {len(of_kind)} times"
            yield self.policy.finding(code, message, _witness(of_kind[0], expected))


def _less(left: float, right: float) -> bool:
    return left < right - EPSILON * max(1.0, abs(left), abs(right))


def _below(item: Scored) -> bool:
    """A well-formed answer that earned less than 1."""
    score = score_of(item.score)
    return score is not None and score.value < 1.0 and score.outcome is not Outcome.MALFORMED


def _key(item: Scored) -> Key:
    return item.probe.case.level, item.probe.case.seed
