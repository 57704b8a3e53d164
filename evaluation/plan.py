"""What an evaluation will do: which cases, how many samples, which model, asked how. Frozen, and written first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import Json, canonical, digest

SCHEMA = 1
SCORERS = ("sandbox", "process")
MAX_CASES = 5_000_000
FOREIGN = "foreign "
"""What the origin of a plan over another library's tasks begins with; the rest names library and folders."""
_RANGE = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?")
_SEEDS = re.compile(r"(\d{1,18})(?::(\d{1,18})?)?")


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a model is asked.

    Attributes:
        max_tokens: Most output tokens.
        temperature: None leaves the provider's default.
        system: System message; "" for none.
    """

    max_tokens: int = 16_000
    temperature: float | None = None
    system: str = ""

    def __post_init__(self) -> None:
        if self.temperature is not None and not 0 <= self.temperature <= 2:
            raise UsageError("evaluation --temperature", f"{self.temperature}", "0 to 2; without it, the provider's")


@dataclass(frozen=True, slots=True)
class CaseRef:
    """One case of a plan.

    Attributes:
        key: The payload's key if it is known beforehand (a benchmark, a rescore): another payload is then not asked.
        prompt_hash: The same for the prompt.
    """

    level: int
    seed: int
    key: str = ""
    prompt_hash: str = ""


@dataclass(frozen=True, slots=True)
class PlannedTask:
    """One task of a plan and its cases."""

    task_id: str
    content_hash: str
    family: str
    cases: tuple[CaseRef, ...]


@dataclass(frozen=True, slots=True)
class EvaluationPlan:
    """Everything that decides what is asked and how it is scored.

    Attributes:
        model: As the user wrote it, ``PROVIDER:TARGET``.
        samples: Responses for each case.
        scorer: ``sandbox``, or ``process`` for approved tasks only.
        weights: Weight of each family in the weighted score of a benchmark; empty for none.
        origin: What it was made from, e.g. ``benchmark NAME VERSION`` or ``rescore RUN``; "" for a grid.
    """

    tasks: tuple[PlannedTask, ...]
    model: str
    samples: int = 1
    sampling: Sampling = Sampling()
    scorer: str = "sandbox"
    weights: Mapping[str, float] | None = None
    origin: str = ""

    def __post_init__(self) -> None:
        if not self.tasks:
            raise UsageError("evaluation", "no task is named", "bootcamp evaluate TASK… --model PROVIDER:MODEL")
        if self.scorer not in SCORERS:
            raise UsageError("evaluation --score", f"{self.scorer!r}", f"use one of {', '.join(SCORERS)}")
        if self.scorer == "process" and self.origin.startswith(FOREIGN):
            raise UsageError("evaluation --score process", "foreign tasks are nobody's to approve", "use sandbox")
        if not 1 <= self.samples <= 10_000 or self.sampling.max_tokens < 1:
            raise UsageError("evaluation", "samples or max_tokens out of range", "1 ≤ samples ≤ 10000, max_tokens ≥ 1")
        if self.total > MAX_CASES:
            raise UsageError("evaluation", f"{self.total} rollouts", f"at most {MAX_CASES}: split it")

    @property
    def total(self) -> int:
        """Rollouts in all."""
        return self.samples * sum(len(task.cases) for task in self.tasks)

    @property
    def hash(self) -> str:
        """Hex SHA-256 of the plan."""
        return digest(canonical(self.to_json()))

    def to_json(self) -> dict[str, Json]:
        """Plain data."""
        tasks = [
            {
                "task_id": task.task_id,
                "content_hash": task.content_hash,
                "family": task.family,
                "cases": [[case.level, case.seed, case.key, case.prompt_hash] for case in task.cases],
            }
            for task in self.tasks
        ]
        return {
            "schema": SCHEMA,
            "model": self.model,
            "samples": self.samples,
            "sampling": asdict(self.sampling),
            "scorer": self.scorer,
            "weights": dict(self.weights) if self.weights else None,
            "origin": self.origin,
            "tasks": tasks,
        }

    @classmethod
    def from_json(cls, raw: Json) -> EvaluationPlan:
        """Read what :meth:`to_json` wrote.

        Raises:
            UsageError: of another schema, or not a plan.
        """
        try:
            if raw["schema"] != SCHEMA:
                raise ValueError(f"schema {raw['schema']!r}, not {SCHEMA}")
            tasks = tuple(
                PlannedTask(
                    task["task_id"],
                    task["content_hash"],
                    task["family"],
                    tuple(CaseRef(*case) for case in task["cases"]),
                )
                for task in raw["tasks"]
            )
            sampling = Sampling(**raw["sampling"])
            return cls(
                tasks, raw["model"], raw["samples"], sampling, raw["scorer"], raw["weights"], raw.get("origin", "")
            )
        except (KeyError, TypeError, ValueError) as error:
            raise UsageError("evaluation plan", f"not readable: {error}", "start a new run") from error


def grid(folders: Sequence[TaskFolder], levels: Sequence[int] | None, seeds: range) -> tuple[PlannedTask, ...]:
    """Every task at every level and seed; ``levels`` None takes all that a task has.

    Raises:
        UsageError: a task lacks a level, no seed, or a task named twice.
    """
    if not seeds:
        raise UsageError("seeds", "an empty range", "give a number ≥ 1, or START:END")
    found: list[PlannedTask] = []
    for folder in folders:
        card = folder.card
        if any(card.id == task.task_id for task in found):
            raise UsageError(f"task {card.id}", "named twice", "name each task once")
        chosen = list(levels) if levels is not None else list(card.difficulty.levels)
        for level in chosen:
            if level not in card.difficulty.levels:
                last = card.difficulty.levels[-1]
                raise UsageError(f"level {level} of {card.id}", f"its levels run from 1 to {last}", "name one of these")
        if len(seeds) * len(chosen) > MAX_CASES:
            raise UsageError("evaluation", f"{len(seeds) * len(chosen)} cases of {card.id}", f"at most {MAX_CASES}")
        cases = tuple(CaseRef(level, seed) for level in chosen for seed in seeds)
        found.append(PlannedTask(card.id, folder.content_hash, card.family, cases))
    return tuple(found)


def parse_levels(text: str) -> list[int]:
    """``1-3,5`` → 1, 2, 3, 5.

    Raises:
        UsageError: not of this form.
    """
    return list(dict.fromkeys(_levels(text)))


def _levels(text: str) -> Iterator[int]:
    for part in text.split(","):
        match = _RANGE.fullmatch(part.strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if last < first:
            raise UsageError("levels", f"{text[:60]!r}", "write e.g. 2, 1-3 or 1-3,5")
        yield from range(first, last + 1)


def parse_seeds(text: str, *, open_end: bool = False) -> tuple[int, int | None]:
    """``50`` → (0, 50); ``100:200`` → (100, 200); with ``open_end`` also ``100:`` → (100, None).

    Raises:
        UsageError: not of this form, or an empty range.
    """
    match = _SEEDS.fullmatch(text.strip())
    if not match:
        raise UsageError("seeds", f"{text[:60]!r}", "write a number, or START:END")
    if ":" not in text:
        start, end = 0, int(match[1])
    elif match[2] is None:
        if not open_end:
            raise UsageError("seeds", f"{text[:60]!r} has no end", "write START:END")
        return int(match[1]), None
    else:
        start, end = int(match[1]), int(match[2])
    if end <= start:
        raise UsageError("seeds", f"{text[:60]!r} is an empty range", "START must be below END")
    return start, end
