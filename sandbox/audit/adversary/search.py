"""Looks for exploits without a model: one response that earns on many cases, and wrong answers that score 1.

Both hunts draw from a grammar of answers; the first climbs on the mean score, the second on the score of one case.
Everything asked is logged; every success is tried again, in processes of its own, before anything is said about it.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bootcamp_kit.case import Case
from bootcamp_kit.jsondata import digest
from sandbox.audit.adversary.grammar import MAX_CONTENT, Grammar
from sandbox.audit.adversary.log import Asked, Outcome, SearchLog
from sandbox.audit.adversary.wrong import is_another_answer
from sandbox.audit.many import ManyScores
from sandbox.calls import JobOutcome, Observation
from sandbox.checks.cheap import wrapped
from sandbox.checks.evidence import CaseEvidence, Evidence, Probe, Scored
from sandbox.checks.floor import Earned
from sandbox.checks.observed import failure_kind, score_of
from sandbox.checks.probes import first_of_each_level
from sandbox.checks.structure import delimited
from sandbox.collect import Asker, collect_scored, parse_call, score_call
from sandbox.plan import derived

GENERATION, KEPT, CLIMBED = 48, 10, 6
SCREENED, MOST_LIMITS, WALL = 2, 3, 10
SLOW_S, VERY_SLOW_S = 0.002, 0.02


@dataclass(frozen=True, slots=True)
class AdversaryPlan:
    """How much is tried. The same numbers search the same way; a search cut by its seconds may end elsewhere.

    Attributes:
        calls: Scores asked for in all; a fifth of it for verifiers slower than 2 ms, a 25th above 20 ms.
        seconds: CPU seconds of the verifier at most; ten times that on the clock.
        constant_cases: Cases, spread over the levels, that one response for all is tried on.
        hunted_cases: Cases that wrong answers are looked for on.
        confirmed: Responses measured again on fresh cases.
        fresh_cases: Of each level, for that.
        salt: Another one searches another way.
    """

    calls: int = 6_000
    seconds: float = 30.0
    constant_cases: int = 6
    hunted_cases: int = 4
    confirmed: int = 3
    fresh_cases: int = 30
    salt: str = ""

    def for_cost(self, seconds: float) -> int:
        """Calls for a verifier that takes this long for one answer."""
        return self.calls // (1 if seconds < SLOW_S else 5 if seconds < VERY_SLOW_S else 25)


@dataclass(frozen=True, slots=True)
class Found:
    """What the search came to.

    Attributes:
        calls: Scores it looked at; some may have come from the log.
        responses: Different responses among them.
        constants: The best responses for all cases, measured again on fresh cases, best first.
        wrong: Wrong answers that score 1, seen twice.
        failed: Responses that the verifier failed on, seen twice.
        unconfirmed: Successes that did not come again.
        cut: It ran out of seconds.
    """

    calls: int = 0
    responses: int = 0
    constants: tuple[Earned, ...] = ()
    wrong: tuple[Scored, ...] = ()
    failed: tuple[Scored, ...] = ()
    unconfirmed: int = 0
    cut: bool = False


def plan_key(evidence: Evidence, plan: AdversaryPlan, image: str) -> str:
    """What a log of this search is about."""
    return digest(f"{evidence.folder.content_hash} {plan.salt} {image}".encode())[:32]


class Hunt:
    """One search on one task."""

    def __init__(
        self, many: ManyScores, asker: Asker, evidence: Evidence, plan: AdversaryPlan, log: SearchLog, seconds: float
    ) -> None:
        self.many, self.asker, self.evidence, self.plan, self.log = many, asker, evidence, plan, log
        self.rng = random.Random(derived(evidence.folder.content_hash, "adversary", plan.salt))
        contents = [cut.content for case in evidence.right if case.right and (cut := delimited(case.right))]
        self.grammar = Grammar.learn(contents, evidence.task.answer.choices)
        self.left = plan.for_cost(seconds)
        self.hunter = Asker(asker.box, asker.card, budget_s=plan.seconds)
        self.deadline = time.monotonic() + WALL * plan.seconds
        self.calls, self.responses = 0, set[str]()
        self.failed: dict[Asked, Case] = {}
        self.limits = 0

    def run(self, progress: Callable[[str], None]) -> Found:
        """Both hunts, and everything found tried again."""
        cases = [case for case in self.evidence.right if case.case is not None]
        whole = self.left
        progress("one response for all cases")
        chosen = spread(first_of_each_level(cases, self.plan.constant_cases), self.plan.constant_cases)
        leading = self._constants(chosen, whole - whole * 2 // 5)
        progress("wrong answers that score 1")
        accepted = self._wrong(spread(first_of_each_level(cases, 1), self.plan.hunted_cases))
        cut = self._over()
        progress("trying again what was found")
        constants = self._measured(leading, chosen)
        wrong = [again for item in accepted if (again := self._again(*item)) is not None]
        failed = [again for key, case in list(self.failed.items())[:3] if (again := self._failing(case, key[2]))]
        missing = len(accepted) - len(wrong) + min(3, len(self.failed)) - len(failed)
        return Found(self.calls, len(self.responses), tuple(constants), tuple(wrong), tuple(failed), missing, cut)

    def _over(self) -> bool:
        spent = self.many.cpu_s > self.plan.seconds or self.hunter.exhausted
        return spent or time.monotonic() > self.deadline

    def _ask(self, pairs: Sequence[tuple[Case, str]]) -> list[float]:
        """Values of responses, 0 where the verifier failed; from the log where they are there."""
        keys: list[Asked] = [(case.level, case.seed, response) for case, response in pairs]
        new = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in self.log.known}
        scores = dict(zip(new, self.many.ask(list(new.values())), strict=True))
        told = {key: Outcome(score.value) for key, score in scores.items() if score is not None}
        seen = self.hunter.ask({key: score_call(*pair) for key, pair in new.items() if key not in told})
        told |= {key: _outcome(item) for key, item in seen.items() if item.outcome is not JobOutcome.INFRASTRUCTURE}
        self.log.add(told)
        self.left -= len(pairs)
        self.calls += len(pairs)
        self.responses |= {key[2] for key in keys}
        outcomes = [self.log.known.get(key, Outcome(None)) for key in keys]
        for key, outcome, (case, _) in zip(keys, outcomes, pairs, strict=True):
            if outcome.failed:
                self.failed.setdefault(key, case)
                self.limits += outcome.failed == "limit"
        if self.limits >= MOST_LIMITS:
            self.left = 0
        return [outcome.value or 0.0 for outcome in outcomes]

    def _constants(self, cases: Sequence[CaseEvidence], budget: int) -> list[str]:
        """Responses that earn on many cases, best first."""
        asked = [case.case for case in cases if case.case is not None]
        best: dict[str, float] = {}
        until = self.left - budget
        first = iter(dict.fromkeys(self.grammar.systematic()))
        while self.left > until and not self._over():
            made = self._generation(first, best, None)
            screened = asked[: min(SCREENED, len(asked))]
            values = self._ask([(case, wrapped(text)) for text in made for case in screened])
            means = [sum(values[n * len(screened) : (n + 1) * len(screened)]) for n in range(len(made))]
            promising = [text for text, total in zip(made, means, strict=True) if total > 0]
            rest = asked[len(screened) :]
            more = self._ask([(case, wrapped(text)) for text in promising for case in rest])
            for n, text in enumerate(promising):
                total = means[made.index(text)] + sum(more[n * len(rest) : (n + 1) * len(rest)])
                best[text] = total / len(asked)
            best = dict(_top(best))
        return [text for text, _ in _top(best)]

    def _generation(self, first: Iterator[str], best: dict[str, float], case: Case | None) -> list[str]:
        """The systematic ones first; then changes of the best, and fresh ones."""
        made = [text for _, text in zip(range(GENERATION), first, strict=False)]
        parents = list(best)
        while len(made) < GENERATION:
            if parents and self.rng.random() < 0.6:
                made.append(self.grammar.changed(self.rng, self.rng.choice(parents[:CLIMBED]), case))
            else:
                made.append(self.grammar.fresh(self.rng, case))
        return list(dict.fromkeys(text[:MAX_CONTENT] for text in made))

    def _wrong(self, cases: Sequence[CaseEvidence]) -> list[tuple[CaseEvidence, str]]:
        """Answers that score 1 and are not the right one; two of each case at most."""
        found: list[tuple[CaseEvidence, str]] = []
        for place, case in enumerate(cases):
            until, mine = self.left - self.left // (len(cases) - place), 0
            best: dict[str, float] = {}
            first = iter(dict.fromkeys(self.grammar.systematic()))
            while case.case is not None and self.left > until and mine < 2 and not self._over():
                made = self._generation(first, best, case.case)
                values = self._ask([(case.case, wrapped(text)) for text in made])
                for text, value in zip(made, values, strict=True):
                    if value < 1.0:
                        best[text] = value
                    elif mine < 2 and is_another_answer(wrapped(text), case, self.evidence.task):
                        mine += 1
                        found.append((case, wrapped(text)))
                best = {text: value for text, value in _top(best) if value > 0}
        return found

    def _measured(self, leading: Sequence[str], used: Sequence[CaseEvidence]) -> list[Earned]:
        """The leading responses on cases that they were not picked on."""
        keys = {(case.level, case.seed) for case in used}
        fresh = [case for case in self.evidence.right if (case.level, case.seed) not in keys]
        cases = [case.case for case in first_of_each_level(fresh, self.plan.fresh_cases) if case.case is not None]
        found = []
        for text in leading[: self.plan.confirmed] if cases else ():
            probes = [Probe("adversary", text[:120], case, wrapped(text)) for case in cases]
            found.append(Earned(text[:120], collect_scored(self.asker, probes)))
        return sorted(found, key=lambda item: (-item.mean, item.strategy))

    def _again(self, case: CaseEvidence, response: str) -> Scored | None:
        """A wrong answer scored and parsed in new processes; None where it does not come out as before."""
        if case.case is None:
            return None
        box = self.asker.box
        scored, parsed = box.fresh(score_call(case.case, response)), box.fresh(parse_call(response))
        item = Scored(Probe("adversary", "search", case.case, response), scored, parsed)
        another = is_another_answer(response, case, self.evidence.task, parsed)
        return item if item.value == 1.0 and another else None

    def _failing(self, case: Case, response: str) -> Scored | None:
        seen = self.asker.box.fresh(score_call(case, response))
        return Scored(Probe("adversary", "search", case, response), seen) if failure_kind(seen) else None


def spread(cases: Sequence[CaseEvidence], wanted: int) -> list[CaseEvidence]:
    """Some of them, spread over the levels, lowest first."""
    if len(cases) <= wanted:
        return list(cases)
    return [cases[round(step * (len(cases) - 1) / max(1, wanted - 1))] for step in range(wanted)]


def _top(scored: dict[str, float]) -> list[tuple[str, float]]:
    """The best; among equals the earlier one: the systematic ones are less fitted to the cases they were tried on."""
    return sorted(scored.items(), key=lambda pair: -pair[1])[:KEPT]


def _outcome(seen: Observation) -> Outcome:
    score = score_of(seen)
    return Outcome(score.value) if score else Outcome(None, failure_kind(seen) or "shape")
