"""Property checks: Hypothesis searches levels, seeds and responses for a counter-example and shrinks it.

* ``solvable``: for any level and seed, generate, prompt and solve work and the oracle's response scores 1.
* ``total``: any response gets a well-formed score.
* ``stable``: scoring the same response twice gives the same score.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bootcamp_kit.answers import CLOSE, OPEN
from bootcamp_kit.card import Card
from bootcamp_kit.case import Case
from bootcamp_kit.report import Finding, Witness
from sandbox.calls import Call, JobOutcome, Observation, Op, case_to_json
from sandbox.checks.check import Check, Judgement
from sandbox.checks.evidence import Evidence, Falsified, PropertyRun
from sandbox.checks.observed import describe, score_of, shown, well_formed
from sandbox.checks.policy import Policy
from sandbox.checks.search import PIECES, MachineFault, OutOfBudget, Search, below, responses, search

Ask = Callable[[Call], Observation]
SEED_BITS = 31


class Properties:
    """The three properties of one task, asked through one session."""

    def __init__(self, ask: Ask, card: Card, cases: Sequence[tuple[Case, str]]) -> None:
        self.ask, self.card = ask, card
        self.cases = {(case.level, case.seed): case for case, _ in cases}
        self.keys = list(self.cases)
        self.whole = list(dict.fromkeys(text for _, text in cases))
        self.pool = [*PIECES, *dict.fromkeys(piece for _, text in cases for piece in _pieces(text))]

    def _asked(self, op: Op, **args: Any) -> Observation:
        observation = self.ask(Call(op, args))
        if observation.outcome is JobOutcome.INFRASTRUCTURE:
            raise MachineFault(observation.error)
        return observation

    def _generated(self, level: int, seed: int) -> Observation:
        params = self.card.difficulty.params(level)
        return self._asked(Op.GENERATE, task_id=self.card.id, level=level, seed=seed, params=params)

    def solvable(self, level: int, seed: int) -> Falsified | None:
        """The counter-example at (level, seed), or None."""

        def fails(observation: Observation, expected: str, response: str | None = None) -> Falsified:
            return Falsified("solvable", level, seed, response, expected, observation)

        made = self._generated(level, seed)
        if not well_formed(made):
            return fails(made, "a payload")
        case = case_to_json(Case(self.card.id, level, seed, self.card.difficulty.params(level), made.value))
        prompt = self._asked(Op.PROMPT, case=case)
        if not well_formed(prompt):
            return fails(prompt, "a prompt")
        solved = self._asked(Op.SOLVE, case=case)
        if not well_formed(solved):
            return fails(solved, "a response of the oracle")
        scored = self._asked(Op.SCORE, case=case, response=solved.value)
        score = score_of(scored)
        return None if score and score.value == 1.0 else fails(scored, "score 1.0 (correct)", solved.value)

    def total(self, level: int, seed: int, response: str) -> Falsified | None:
        """The counter-example for one response, or None; a case that cannot be made is none of this property's."""
        case = self._case(level, seed)
        if case is None:
            return None
        scored = self._asked(Op.SCORE, case=case_to_json(case), response=response)
        if well_formed(scored):
            return None
        return Falsified("total", level, seed, response, "a score", scored)

    def stable(self, level: int, seed: int, response: str) -> Falsified | None:
        """The counter-example for one response scored twice, or None."""
        case = self._case(level, seed)
        if case is None:
            return None
        both = [self._asked(Op.SCORE, case=case_to_json(case), response=response) for _ in range(2)]
        first, second = map(score_of, both)
        if first is None or second is None or first.value == second.value:
            return None
        return Falsified("stable", level, seed, response, describe(both[0]), both[1])

    def _case(self, level: int, seed: int) -> Case | None:
        if (level, seed) not in self.cases:
            made = self._generated(level, seed)
            if not well_formed(made):
                return None
            params = self.card.difficulty.params(level)
            self.cases[level, seed] = Case(self.card.id, level, seed, params, made.value)
        return self.cases[level, seed]


def _pieces(response: str) -> list[str]:
    content = response.rpartition(OPEN)[2].partition(CLOSE)[0]
    return [content[:200], *content.split()[:6], *content[:6]]


