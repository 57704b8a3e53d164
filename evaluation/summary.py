"""A run in numbers: by task, level and family, and in all. Unscored rollouts are counted apart, never averaged in."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

from bootcamp_kit.case import Outcome
from bootcamp_kit.jsondata import Json
from evaluation.plan import EvaluationPlan
from evaluation.statistics import Interval, clustered_by_task, pass_at_k, quantile
from evaluation.store import IndexLine

OUTCOMES = tuple(outcome.value for outcome in Outcome)


@dataclass(frozen=True, slots=True)
class Row:
    """One group of rollouts.

    Attributes:
        planned: Rollouts the plan asks for in this group.
        missing: Planned and not stored: the run is not finished.
        unscored: Reason → count.
        cases: Distinct payloads among the scored rollouts.
        score: Mean score of scored rollouts, interval robust to clusters of tasks and of cases.
        at_least, at_most: The mean if every unscored or missing rollout had scored 0, or 1.
        passes: k → mean over cases of pass@k, of cases with at least k scored samples; counts full marks only.
        truncated: Responses cut by the token limit.
    """

    name: str
    planned: int
    missing: int
    outcomes: Mapping[str, int]
    unscored: Mapping[str, int]
    cases: int
    score: Interval
    at_least: float
    at_most: float
    passes: Mapping[int, float]
    truncated: int
    input_tokens: int
    output_tokens: int
    median_latency_s: float

    @property
    def scored(self) -> int:
        """Rollouts with a score."""
        return sum(self.outcomes.values())


@dataclass(frozen=True, slots=True)
class Summary:
    """All tables of a run.

    Attributes:
        weighted: The benchmark's weighted mean over families; None without weights or when a family has no score.
    """

    model: str
    plan_hash: str
    origin: str
    scorer: str
    total: Row
    tasks: tuple[Row, ...]
    levels: tuple[Row, ...]
    task_levels: tuple[Row, ...]
    families: tuple[Row, ...]
    weighted: float | None

    def to_json(self) -> Json:
        """Plain data; NaN becomes null."""
        return _plain(
            {
                "model": self.model,
                "plan_hash": self.plan_hash,
                "origin": self.origin,
                "scorer": self.scorer,
                "weighted": self.weighted,
                "total": asdict(self.total),
                **{
                    name: [asdict(row) for row in getattr(self, name)]
                    for name in ("tasks", "levels", "task_levels", "families")
                },
            }
        )


def summarise(plan: EvaluationPlan, lines: Sequence[IndexLine]) -> Summary:
    """The tables of a run, finished or not."""
    family = {task.task_id: task.family for task in plan.tasks}
    planned = [(task.task_id, ref.level) for task in plan.tasks for ref in task.cases]

    def by(name: Callable[[str, int], str]) -> tuple[Row, ...]:
        wanted = Counter(name(*item) for item in planned)
        groups: dict[str, list[IndexLine]] = {key: [] for key in wanted}
        for line in lines:
            groups[name(line.task_id, line.level)].append(line)
        return tuple(row(key, plan.samples * wanted[key], found) for key, found in groups.items())

    families = by(lambda task_id, level: family[task_id])
    return Summary(
        plan.model,
        plan.hash,
        plan.origin,
        plan.scorer,
        row("all", plan.total, lines),
        by(lambda task_id, level: task_id),
        tuple(sorted(by(lambda task_id, level: str(level)), key=lambda item: int(item.name))),
        by(lambda task_id, level: f"{task_id}/{level}"),
        families,
        _weighted(plan.weights, families),
    )


def row(name: str, planned: int, lines: Sequence[IndexLine]) -> Row:
    """One group's numbers."""
    scored = [line for line in lines if line.value is not None]
    values = [line.value for line in scored if line.value is not None]
    outcomes = Counter(line.outcome for line in scored)
    total = math.fsum(values)
    unknown = max(planned, len(lines)) - len(scored)
    everything = max(1, len(scored) + unknown)
    return Row(
        name=name,
        planned=planned,
        missing=max(0, planned - len(lines)),
        outcomes={outcome: outcomes.get(outcome, 0) for outcome in OUTCOMES},
        unscored=dict(sorted(Counter(line.unscored for line in lines if line.unscored).items())),
        cases=len({(line.task_id, line.key) for line in scored}),
        score=_interval(scored),
        at_least=total / everything,
        at_most=(total + unknown) / everything,
        passes=_passes(scored),
        truncated=sum(line.stop == "length" for line in lines),
        input_tokens=sum(line.input_tokens for line in lines),
        output_tokens=sum(line.output_tokens for line in lines),
        median_latency_s=quantile([line.latency_s for line in scored], 0.5),
    )


def _interval(scored: Sequence[IndexLine]) -> Interval:
    return clustered_by_task([(line.task_id, line.key, line.value) for line in scored if line.value is not None])


def _passes(scored: Sequence[IndexLine]) -> dict[int, float]:
    cases: dict[tuple[str, int, int], list[bool]] = {}
    for line in scored:
        cases.setdefault((line.task_id, line.level, line.seed), []).append(line.outcome == Outcome.CORRECT.value)
    most = max(map(len, cases.values()), default=0)
    powers = [2**power for power in range(most.bit_length()) if 2**power <= most]
    return {
        k: math.fsum(found) / len(found)
        for k in powers
        if (found := [pass_at_k(len(right), sum(right), k) for right in cases.values() if len(right) >= k])
    }


def _weighted(weights: Mapping[str, float] | None, families: Sequence[Row]) -> float | None:
    if not weights or any(math.isnan(row.score.value) for row in families):
        return None
    whole = math.fsum(weights.get(row.name, 0.0) for row in families)
    return math.fsum(weights.get(row.name, 0.0) * row.score.value for row in families) / whole if whole else None


def _plain(value: Json) -> Json:
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
