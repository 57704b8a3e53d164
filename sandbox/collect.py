"""Asks the boxes and turns what comes back into evidence. Nothing is judged here."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from bootcamp_kit.card import Card
from bootcamp_kit.case import Case
from sandbox.box import Box
from sandbox.calls import Call, Observation, Op, case_to_json
from sandbox.checks.evidence import CaseEvidence, Perturbed, Probe, Scored
from sandbox.checks.observed import LIMITS
from sandbox.checks.probes import first_of_each_level

Key = tuple[int, int]
K = TypeVar("K")
MAX_FIELDS = 10
FIRST_CHUNK, MAX_CHUNK, MAX_LIMITS, SLOW_S = 8, 512, 3, 1.0


class Asker:
    """One box and one card: batches of calls by key.

    A batch is given up, keys left out, after a few calls that ran into a limit, and an op that did so in one batch is
    not asked again, scoring and parsing apart: a task that hangs on everything is found out in seconds, not minutes.
    """

    def __init__(self, box: Box, card: Card, *, shuffle: int | None = None, budget_s: float = math.inf) -> None:
        """Prepare.

        Args:
            box: The entered box.
            card: The task's card.
            shuffle: Seed of the order in which a batch is asked; None keeps the order given.
            budget_s: CPU seconds of all calls together; once they are spent, nothing is asked any more.
        """
        self.box, self.card, self.shuffle = box, card, shuffle
        self.given_up: set[Op] = set()
        self.budget_s = budget_s

    @property
    def exhausted(self) -> bool:
        """Whether the budget is spent."""
        return self.budget_s <= 0

    def spend(self, observation: Observation) -> float:
        """Take what a call cost off the budget; returns that."""
        self.budget_s -= observation.cpu_s
        return observation.cpu_s

    def load(self) -> Observation:
        """Import the task in a process of its own."""
        return self.box.fresh(Call(Op.LOAD, {}))

    def ask(self, calls: dict[K, Call]) -> dict[K, Observation]:
        """One batch, answered by key."""
        keys = [key for key, call in calls.items() if call.op not in self.given_up]
        if self.shuffle is not None:
            random.Random(self.shuffle).shuffle(keys)
        answers: dict[K, Observation] = {}
        size, limits = FIRST_CHUNK, 0
        with self.box.session() as session:
            while keys and limits < MAX_LIMITS and not self.exhausted:
                chunk, keys = keys[:size], keys[size:]
                seen = session.batch([calls[key] for key in chunk])
                answers.update(zip(chunk, seen, strict=True))
                hits = [item.call.op for item in seen if item.outcome in LIMITS]
                limits += len(hits)
                slowest = max((self.spend(item) for item in seen), default=0.0)
                size = 1 if limits or slowest > SLOW_S else min(size * 4, MAX_CHUNK)
                if limits >= MAX_LIMITS:
                    self.given_up |= set(hits) - {Op.SCORE, Op.PARSE}
        return {key: answers[key] for key in calls if key in answers}

    def generate(self, keys: Iterable[Key]) -> dict[Key, Observation]:
        """Payloads by (level, seed)."""
        return self.ask({key: self.generate_call(*key) for key in keys})

    def generate_call(self, level: int, seed: int) -> Call:
        """The call that makes one payload."""
        params = self.card.difficulty.params(level)
        return Call(Op.GENERATE, {"task_id": self.card.id, "level": level, "seed": seed, "params": params})

    def on_cases(self, op: Op, cases: Iterable[Case]) -> dict[Key, Observation]:
        """``prompt`` or ``solve`` by (level, seed)."""
        return self.ask({(case.level, case.seed): Call(op, {"case": case_to_json(case)}) for case in cases})

    def score(self, pairs: dict[Key, tuple[Case, str]]) -> dict[Key, Observation]:
        """Scores of one response on each case."""
        return self.ask({key: score_call(case, response) for key, (case, response) in pairs.items()})

    def case(self, level: int, seed: int, payload: object) -> Case:
        """The case of a payload."""
        return Case(self.card.id, level, seed, self.card.difficulty.params(level), payload)


def score_call(case: Case, response: str) -> Call:
    """The call that scores one response."""
    return Call(Op.SCORE, {"case": case_to_json(case), "response": response})


def parse_call(response: str) -> Call:
    """The call that parses one response."""
    return Call(Op.PARSE, {"response": response})


def collect_cases(first: Asker, keys: Sequence[Key]) -> tuple[CaseEvidence, ...]:
    """The whole chain in the first container: generate, prompt, solve, parse and score the oracle's response."""
    made = first.generate(keys)
    cases = {key: first.case(*key, item.value) for key, item in made.items() if item.ok}
    prompts = first.on_cases(Op.PROMPT, cases.values())
    solved = first.on_cases(Op.SOLVE, cases.values())
    texts = {key: item.value for key, item in solved.items() if item.ok and isinstance(item.value, str)}
    parsed = first.ask({key: parse_call(text) for key, text in texts.items()})
    scored = first.score({key: (cases[key], text) for key, text in texts.items()})
    return tuple(
        CaseEvidence(
            level=key[0],
            seed=key[1],
            generated=made[key],
            case=cases.get(key),
            prompt=prompts.get(key),
            solved=solved.get(key),
            parsed=parsed.get(key),
            score=scored.get(key),
        )
        for key in keys
        if key in made
    )


