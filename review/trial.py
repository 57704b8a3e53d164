"""Lets a person answer one case and see what the task makes of it. The task's code runs in the sandbox only."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

from bootcamp_kit.card import Card
from bootcamp_kit.case import Case, Outcome, Score
from bootcamp_kit.errors import MachineError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import Json
from sandbox.calls import Call, JobOutcome, Observation, Op, case_to_json
from sandbox.checks.observed import answer_of, describe, score_of
from sandbox.limits import JobLimits


class Reviewable(Protocol):
    """What a trial needs of an item."""

    @property
    def ref(self) -> str:
        """Its name."""
        ...

    @property
    def folder(self) -> TaskFolder:
        """Its files."""
        ...


class Box(Protocol):
    """One candidate's code behind a function server."""

    def fresh(self, call: Call) -> Observation:
        """One call in a process of its own."""
        ...


class Boxes(Protocol):
    """An entered sandbox."""

    def box(self, files: Mapping[str, bytes], limits: JobLimits | None = None) -> AbstractContextManager[Box]:
        """A box for one candidate."""
        ...


@dataclass(frozen=True, slots=True)
class Trial:
    """One case as a solver sees it, and what became of a response to it.

    Attributes:
        prompt: The whole text; "" when the task gave none.
        response: What was answered; None when only the case was shown.
        parsed: The answer that was read, when ``malformed`` is "" and a response was given.
        malformed: Why no answer could be read, or "".
        score: The verdict; None without a response, or when the task failed.
        problem: What the task did wrong (a crash, a time-out, a value of a wrong type), or "".
    """

    ref: str
    level: int
    seed: int
    prompt: str = ""
    response: str | None = None
    parsed: Json = None
    malformed: str = ""
    score: Score | None = None
    problem: str = ""

    @property
    def right(self) -> bool:
        """Whether the response got full marks."""
        return self.score is not None and self.score.outcome is Outcome.CORRECT

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {**asdict(self), "right": self.right}


def trial(sandbox: Boxes, item: Reviewable, level: int, seed: int, response: str | None = None) -> Trial:
    """Make one case, and judge a response to it if one is given.

    Raises:
        UsageError: no such level, or no readable card.
        MachineError: the sandbox failed.
    """
    card = item.folder.card
    params = card.difficulty.params(level)
    shown = Trial(item.ref, level, seed, response=response)
    with sandbox.box(item.folder.sources, limits_of(card)) as box:
        made = _ask(box, Op.GENERATE, {"task_id": card.id, "level": level, "seed": seed, "params": params}, item.ref)
        if not made.ok:
            return replace(shown, problem=f"generate: {describe(made)}")
        case = case_to_json(Case(card.id, level, seed, params, made.value))
        prompt = _ask(box, Op.PROMPT, {"case": case}, item.ref)
        if not isinstance(prompt.value, str):
            return replace(shown, problem=f"prompt: {describe(prompt)}")
        shown = replace(shown, prompt=prompt.value)
        if response is None:
            return shown
        parsed = _ask(box, Op.PARSE, {"response": response}, item.ref)
        scored = _ask(box, Op.SCORE, {"case": case, "response": response}, item.ref)
    return _judged(shown, parsed, scored)


def _judged(shown: Trial, parsed: Observation, scored: Observation) -> Trial:
    answer, score = answer_of(parsed), score_of(scored)
    problems = []
    if answer is None:
        problems.append(f"parse: {describe(parsed)}")
    elif answer[0] == "malformed":
        shown = replace(shown, malformed=answer[1])
    else:
        shown = replace(shown, parsed=answer[1])
    if score is None:
        problems.append(f"score: {describe(scored)}")
    return replace(shown, score=score, problem="; ".join(problems))


def _ask(box: Box, op: Op, arguments: Mapping[str, Json], ref: str) -> Observation:
    observation = box.fresh(Call(op, arguments))
    if observation.outcome is JobOutcome.INFRASTRUCTURE:
        raise MachineError(f"trying {ref}", observation.error, "check the engine with `bootcamp doctor`")
    return observation


def limits_of(card: Card) -> JobLimits:
    """What one call of the task may use."""
    return JobLimits(wall_s=card.limits.seconds_per_call, address_mb=card.limits.memory_mb)