def run(
    properties: Properties, kept: Sequence[tuple[str, int, int, str | None]], *, examples: dict[str, int], after: int
) -> tuple[PropertyRun, ...]:
    """Try the kept counter-examples of each property, then search for new ones.

    Args:
        properties: The properties.
        kept: (property, level, seed, response), tried first.
        examples: Property → Hypothesis examples; 0 leaves the search out.
        after: Further examples after a failure.
    """
    levels = len(properties.card.difficulty.levels)

    def over_cases(value: tuple[int, int]) -> Falsified | None:
        return properties.solvable(value[0] + 1, value[1])

    def over_responses(name: str) -> Callable[[tuple[int, str]], Falsified | None]:
        examine: Callable[[int, int, str], Falsified | None] = getattr(properties, name)
        return lambda value: examine(*properties.keys[value[0]], value[1])

    def searched(name: str) -> Search:
        from hypothesis import strategies as st

        count = examples[name]
        if name == "solvable":
            return search(st.tuples(below(levels), below(2**SEED_BITS)), over_cases, examples=count, after=after)
        texts = st.tuples(below(len(properties.keys)), responses(properties.pool, properties.whole))
        return search(texts, over_responses(name), examples=count, after=after)

    runs = []
    for name in ("solvable", "total", "stable"):
        falsified: list[Falsified] = []
        tried = 0
        try:
            falsified += [found for item in kept if item[0] == name and (found := _again(properties, item))]
            if examples[name] and (name == "solvable" or properties.keys):
                result = searched(name)
                tried = result.tried
                falsified += [result.best] if result.best else []
        except MachineFault as fault:
            runs.append(PropertyRun(name, tried, tuple(falsified), infrastructure=str(fault)[:200] or "unknown"))
            continue
        runs.append(PropertyRun(name, tried, tuple(falsified)))
    return tuple(runs)


def _again(properties: Properties, item: tuple[str, int, int, str | None]) -> Falsified | None:
    try:
        return _tried_again(properties, item)
    except OutOfBudget:
        return None


def _tried_again(properties: Properties, item: tuple[str, int, int, str | None]) -> Falsified | None:
    name, level, seed, response = item
    if level not in properties.card.difficulty.levels:
        return None
    if name == "solvable":
        return properties.solvable(level, seed)
    if response is None:
        return None
    return properties.total(level, seed, response) if name == "total" else properties.stable(level, seed, response)


def finding_of(policy: Policy, item: Falsified) -> Finding:
    """The finding of one counter-example."""
    witness = Witness(
        item.observation.call.op.value, item.level, item.seed, item.response, expected=item.expected,
        seen=describe(item.observation),
    )  # fmt: skip
    what = {
        "solvable": "not solvable",
        "total": f"the response {shown(item.response or '', 60)!r} gets no score",
        "stable": f"the response {shown(item.response or '', 60)!r} gets two scores",
    }[item.property]
    message = f"level {item.level} seed {item.seed}: {what}: {witness.seen}"
    return policy.finding(f"properties.{item.property}", message, witness)


def _judge(evidence: Evidence, policy: Policy, name: str) -> Judgement:
    run_of = next((item for item in evidence.properties if item.name == name), None)
    if run_of is None or (not run_of.examples and not run_of.falsified):
        return Judgement(skipped="there was nothing to search with")
    found = {finding.id: finding for finding in (finding_of(policy, item) for item in run_of.falsified)}
    return Judgement(tuple(found.values()), {"examples": run_of.examples, "counterexamples": len(found)})


def judge_solvable(evidence: Evidence, policy: Policy) -> Judgement:
    """Any (level, seed)."""
    return _judge(evidence, policy, "solvable")


def judge_total(evidence: Evidence, policy: Policy) -> Judgement:
    """Any response gets a score."""
    return _judge(evidence, policy, "total")


def judge_stable(evidence: Evidence, policy: Policy) -> Judgement:
    """The same score twice."""
    return _judge(evidence, policy, "stable")


CHECKS = (
    Check(
        "properties.solvable",
        judge_solvable,
        shows="Hypothesis found no (level, seed) below 2**31 where the chain generate, prompt, solve, score breaks",
        cannot="a fault rarer than the number of examples shows",
        needs=("card", "load", "deterministic"),
        rfc008="semantic.oracle_max",
    ),
    Check(
        "properties.total",
        judge_total,
        shows="Hypothesis found no response, delimited or not, that crashes or hangs the verifier",
        cannot="a text outside the pieces it is put together from",
        needs=("card", "load", "cases", "deterministic"),
        rfc008="runtime.reward_well_formed",
    ),
    Check(
        "properties.stable",
        judge_stable,
        shows="scoring a response twice in one process gives the same score",
        cannot="state that needs more than two calls to show",
        needs=("card", "load", "cases", "deterministic"),
        rfc008="semantic.verifier_determinism",
    ),
)