def collect_other(
    second: Asker, cases: Sequence[CaseEvidence], made: dict[Key, Observation], *, per_level: int
) -> tuple[CaseEvidence, ...]:
    """The second container's answers added: its own payloads, and its texts and scores on the first one's cases."""
    chosen = [case for case in first_of_each_level(cases, per_level) if case.case is not None]
    inputs = [case.case for case in chosen if case.case is not None]
    prompts = second.on_cases(Op.PROMPT, inputs)
    solved = second.on_cases(Op.SOLVE, inputs)
    scored = second.score(
        {
            (case.level, case.seed): (case.case, case.response)
            for case in chosen
            if case.case is not None and case.response is not None
        }
    )
    return tuple(
        replace(
            case,
            generated_other=made.get((case.level, case.seed)),
            prompt_other=prompts.get((case.level, case.seed)),
            solved_other=solved.get((case.level, case.seed)),
            score_other=scored.get((case.level, case.seed)),
        )
        for case in cases
    )


def collect_scored(asker: Asker, probes: Sequence[Probe]) -> tuple[Scored, ...]:
    """Scores, and parsed answers where a probe wants them; equal responses are parsed once."""
    to_parse = dict.fromkeys(probe.response for probe in probes if probe.parse)
    parsed = asker.ask({response: parse_call(response) for response in to_parse})
    scores = asker.ask({place: score_call(probe.case, probe.response) for place, probe in enumerate(probes)})
    return tuple(
        Scored(probe, scores[place], parsed.get(probe.response) if probe.parse else None)
        for place, probe in enumerate(probes)
        if place in scores
    )


def collect_perturbed(asker: Asker, cases: Sequence[CaseEvidence], *, per_level: int) -> tuple[Perturbed, ...]:
    """Each payload field of a few cases replaced by the next case's value; prompt, oracle and verifier asked again."""
    changes = list(_changes(asker, cases, per_level))
    numbered = list(enumerate(changes))
    prompts = asker.ask({n: Call(Op.PROMPT, {"case": case_to_json(case)}) for n, (_, _, _, case) in numbered})
    solved = asker.ask({n: Call(Op.SOLVE, {"case": case_to_json(case)}) for n, (_, _, _, case) in numbered})
    scores = asker.ask({n: score_call(case, original.right or "") for n, (original, _, _, case) in numbered})
    return tuple(
        Perturbed(original, donor, case, name, prompts[n], solved[n], scores[n])
        for n, (original, donor, name, case) in numbered
        if n in prompts and n in solved and n in scores
    )


def _changes(
    asker: Asker, cases: Sequence[CaseEvidence], per_level: int
) -> Iterable[tuple[CaseEvidence, CaseEvidence, str, Case]]:
    right = [case for case in cases if case.right is not None and case.case is not None]
    for original in first_of_each_level(right, per_level):
        donors = [item for item in right if item.level == original.level and item.seed != original.seed]
        if not donors or original.case is None:
            continue
        payload = original.case.payload
        names = list(payload)[:MAX_FIELDS] if isinstance(payload, dict) else ["payload"]
        for name in names:
            found = _swapped(payload, donors, name)
            if found is not None:
                donor, changed = found
                yield original, donor, name, asker.case(original.level, original.seed, changed)


def _swapped(payload: object, donors: Sequence[CaseEvidence], name: str) -> tuple[CaseEvidence, object] | None:
    """The first donor whose value differs, and the payload with that value."""
    for donor in donors:
        other = donor.case.payload if donor.case else None
        if not isinstance(payload, dict):
            if other != payload:
                return donor, other
        elif isinstance(other, dict) and name in other and other[name] != payload[name]:
            return donor, {**payload, name: other[name]}
    return None
