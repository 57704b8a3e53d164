"""Guess floor: what responses earn that solve nothing. Strategies are in ``cheap.py``.

All strategies are screened on the first cases of each level; those that earn anything there are measured again on the
others, and that second figure is the one judged: picking the best of many by chance costs nothing then.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass

from bootcamp_kit.jsondata import Json
from bootcamp_kit.report import Finding, Witness
from sandbox.checks.bounds import lower_bound
from sandbox.checks.check import Check, Judgement
from sandbox.checks.evidence import Evidence, Scored
from sandbox.checks.observed import describe, shown
from sandbox.checks.policy import Policy

SCREEN_MEAN, SCREEN_LEVEL_MEAN, MAX_CONFIRMED = 0.05, 0.4, 5


@dataclass(frozen=True, slots=True)
class Earned:
    """What one strategy earned on some cases."""

    strategy: str
    scored: tuple[Scored, ...]

    @property
    def n(self) -> int:
        """How many cases."""
        return len(self.scored)

    @property
    def total(self) -> float:
        """Sum of the scores; a response without a score earns nothing."""
        return sum(item.value or 0.0 for item in self.scored)

    @property
    def mean(self) -> float:
        """Mean score."""
        return self.total / self.n if self.n else 0.0

    def at(self, level: int) -> Earned:
        """Only one level's cases."""
        return Earned(self.strategy, tuple(item for item in self.scored if item.probe.case.level == level))

    def bound(self) -> float:
        """The true mean is above this (95 %); whole points only, which errs to the low side."""
        return lower_bound(int(self.total + 1e-9), self.n)

    def levels(self) -> list[int]:
        """The levels it was tried at."""
        return sorted({item.probe.case.level for item in self.scored})

    def best_case(self) -> Scored:
        """The first case on which it earned most."""
        return max(self.scored, key=lambda item: (item.value or 0.0, -item.probe.case.level))


def earned(asked: tuple[Scored, ...]) -> list[Earned]:
    """One entry for each strategy, in the order asked."""
    found: dict[str, list[Scored]] = defaultdict(list)
    for item in asked:
        found[item.probe.kind].append(item)
    return [Earned(name, tuple(items)) for name, items in found.items()]


def worth_confirming(screened: tuple[Scored, ...]) -> list[str]:
    """Names of the strategies to measure again on fresh cases, best first."""
    scale = [
        (max(item.mean, 0.5 * max(item.at(level).mean for level in item.levels())), item)
        for item in earned(screened)
        if item.mean >= SCREEN_MEAN or any(item.at(level).mean >= SCREEN_LEVEL_MEAN for level in item.levels())
    ]
    return [item.strategy for _, item in sorted(scale, key=lambda pair: -pair[0])[:MAX_CONFIRMED]]


def measured(evidence: Evidence, prefixes: tuple[str, ...]) -> list[Earned]:
    """The strategies of a group with their judged figure, best first: fresh cases where there are any."""
    confirmed = {item.strategy: item for item in earned(evidence.asked("confirm"))}
    every = [confirmed.get(item.strategy, item) for item in earned(evidence.asked("floor"))]
    group = [item for item in every if item.strategy.startswith(prefixes)]
    return sorted(group, key=lambda item: (-item.mean, item.strategy))


def declared_floor(evidence: Evidence) -> float:
    """The card's chance level; 1/k of a k-way choice where it declares less."""
    answer = evidence.task.answer
    return max(answer.floor, 1 / len(answer.choices) if answer.kind == "choice" else 0.0)


def _figures(group: list[Earned]) -> dict[str, Json]:
    if not group:
        return {"strategies": 0}
    best = group[0]
    return {
        "best": shown(best.strategy, 60),
        "mean": round(best.mean, 4),
        "n": best.n,
        "above": round(best.bound(), 4),
        "confidence": 0.95,
        "strategies": len(group),
    }


def _witness(item: Earned, expected: str) -> Witness:
    best = item.best_case()
    case = best.probe.case
    return Witness("score", case.level, case.seed, best.probe.response, expected=expected, seen=describe(best.score))


