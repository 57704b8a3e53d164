"""Property checks: Hypothesis searches levels, seeds and responses for a counter-example and shrinks it.

* ``solvable``: for any level and seed, generate, prompt and solve work and the oracle's response scores 1.
* ``total``: any response gets a well-formed score.
* ``stable``: scoring the same response twice gives the same score.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bootcamp_kit.answers import CLOSE, OPEN
from bootcamp_kit.card import Card
from bootcamp_kit.case import Case
from bootcamp_kit.report import Finding, Witness
from sandbox.calls import Call, JobOutcome, Observation, Op, case_to_json
from sandbox.checks.check import Check, Judgement
from sandbox.checks.evidence import Evidence, Falsified, PropertyRun
from sandbox.checks.observed import LIMITS, describe, score_of, shown, well_formed
from sandbox.checks.policy import Policy
from sandbox.checks.search import PIECES, STRATEGIES, MachineFault, OutOfBudget, Search, drawn, search

Item = tuple[int, int, str | None]
"""Level, seed, and the response where a property is about one."""
AskAll = Callable[[Sequence[Call]], list[Observation]]
SMALL_SEEDS = 512
"""Half of the seeds searched are small ones, as trainers count them."""
FIRST_CHUNK, MAX_CHUNK, SLOW_S = 1, 16, 1.0
SOURCES = {"solvable": "seeds", "total": "texts", "stable": "texts"}


class Properties:
    """The three properties of one task, asked through one session."""

    def __init__(
        self, ask: AskAll, card: Card, cases: Sequence[tuple[Case, str]], seed_of: Callable[[int], int]
    ) -> None:
        """Prepare.

        Args:
            ask: Answers calls in order.
            card: The task's card.
            cases: Cases with their right responses.
            seed_of: The seed that a number from ``SMALL_SEEDS`` on stands for.
        """
        self.ask, self.card, self.seed_of = ask, card, seed_of
        self.cases = {(case.level, case.seed): case for case, _ in cases}
        self.keys = list(self.cases)
        self.whole = list(dict.fromkeys(text for _, text in cases))
        self.pool = [*PIECES, *dict.fromkeys(piece for _, text in cases for piece in _pieces(text))]
        self.slow = False

    def item(self, name: str, value: Any) -> Item:
        """What a property examines, made of what was drawn."""
        if name == "solvable":
            levels = len(self.card.difficulty.levels)
            level, seed = value.of(levels, lambda number: number if number < SMALL_SEEDS else self.seed_of(number))
            return level, seed, None
        (level, seed), text = value.of(self.keys, self.pool, self.whole)
        return level, seed, text

    def examine(self, name: str, items: Sequence[Item]) -> list[Falsified | None]:
        """The counter-example at each item, or None."""
        examine: Callable[[Sequence[Item]], list[Falsified | None]] = getattr(self, f"_{name}")
        return examine(items)

    def _asked(self, calls: Sequence[Call]) -> list[Observation]:
        seen = self.ask(calls) if calls else []
        for observation in seen:
            if observation.outcome is JobOutcome.INFRASTRUCTURE:
                raise MachineFault(observation.error)
        self.slow |= any(observation.cpu_s > SLOW_S for observation in seen)
        return seen

    def _generate(self, level: int, seed: int) -> Call:
        params = self.card.difficulty.params(level)
        return Call(Op.GENERATE, {"task_id": self.card.id, "level": level, "seed": seed, "params": params})

    def _solvable(self, items: Sequence[Item]) -> list[Falsified | None]:
        """For any level and seed, the whole chain works and the oracle's response scores 1."""
        found: list[Falsified | None] = [None] * len(items)

        def ask(calls: Mapping[int, Call], expected: str) -> dict[int, Observation]:
            """The well-formed answers by place; the others are counter-examples."""
            kept = {}
            for place, seen in zip(calls, self._asked(list(calls.values())), strict=True):
                if well_formed(seen):
                    kept[place] = seen
                else:
                    found[place] = Falsified("solvable", items[place][0], items[place][1], None, expected, seen)
            return kept

        made = ask({n: self._generate(level, seed) for n, (level, seed, _) in enumerate(items)}, "a payload")
        cases = {n: case_to_json(self._case_of(items[n], seen.value)) for n, seen in made.items()}
        prompts = ask({n: Call(Op.PROMPT, {"case": case}) for n, case in cases.items()}, "a prompt")
        solved = ask({n: Call(Op.SOLVE, {"case": cases[n]}) for n in prompts}, "a response of the oracle")
        texts = {n: seen.value for n, seen in solved.items()}
        calls = [Call(Op.SCORE, {"case": cases[n], "response": text}) for n, text in texts.items()]
        for (place, text), scored in zip(texts.items(), self._asked(calls), strict=True):
            score = score_of(scored)
            if not score or score.value != 1.0:
                level, seed, _ = items[place]
                found[place] = Falsified("solvable", level, seed, str(text), "score 1.0 (correct)", scored)
        return found

    def _total(self, items: Sequence[Item]) -> list[Falsified | None]:
        """Any response gets a score; a case that cannot be made is none of this property's."""
        return [
            None if not scores or well_formed(scores[0]) else Falsified("total", *item, "a score", scores[0])
            for item, scores in zip(items, self._scored(items, 1), strict=True)
        ]

    def _stable(self, items: Sequence[Item]) -> list[Falsified | None]:
        """A response scored twice gets the same score."""
        found: list[Falsified | None] = []
        for item, both in zip(items, self._scored(items, 2), strict=True):
            first, second = map(score_of, both) if both else (None, None)
            same = first is None or second is None or first.value == second.value
            found.append(None if same else Falsified("stable", *item, describe(both[0]), both[1]))
        return found

    def _scored(self, items: Sequence[Item], times: int) -> list[list[Observation]]:
        """The scores of each response, asked so often; none where there is no case."""
        cases = [self._case(level, seed) for level, seed, _ in items]
        places = [n for n, case in enumerate(cases) if case is not None for _ in range(times)]
        calls = [
            Call(Op.SCORE, {"case": case_to_json(case), "response": item[2]})
            for case, item in zip(cases, items, strict=True)
            if case is not None
            for _ in range(times)
        ]
        found: list[list[Observation]] = [[] for _ in items]
        for place, seen in zip(places, self._asked(calls), strict=True):
            found[place].append(seen)
        return found

    def _case(self, level: int, seed: int) -> Case | None:
        if (level, seed) not in self.cases:
            made = self._asked([self._generate(level, seed)])[0]
            if not well_formed(made):
                return None
            self.cases[level, seed] = self._case_of((level, seed, None), made.value)
        return self.cases[level, seed]

    def _case_of(self, item: Item, payload: object) -> Case:
        level, seed, _ = item
        return Case(self.card.id, level, seed, self.card.difficulty.params(level), payload)


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
    runs = []
    for name in SOURCES:
        falsified: list[Falsified] = []
        tried = 0
        try:
            falsified += [found for item in kept if item[0] == name and (found := _again(properties, item))]
            if examples[name] and (name == "solvable" or properties.keys):
                result = _searched(properties, name, examples[name], after)
                tried = result.tried
                falsified += [result.best] if result.best else []
        except MachineFault as fault:
            runs.append(PropertyRun(name, tried, tuple(falsified), infrastructure=str(fault)[:200] or "unknown"))
            continue
        runs.append(PropertyRun(name, tried, tuple(falsified)))
    return tuple(runs)


