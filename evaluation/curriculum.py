"""Which (task, level, seed) to draw next: weights from a file, levels that follow the learner; the same under one seed.

The mix is a TOML file that users read and write::

    seed = 7
    [families]                    # weight of a family; 1 when not named
    arithmetic = 2.0
    [tasks.seat_rotation]
    weight = 0.5                  # on top of its family's; 0 leaves it out
    levels = [1, 2, 3]            # default: all
    [adaptive]                    # optional: without it levels are drawn evenly
    band = [0.3, 0.7]             # rolling mean score that keeps a level
    window = 32                   # scores it is taken over
    spread = 0.25                 # chance to draw from the other unlocked levels
"""

from __future__ import annotations

import math
import random
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bootcamp_kit.card import Card
from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import Json
from bootcamp_kit.tomldata import read_toml


@dataclass(frozen=True, slots=True)
class Adaptive:
    """How a task's level follows its scores.

    Attributes:
        low, high: Below ``low`` the level falls, above ``high`` it rises.
        window: Scores at the present level before it may move.
        spread: Chance of a draw from the levels below the present one, so that they are not forgotten.
    """

    low: float = 0.3
    high: float = 0.7
    window: int = 32
    spread: float = 0.25

    def __post_init__(self) -> None:
        if not (0 <= self.low < self.high <= 1 and 1 <= self.window <= 100_000 and 0 <= self.spread <= 1):
            raise UsageError("mix [adaptive]", f"{self}", "0 ≤ low < high ≤ 1, window ≥ 1, 0 ≤ spread ≤ 1")


@dataclass(frozen=True, slots=True)
class Mix:
    """The file."""

    seed: int = 0
    families: Mapping[str, float] = field(default_factory=dict)
    weights: Mapping[str, float] = field(default_factory=dict)
    levels: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    adaptive: Adaptive | None = None

    def __post_init__(self) -> None:
        for name, weight in {**self.families, **self.weights}.items():
            if not math.isfinite(weight) or weight < 0:
                raise UsageError(f"mix: weight of {name}", f"{weight}", "give a finite number of 0 or more")

    @classmethod
    def read(cls, path: Path) -> Mix:
        """Read the file.

        Raises:
            UsageError: not there, not TOML, or a key that is unknown or of a wrong type.
        """
        try:
            return cls.from_dict(read_toml(path.read_bytes()))
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise UsageError(f"mix {path}", str(error), "see docs/training.md, which shows such a file") from error

    @classmethod
    def from_dict(cls, raw: Mapping[str, Json]) -> Mix:
        """Plain data in the shape of the file.

        Raises:
            ValueError, TypeError, AttributeError: not of that shape.
        """
        if unknown := set(raw) - {"seed", "families", "tasks", "adaptive"}:
            raise ValueError(f"unknown keys {sorted(unknown)}")
        tasks = raw.get("tasks", {})
        for name, task in tasks.items():
            if unknown := set(task) - {"weight", "levels"}:
                raise ValueError(f"[tasks.{name}] has unknown keys {sorted(unknown)}")
        adaptive = dict(raw["adaptive"]) if "adaptive" in raw else None
        if adaptive is not None:
            low, high = adaptive.pop("band", (0.3, 0.7))
            adaptive |= {"low": float(low), "high": float(high)}
        return cls(
            int(raw.get("seed", 0)),
            {name: float(weight) for name, weight in raw.get("families", {}).items()},
            {name: float(task["weight"]) for name, task in tasks.items() if "weight" in task},
            {name: tuple(map(int, task["levels"])) for name, task in tasks.items() if "levels" in task},
            Adaptive(**adaptive) if adaptive is not None else None,
        )

    def to_json(self) -> dict[str, Json]:
        """Plain data in the shape of the file."""
        found: dict[str, Json] = {"seed": self.seed, "families": dict(self.families), "tasks": {}}
        for name in sorted({*self.weights, *self.levels}):
            task: dict[str, Json] = {}
            if name in self.weights:
                task["weight"] = self.weights[name]
            if name in self.levels:
                task["levels"] = list(self.levels[name])
            found["tasks"][name] = task
        if rule := self.adaptive:
            found["adaptive"] = {"band": [rule.low, rule.high], "window": rule.window, "spread": rule.spread}
        return found


@dataclass(frozen=True, slots=True)
class Draw:
    """One case to train on."""

    task_id: str
    level: int
    seed: int