def _judge(evidence: Evidence, policy: Policy, prefixes: tuple[str, ...]) -> Judgement:
    group = measured(evidence, prefixes)
    if not group:
        return Judgement(skipped="no strategy of this kind applies to this task")
    finding = _overall(evidence, policy, group[0]) or _by_level(evidence, policy, group)
    return Judgement((finding,) if finding else (), _figures(group))


def _overall(evidence: Evidence, policy: Policy, best: Earned) -> Finding | None:
    declared = declared_floor(evidence)
    figure = f"scores {best.mean:.2f} on average (n = {best.n}, above {best.bound():.2f} at 95 %)"
    message = f"the response {shown(best.strategy, 60)!r} on every case {figure}"
    if best.mean >= policy.threshold("floor_wins"):
        return policy.finding("floor.answer_wins", message, _witness(best, "below 1 on most cases"))
    allowed = min(declared + policy.threshold("floor_margin"), policy.threshold("floor_ceiling"))
    if best.bound() > allowed:
        message += f"; the declared floor is {declared:.2f}"
        return policy.finding("floor.above_declared", message, _witness(best, f"at most {allowed:.2f} on average"))
    return None


def _by_level(evidence: Evidence, policy: Policy, group: list[Earned]) -> Finding | None:
    wins, declared = policy.threshold("floor_wins"), declared_floor(evidence)
    bound = max(policy.threshold("floor_level_bound"), declared + policy.threshold("floor_level_margin"))
    for item in group:
        for level in item.levels():
            here = item.at(level)
            if here.mean >= wins and here.bound() > bound:
                message = (
                    f"the response {shown(item.strategy, 60)!r} scores {here.mean:.2f} on average at level {level}"
                    f" (n = {here.n}, above {here.bound():.2f} at 95 %)"
                )
                return policy.finding("floor.level_wins", message, _witness(here, "below 1 on most cases"))
    return None


def judge_constants(evidence: Evidence, policy: Policy) -> Judgement:
    """One fixed answer on every case."""
    return _judge(evidence, policy, ("constant",))


def judge_options(evidence: Evidence, policy: Policy) -> Judgement:
    """All options listed at once."""
    return _judge(evidence, policy, ("options",))


def judge_example(evidence: Evidence, policy: Policy) -> Judgement:
    """The card's example answer."""
    return _judge(evidence, policy, ("example",))


def judge_echo(evidence: Evidence, policy: Policy) -> Judgement:
    """The prompt, or a part of the instance, pasted back."""
    return _judge(evidence, policy, ("echo",))


def judge_cross_case(evidence: Evidence, policy: Policy) -> Judgement:
    """Right answers of other cases."""
    return _judge(evidence, policy, ("seen", "cross"))


def judge_rules(evidence: Evidence, policy: Policy) -> Judgement:
    """One-line rules over the numbers shown: only noted, an easy task is not a wrong one."""
    group = measured(evidence, ("rule",))
    if not group:
        return Judgement(skipped="the payload shows no integers")
    best = group[0]
    if best.mean < policy.threshold("floor_wins"):
        return Judgement((), _figures(group))
    message = f"a one-line rule solves it: {best.strategy} scores {best.mean:.2f} on average (n = {best.n})"
    return Judgement((policy.finding("floor.rule_wins", message, _witness(best, "a harder task")),), _figures(group))


_NEEDS = ("card", "load", "cases", "deterministic", "right")
_PROBES = ("floor", "confirm")
_CANNOT = "a cleverer strategy that is not in the list"


def _check(
    name: str, judge: Callable[[Evidence, Policy], Judgement], shows: str, rfc008: str = "semantic.floor_gap"
) -> Check:
    return Check(name, judge, shows=shows, cannot=_CANNOT, needs=_NEEDS, probes=_PROBES, rfc008=rfc008)


CHECKS = (
    _check("floor.constants", judge_constants, "no fixed answer earns more than the floor", "semantic.canary_floor"),
    _check("floor.options", judge_options, "listing all options does not earn"),
    _check("floor.example", judge_example, "the card's example answer does not earn"),
    _check("floor.echo", judge_echo, "pasting back the prompt or a part of the instance does not earn"),
    _check("floor.cross_case", judge_cross_case, "right answers of other cases do not earn"),
    _check("floor.rules", judge_rules, "no one-line rule over the numbers shown solves it"),
)
