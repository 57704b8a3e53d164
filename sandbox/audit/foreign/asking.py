"""The host's end of the foreign harness: requests out, rows of answers in; a request that hangs or dies is data."""

from __future__ import annotations

import json
import math
import re
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
BUSY = 20.0
"""Seconds of a clock for one second of work that a busy machine may take."""
SCORES_S, ONE_S, DEEPER_S, LIST_S, IMPORT_S = 1.0, 2.5, 5.0, 60.0, 5.0
"""Work after which a request for scores tells what it has, of its last response; of another request; of a listing;
of a first request in addition."""
_WORKED, _WAITED, IDLE_S = re.compile(r"killed by SIG(?:PROF|VTALRM|XCPU)"), re.compile(r"killed by SIGALRM"), 0.5
_LAST_END = re.compile(r"more than \d+ CPU seconds")
_LAST_WORDS = re.compile(r" in asked_(\d{1,6})\b")
MAKE_S = 3.0
"""Work after which a request for cases tells those that it has."""
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
            for name in ("deeper", "layouts", "reference", "running", "unread")
        },
    }


class ForeignAsker:
    """One process of the library in a box; a new one when it dies."""

    def __init__(self, box: Box, session: Session) -> None:
        self.box, self._session = box, session
        self.patience = PATIENCE
        self._left, self._until = math.inf, math.inf
        self.spent = 0.0
        self._making, self._new = 0.0, True  # work of the last cases; whether the process has answered nothing yet
        self.died_in: int | None = None  # which of many calls the last request died in, where that is known

    def allow(self, seconds: float) -> None:
        """Let one task have so many seconds of work from now on, and on a busy machine as many times as long."""
        self._left, self._until = seconds, time.monotonic() + BUSY * seconds

    @property
    def over(self) -> bool:
        """Whether the time for one task is over."""
        return self._left <= 0 or time.monotonic() > self._until

    def load(self) -> None:
        """Import the library, so that no later request is charged with it.

        Raises:
            MachineFault: it cannot be imported.
        """
        if not (seen := self._ask({"do": "load"}, LIST_S)).ok:
            raise MachineFault(_why(seen))

    def names(self) -> list[str]:
        """All tasks of the library.

        Raises:
            MachineFault: it cannot be listed.
        """
        seen = self._ask({"do": "list"}, LIST_S)
        names = _value(seen)
        if not isinstance(names, list):
            raise MachineFault(_why(seen))
        return [str(name) for name in names]

    def make(
        self, name: str, seed: int, count: int, start: int = 0, seconds: float = MAKE_S
    ) -> list[dict[str, Any]] | str:
        """Cases of one task, fewer where so many take too long; a text says why there are none."""
        request = {"do": "make", "name": name, "seed": seed, "count": count, "start": start, "seconds": seconds}
        seen = self._ask(request, 4 * seconds)
        self._making = min(seen.cpu_s, 4 * seconds)
        if seen.outcome in (JobOutcome.TIMEOUT, JobOutcome.OUTPUT_LIMIT) and count > 1:
            return self.make(name, seed, count // 6 or 1, start, seconds)
        made = _value(seen)
        if not isinstance(made, list) or not all(isinstance(item, dict) for item in made):
            return _why(seen)
        return made

    def score(
        self, name: str, seed: int, asked: Sequence[tuple[int, str]], marks: Iterable[str] = (), *, raw: bool = False
    ) -> list[Answered]:
        """What each response to each numbered case earned; what it died on is looked for by halves.

        ``raw`` asks about the cases as they were made, before they became JSON data.
        """
        request = {"do": "score", "name": name, "seed": seed, "raw": raw, "marks": list(marks)}
        found: list[Answered] = []
        doubtful, culprits = 0, dict[int, Answered]()  # how many next ones a death is among; who it was, by place
        while len(found) < len(asked):
            if len(found) in culprits:
                found.append(culprits.pop(len(found)))
                continue
            if self.patience <= 0 or self.over:
                left = range(len(found), len(asked))
                return found + [culprits.get(place, Answered(None, GIVEN_UP)) for place in left]
            end = min([len(asked), *culprits]) if not doubtful else len(found) + (doubtful // 2 or 1)
            part = asked[len(found) : end]
            seen = self._ask({**request, "asked": [list(item) for item in part]}, SCORES_S + ONE_S)
            told = _value(seen)
            if isinstance(told, list) and 0 < len(told) <= len(part):
                found += [_answered(item) for item in told]
                doubtful = max(0, doubtful - len(told))
                self.patience -= SLOW_COSTS * sum(item.problem.startswith(TOO_SLOW) for item in found[-len(told) :])
                continue
            self.patience -= 1
            culprit = 0 if len(part) == 1 else self.died_in
            if culprit is not None and culprit < len(part):
                culprits[len(found) + culprit] = Answered(None, _why(seen))
                doubtful = 0
            else:
                doubtful = len(part)
        return found

    def deeper(self, do: str, name: str, **args: Any) -> Any:
        """What the harness answers to one of its other questions; None where it gave no answer in time."""
        if self.over:
            return None
        seen = self._ask({"do": do, "name": name, **args}, DEEPER_S)
        if not seen.ok:
            self.patience -= 1
        value = _value(seen)
        return None if isinstance(value, dict) and set(value) == {"foreign"} else value

    def _ask(self, request: dict[str, Any], work_s: float) -> Observation:
        if self._new:  # it has to import the library, and to make again the cases that it is asked about
            work_s += IMPORT_S + self._making
        seen = self._session.call(Call(Op.PARSE, {"response": json.dumps({**request, "work_s": work_s})}))
        self._left -= seen.cpu_s
        self.spent += seen.cpu_s
        self._new = seen.outcome not in (JobOutcome.OK, JobOutcome.EXCEPTION)
        words = _LAST_WORDS.findall(seen.stderr) if self._new else []
        self.died_in = int(words[-1]) if words else None
        if seen.outcome is JobOutcome.EXCEPTION and not request.get("plainly"):  # its answer may be no JSON data
            return self._ask({**request, "plainly": True}, work_s)
        if seen.outcome in (JobOutcome.INFRASTRUCTURE, JobOutcome.EXCEPTION):  # the harness lets none of theirs out
            raise MachineFault(seen.error[:300])
        return seen


def _value(seen: Observation) -> Any:
    return seen.value.get("answer") if seen.ok and isinstance(seen.value, dict) else None


def _why(seen: Observation) -> str:
    if seen.ok:
        foreign = _value(seen)
        if isinstance(foreign, dict) and set(foreign) == {"foreign"}:
            return str(foreign["foreign"])[:400]
        return f"{ENDED} an answer of another shape"
    if (
        _WORKED.search(seen.error)
        or _LAST_END.search(seen.error)
        or (_WAITED.search(seen.error) and seen.cpu_s < IDLE_S)
    ):
        return f"{TOO_SLOW}: the process did too much work without an answer, or waited too long"
    if _WAITED.search(seen.error):  # the machine had no time for it
        return GIVEN_UP
    return f"{ENDED} {seen.outcome.value}: {seen.error[:300]}"


def _answered(raw: Any) -> Answered:
    if not isinstance(raw, list) or len(raw) != 3:
        return Answered(None, "an answer of another shape")
    value = float(raw[0]) if isinstance(raw[0], int | float) else None
    return Answered(value, str(raw[1])[:400], tuple(str(item) for item in raw[2]))