class Curriculum:
    """Draws cases and listens to scores. Two that were told the same draw the same.

    Each (task, level) walks its own seeds from ``first_seed`` on, so no case is drawn twice and the seeds in use are
    known. Unscored rollouts are not told: they say nothing about the learner.
    """

    def __init__(self, cards: Sequence[Card], mix: Mix, *, first_seed: int = 0) -> None:
        known = {card.id for card in cards} | {card.family for card in cards}
        if strangers := (set(mix.families) | set(mix.weights) | set(mix.levels)) - known:
            raise UsageError("mix", f"it names {', '.join(sorted(strangers))}, which are not given", "mend the names")
        self.mix = mix
        self._rng = random.Random(f"curriculum/{mix.seed}")
        cards = sorted(cards, key=lambda card: card.id)
        self._levels = {card.id: mix.levels.get(card.id, tuple(card.difficulty.levels)) for card in cards}
        for card in cards:
            for level in self._levels[card.id]:
                card.difficulty.params(level)
        weights = {card.id: mix.families.get(card.family, 1.0) * mix.weights.get(card.id, 1.0) for card in cards}
        self._tasks = [name for name, weight in weights.items() if weight > 0 and self._levels[name]]
        if not self._tasks:
            raise UsageError("mix", "every task has weight 0 or no level", "give one a weight")
        self._weights = [weights[name] for name in self._tasks]
        self._place = dict.fromkeys(self._tasks, 0)
        self._next: dict[tuple[str, int], int] = {}
        self._first = first_seed
        window = mix.adaptive.window if mix.adaptive else 1
        self._scores: dict[str, deque[float]] = {name: deque(maxlen=window) for name in self._tasks}

    def __iter__(self) -> Iterator[Draw]:
        while True:
            yield self.draw()

    def draw(self) -> Draw:
        """The next case."""
        [name] = self._rng.choices(self._tasks, self._weights)
        level = self._level(name)
        seed = self._next.get((name, level), self._first)
        self._next[name, level] = seed + 1
        return Draw(name, level, seed)

    def tell(self, draw: Draw, score: float) -> None:
        """A score in [0, 1] of a response to a draw; only scores at a task's present level move it.

        Raises:
            ValueError: not in [0, 1].
        """
        if not 0.0 <= score <= 1.0:
            raise ValueError(f"a score is in [0, 1], not {score!r}")
        rule, name = self.mix.adaptive, draw.task_id
        if rule is None or draw.level != self.level(name):
            return
        scores = self._scores[name]
        scores.append(score)
        if len(scores) < rule.window:
            return
        mean = math.fsum(scores) / len(scores)
        step = (mean > rule.high) - (mean < rule.low)
        place = min(max(0, self._place[name] + step), len(self._levels[name]) - 1)
        if place != self._place[name]:
            self._place[name] = place
            scores.clear()

    def level(self, task_id: str) -> int:
        """A task's present level."""
        return self._levels[task_id][self._place[task_id]]

    def standing(self) -> list[dict[str, Json]]:
        """For each task: its weight, its present level of those it has, and the scores that may move it."""
        return [
            {
                "task_id": name,
                "weight": weight,
                "level": self.level(name),
                "levels": list(self._levels[name]),
                "scores": len(self._scores[name]),
                "mean": math.fsum(self._scores[name]) / len(self._scores[name]) if self._scores[name] else None,
            }
            for name, weight in zip(self._tasks, self._weights, strict=True)
        ]

    def state(self) -> Json:
        """Plain data from which :meth:`restore` goes on as if nothing had happened."""
        version, words, gauss = self._rng.getstate()
        return {
            "rng": [version, list(words), gauss],
            "place": dict(self._place),
            "next": [[name, level, seed] for (name, level), seed in sorted(self._next.items())],
            "scores": {name: list(scores) for name, scores in self._scores.items()},
        }

    def restore(self, state: Json) -> None:
        """Go on from a stored state.

        Raises:
            ValueError, LookupError, TypeError, AttributeError: not one of this curriculum.
        """
        version, words, gauss = state["rng"]
        self._rng.setstate((version, tuple(words), gauss))
        self._place = {name: state["place"][name] for name in self._tasks}
        if not all(type(at) is int and 0 <= at < len(self._levels[name]) for name, at in self._place.items()):
            raise ValueError("a place that is no level of its task")
        self._next = {(str(name), int(level)): int(seed) for name, level, seed in state["next"]}
        for name, scores in state["scores"].items():
            self._scores[name].clear()
            self._scores[name].extend(map(float, scores))

    def _level(self, name: str) -> int:
        levels, rule = self._levels[name], self.mix.adaptive
        if rule is None:
            return self._rng.choice(levels)
        below = levels[: self._place[name]]
        if below and self._rng.random() < rule.spread:
            return self._rng.choice(below)
        return self.level(name)
