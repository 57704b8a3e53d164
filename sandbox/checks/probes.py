"""Which responses to ask about: pure lists of probes for each family, made from the cases' evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from bootcamp_kit.card import Card
from bootcamp_kit.case import Case
from sandbox.checks.cheap import garbage, strategies
from sandbox.checks.evidence import CaseEvidence, Probe
from sandbox.checks.examples_file import Example
from sandbox.checks.mutants import mutants
from sandbox.checks.rewrites import applicable, rewritten
from sandbox.checks.structure import delimited, read_shape

LONG = 10_000


def first_of_each_level(cases: Iterable[CaseEvidence], count: int) -> list[CaseEvidence]:
    """The first ``count`` cases of each level, in order."""
    taken: dict[int, int] = {}
    found = []
    for case in cases:
        if taken.get(case.level, 0) < count:
            taken[case.level] = taken.get(case.level, 0) + 1
            found.append(case)
    return found


def garbage_probes(cases: Sequence[CaseEvidence], *, per_level: int, huge_cases: int, huge: int) -> list[Probe]:
    """Every garbage response on the first cases of each level; the long ones on the first few cases only."""
    found = []
    for place, evidence in enumerate(first_of_each_level(cases, per_level)):
        if evidence.case is None:
            continue
        for name, response in garbage(huge):
            if len(response) <= LONG or place < huge_cases:
                found.append(Probe("garbage", name, evidence.case, response))
    return found


def floor_probes(
    card: Card, cases: Sequence[CaseEvidence], visible: frozenset[str], *, screen: int, only: Sequence[str] = ()
) -> list[Probe]:
    """Cheap strategies on the first ``screen`` cases of each level; with ``only``, those strategies on the others.

    None where no right answer is known: there is no floor below a task that nobody solves.
    """
    if not any(case.right is not None for case in cases):
        return []
    seen = first_of_each_level(cases, screen)
    places = {(case.level, case.seed) for case in seen}
    asked = [case for case in cases if ((case.level, case.seed) in places) != bool(only)]
    found = []
    for name, strategy in strategies(card, seen, visible).items():
        if only and name not in only:
            continue
        for evidence in asked:
            response = strategy(evidence) if evidence.case else None
            if response is not None and evidence.case:
                found.append(Probe("confirm" if only else "floor", name, evidence.case, response))
    return found


def near_miss_probes(card: Card, cases: Sequence[CaseEvidence], *, per_level: int, each: int = 0) -> list[Probe]:
    """Typed mutants of right responses, without those that a declared rewrite makes.

    Args:
        card: The task's card.
        cases: All cases.
        per_level: Cases of each level that get every mutant.
        each: Other values tried on every further case, in turn: a hole in a few cases of a hundred shows only there.
    """
    found = []
    thorough = [case for case, _ in _right(cases, per_level)]
    for place, (case, right) in enumerate(_right(cases, len(cases))):
        tried = _mutated(card, case, right)
        if case not in thorough:
            values = [probe for probe in tried if probe.group == "value"]
            tried = [values[(place * each + step) % len(values)] for step in range(min(each, len(values)))]
        found += tried
    return found


def _mutated(card: Card, case: Case, right: str) -> list[Probe]:
    """All mutants of one right response that no declared rewrite makes."""
    allowed = {text for name in applicable(card.answer) for _, text in rewritten(name, right, card.answer)}
    cut = delimited(right)
    shape = read_shape(cut.content, card.answer).kind if cut else ""
    return [
        Probe("near_miss", mutant.kind, case, mutant.response, mutant.group, shape, parse=True)
        for mutant in mutants(right, card.answer)
        if mutant.response not in allowed
    ]


def relabel_probes(card: Card, cases: Sequence[CaseEvidence], seeds: Sequence[int]) -> list[Probe]:
    """A right and a wrong response to the first case of each level: under its own seed, then under others."""
    found = []
    for case, right in _right(cases, 1):
        wrong = [probe.response for probe in _mutated(card, case, right) if probe.group == "value"][:1]
        for kind, response in (("right", right), *(("wrong", text) for text in wrong)):
            place = f"{case.level}/{case.seed}"
            named = [case, *(replace(case, seed=seed) for seed in seeds if seed != case.seed)]
            found += [Probe("relabel", kind, item, response, place) for item in named]
    return found


def still_right_probes(card: Card, cases: Sequence[CaseEvidence], *, per_level: int) -> list[Probe]:
    """Rewrites of right responses; the very long ones on the first case of each level only."""
    found = []
    long_done: set[tuple[int, str]] = set()
    for case, right in _right(cases, per_level):
        for name in applicable(card.answer):
            for spelling, response in rewritten(name, right, card.answer):
                if len(response) > LONG + len(right):
                    if (case.level, spelling) in long_done:
                        continue
                    long_done.add((case.level, spelling))
                found.append(Probe("still_right", name, case, response, variant=spelling))
    return found


def example_probes(
    card: Card, examples: Sequence[Example], make_case: Callable[[int, int], Case | None]
) -> Iterator[Probe]:
    """The task's own examples, on the generator's cases or on those written by hand."""
    for example in examples:
        if example.payload is None:
            case = make_case(example.level, example.seed)
        else:
            params = card.difficulty.params(example.level)
            case = Case(card.id, example.level, example.seed, params, example.payload)
        if case is not None:
            yield Probe("examples", example.name, case, example.response, example.group)


def _right(cases: Sequence[CaseEvidence], per_level: int) -> Iterator[tuple[Case, str]]:
    for item in first_of_each_level([case for case in cases if case.right is not None], per_level):
        if item.case is not None and item.right is not None:
            yield item.case, item.right
