"""One instance of a task, and what a response to it earned."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from bootcamp_kit.difficulty import Params
from bootcamp_kit.jsondata import Json, canonical, digest

Payload: TypeAlias = Json
"""What ``generate`` made: JSON data and nothing else."""

Answer: TypeAlias = Json
"""What ``parse`` read out of a response: JSON data."""


@dataclass(frozen=True, slots=True)
class Case:
    """One instance at (level, seed)."""

    task_id: str
    level: int
    seed: int
    params: Params
    payload: Payload

    @property
    def key(self) -> str:
        """Hex SHA-256 of the canonical payload: equal instances have equal keys."""
        return digest(canonical(self.payload))


class Outcome(StrEnum):
    """The class of a score. A crash is not an outcome."""

    CORRECT = "correct"
    PARTIAL = "partial"
    WRONG = "wrong"
    MALFORMED = "malformed"


@dataclass(frozen=True, slots=True)
class Score:
    """A number in [0, 1], its class, and one sentence that says why.

    Raises:
        ValueError: value and outcome do not agree, or the value is not a finite float in [0, 1].
        TypeError: the value is not exactly ``float`` (a ``numpy.float64``, a ``bool`` and an ``int`` are refused).
    """

    value: float
    outcome: Outcome
    reason: str = ""

    def __post_init__(self) -> None:
        if type(self.value) is not float:
            raise TypeError(f"a score's value is a float, not {type(self.value).__name__} {self.value!r}")
        if not isinstance(self.outcome, Outcome) or type(self.reason) is not str:
            raise TypeError("a score is (float, Outcome, str)")
        if not (math.isfinite(self.value) and 0.0 <= self.value <= 1.0):
            raise ValueError(f"a score's value is in [0, 1], not {self.value!r}")
        fits = {
            Outcome.CORRECT: self.value == 1.0,
            Outcome.PARTIAL: 0.0 < self.value < 1.0,
            Outcome.WRONG: self.value == 0.0,
            Outcome.MALFORMED: self.value == 0.0,
        }
        if not fits[self.outcome]:
            raise ValueError(f"value {self.value!r} does not go with outcome {self.outcome.value}")

    @classmethod
    def correct(cls, reason: str = "") -> Score:
        """Full marks."""
        return cls(1.0, Outcome.CORRECT, reason)

    @classmethod
    def wrong(cls, reason: str) -> Score:
        """A well-formed answer that is not right."""
        return cls(0.0, Outcome.WRONG, reason)

    @classmethod
    def partial(cls, value: float, reason: str) -> Score:
        """Strictly between 0 and 1."""
        return cls(value, Outcome.PARTIAL, reason)

    @classmethod
    def malformed(cls, reason: str) -> Score:
        """No well-formed answer in the response."""
        return cls(0.0, Outcome.MALFORMED, reason)
