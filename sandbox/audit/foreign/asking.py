"""The host's end of the foreign harness: requests out, rows of answers in; a request that hangs or dies is data."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from sandbox.box import Box, Session
from sandbox.calls import Call, JobOutcome, Observation, Op

ADAPTERS = {
    "reasoning_gym": "reasoning_gym_adapter.py",
    "internbootcamp": "internbootcamp_adapter.py",
    "callable": "callable_adapter.py",
    "verifiers": "verifiers_adapter.py",
}
ENDED = "the call ended with"
PATIENCE = 12
"""Requests about one task that may hang or die before it is asked no more."""
PART, BUSY = 0.05, 20.0
"""Of the time of one request, after which the harness itself stops and tells what it has; seconds of a clock for one
second of work that a busy machine may take."""
TOO_SLOW, SLOW_COSTS = "TooSlow", 4
GIVEN_UP = "given up: too many calls before this one hung or died, or the time for one task was over"


class MachineFault(Exception):
    """Our own machinery failed: the task is not blamed."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What one response earned.

    Attributes:
        value: The score, or None.
        problem: Why there is none, or what is odd about it.
        executed: Executors that a marked text of the response reached, as ``eval MARK``.
    """

    value: float | None
    problem: str = ""
    executed: tuple[str, ...] = ()

    @property
    def known(self) -> bool:
        """Whether the scorer was asked and answered or raised; not, when it was given up or its process ended."""
        return self.value is not None or not self.problem.startswith((GIVEN_UP, ENDED, TOO_SLOW))


def files(library: str) -> dict[str, bytes]:
    """What is sent into the box."""
    folder = resources.files("sandbox.audit.foreign")
    return {
        "bootcamp.py": folder.joinpath("guest.py").read_bytes(),
        "adapter.py": folder.joinpath(ADAPTERS[library]).read_bytes(),
        **{
            f"{name}.py": folder.joinpath(f"guest_{name}.py").read_bytes()
            for name in ("deeper", "layouts", "reference", "running")
        },
    }


class ForeignAsker:
    """One process of the library in a box; a new one when it dies."""

    def __init__(self, box: Box, session: Session, call_s: float) -> None:
        self.box, self._session, self.call_s = box, session, call_s
        self.patience = PATIENCE
        self._left, self._until = math.inf, math.inf
        self.spent = 0.0

    def allow(self, seconds: float) -> None:
        """Let one task have so many seconds of work from now on, and on a busy machine as many times as long."""
        self._left, self._until = seconds, time.monotonic() + BUSY * seconds

    @property
    def over(self) -> bool:
        """Whether the time for one task is over."""
        return self._left <= 0 or time.monotonic() > self._until

    def names(self) -> list[str]:
        """All tasks of the library.

        Raises:
            MachineFault: it cannot be listed.
        """
        seen = self._ask({"do": "list"})
        names = _value(seen)
        if not isinstance(names, list):
            raise MachineFault(_why(seen))
        return [str(name) for name in names]

    def make(self, name: str, seed: int, count: int, start: int = 0) -> list[dict[str, Any]] | str:
        """Cases of one task, fewer where so many take too long; a text says why there are none."""
        seconds = self.call_s * PART
        seen = self._ask({"do": "make", "name": name, "seed": seed, "count": count, "start": start, "seconds": seconds})
        if seen.outcome in (JobOutcome.TIMEOUT, JobOutcome.OUTPUT_LIMIT) and count > 1:
            return self.make(name, seed, count // 6 or 1, start)
        made = _value(seen)
        if not isinstance(made, list) or not all(isinstance(item, dict) for item in made):
            return _why(seen)
        return made

    def score(
        self, name: str, seed: int, asked: Sequence[tuple[int, str]], marks: Iterable[str] = (), *, raw: bool = False
    ) -> list[Answered]:
        """What each response to each numbered case earned; a request that dies is halved until the culprit is found.

        ``raw`` asks about the cases as they were made, before they became JSON data.
        """
        if not asked:
            return []
        if self.patience <= 0 or self.over:
            return [Answered(None, GIVEN_UP)] * len(asked)
        request = {"do": "score", "name": name, "seed": seed, "asked": [list(item) for item in asked], "raw": raw}
        seen = self._ask({**request, "marks": list(marks)})
        found = _value(seen)
        if isinstance(found, list) and len(found) == len(asked):
            answered = [_answered(item) for item in found]
            self.patience -= SLOW_COSTS * sum(item.problem.startswith(TOO_SLOW) for item in answered)
            return answered
        self.patience -= 1
        if len(asked) == 1:
            return [Answered(None, _why(seen))]
        middle = len(asked) // 2
        first = self.score(name, seed, asked[:middle], marks, raw=raw)
        return first + self.score(name, seed, asked[middle:], marks, raw=raw)

    def deeper(self, do: str, name: str, **args: Any) -> Any:
        """What the harness answers to one of its other questions; None where it gave no answer in time."""
        if self.over:
            return None
        seen = self._ask({"do": do, "name": name, **args})
        if not seen.ok:
            self.patience -= 1
        return _value(seen)

    def _ask(self, request: dict[str, Any]) -> Observation:
        seen = self._session.call(Call(Op.PARSE, {"response": json.dumps(request)}))
        self._left -= seen.cpu_s
        self.spent += seen.cpu_s
        if seen.outcome in (JobOutcome.INFRASTRUCTURE, JobOutcome.EXCEPTION):  # the harness lets none of theirs out
            raise MachineFault(seen.error[:300])
        return seen


def _value(seen: Observation) -> Any:
    return seen.value.get("answer") if seen.ok and isinstance(seen.value, dict) else None


def _why(seen: Observation) -> str:
    if seen.ok:
        return f"{ENDED} an answer of another shape"
    return f"{ENDED} {seen.outcome.value}: {seen.error[:300]}"


def _answered(raw: Any) -> Answered:
    if not isinstance(raw, list) or len(raw) != 3:
        return Answered(None, "an answer of another shape")
    value = float(raw[0]) if isinstance(raw[0], int | float) else None
    return Answered(value, str(raw[1])[:400], tuple(str(item) for item in raw[2]))
