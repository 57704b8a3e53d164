"""What the compiler hands back: a task with its explanation, or a refusal that names the stage and the reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

from bootcamp_kit.folder import TaskFolder
from sandbox.calls import Observation

AUTHOR = "compiler/5"
"""Goes into cards and lineages; the number grows when the same brief compiles to other bytes."""

ProgramRunner: TypeAlias = Callable[[Sequence[tuple[str, str]]], list[Observation]]
"""Runs (source, stdin) pairs as ``Op.PROGRAM`` calls in the sandbox, each in a process of its own; same order back."""


class Stage(StrEnum):
    """Where a brief was refused, in the order of the work."""

    READ = "read"
    """No solution, no samples, no Input or Output section, another language: not a brief for the compiler."""
    WORDING = "wording"
    """The statement asks for something an exact comparison cannot judge, or shows a picture."""
    SOLUTION = "solution"
    """The reference does what a pure function cannot do."""
    GRAMMAR = "grammar"
    """A sentence of the Input section was not understood, or a guarantee cannot be kept."""
    BOUNDS = "bounds"
    """A bound is missing or contradicts another."""
    SAMPLES = "samples"
    """A sample does not read back as the statement says."""
    REFERENCE = "reference"
    """The reference does not reproduce the samples, fails, runs too long, or differs from run to run."""
    LEVELS = "levels"
    """No five sizes inside the bounds that a prompt can hold."""
    CASES = "cases"
    """The reference fails, or its pure form differs, on a generated input."""
    OUTPUT = "output"
    """The printed answer has no form that can be read back strictly."""
    ANSWERS = "answers"
    """Too many cases share one answer, whatever the mix."""


ADVICE = {
    Stage.READ: "give what is missing (docs/briefs.md), or have a model write it: --author PROVIDER:MODEL",
    Stage.WORDING: "let exactly one answer be right and say so, or have a model write it: --author PROVIDER:MODEL",
    Stage.SOLUTION: "let the solution only read its input, compute and print",
    Stage.GRAMMAR: "write it like the sentences in docs/briefs.md",
    Stage.BOUNDS: "state each bound once, e.g. (1 ≤ n ≤ 100)",
    Stage.SAMPLES: "mend the sample or the Input section",
    Stage.REFERENCE: "mend the sample or the solution",
    Stage.LEVELS: "allow smaller inputs in the statement",
    Stage.CASES: "mend the solution, or the bounds it cannot meet",
    Stage.OUTPUT: "ask for one answer: integers, words, or a grid",
    Stage.ANSWERS: "ask for something whose answers vary more",
}
"""Stage → what the author of a brief can do about it."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a brief cannot be compiled soundly. Nothing was forced."""

    stage: Stage
    reason: str

    @property
    def advice(self) -> str:
        """What to do about it."""
        return ADVICE[self.stage]

    def __str__(self) -> str:
        return f"{self.stage.value}: {self.reason}"


@dataclass(frozen=True, slots=True)
class LevelFigures:
    """What was measured about one level while compiling.

    Attributes:
        level: From 1.
        params: Its parameters.
        cases: How many cases were generated, solved twice and compared.
        distinct_answers: How many different answers among them.
        top_share: Share of the most frequent answer.
        longest_prompt: In characters.
    """

    level: int
    params: dict[str, int]
    cases: int
    distinct_answers: int
    top_share: float
    longest_prompt: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """What the compiler understood and measured, for ``--explain`` and for the reviewer.

    Attributes:
        input_format: The intermediate representation as plain data.
        output: The answer's form in words.
        mix: Name of the generator mix that was kept, and those tried before it.
        levels: One entry a level.
        samples: How many samples were reproduced.
        compared: On how many inputs the original and its pure form printed the same bytes.
        notes: What a reviewer should know.
    """

    input_format: dict[str, Any]
    output: str
    mix: tuple[str, ...]
    levels: tuple[LevelFigures, ...]
    samples: int
    compared: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Compiled:
    """A task folder and how it came about."""

    folder: TaskFolder
    explanation: Explanation


class Refused(Exception):
    """Carries a :class:`Refusal` out of a stage; never leaves ``compile_brief``."""

    def __init__(self, stage: Stage, reason: str) -> None:
        super().__init__(reason)
        self.refusal = Refusal(stage, reason)