def _searched(properties: Properties, name: str, examples: int, after: int) -> Search:
    """One search: all that is drawn is asked some at a time; where one fails, Hypothesis goes over it again, to shrink.

    Raises:
        MachineFault: our machinery failed.
    """
    values = drawn(SOURCES[name], examples)
    state = Search(after)
    size = FIRST_CHUNK
    while state.tried < len(values) and not state.best:
        chunk = values[state.tried : state.tried + size]
        properties.slow = False  # of all that is asked about a chunk
        try:
            failed = properties.examine(name, [properties.item(name, value) for value in chunk])
        except OutOfBudget:
            return state
        state.tried += len(chunk)
        state.best = next(filter(None, failed), None)
        size = 1 if properties.slow else min(4 * size, MAX_CHUNK)
    if state.best is None or state.best.observation.outcome in LIMITS:
        return state

    def examine(value: Any) -> Falsified | None:
        return properties.examine(name, [properties.item(name, value)])[0]

    again = search(STRATEGIES[SOURCES[name]](), examine, examples=examples, after=after)
    return again if again.best else state  # a flaky one is kept: it failed once


def _again(properties: Properties, item: tuple[str, int, int, str | None]) -> Falsified | None:
    name, level, seed, response = item
    if level not in properties.card.difficulty.levels or (name != "solvable" and response is None):
        return None
    try:
        return properties.examine(name, [(level, seed, None if name == "solvable" else response)])[0]
    except OutOfBudget:
        return None


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
