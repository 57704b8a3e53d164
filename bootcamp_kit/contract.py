"""What every task is: a generator, a prompt, a parser and a verifier; and its reference solver.

A task module ends in ``BOOTCAMP = MyTask()``; its ``oracle.py`` ends in ``ORACLE = MyOracle()``; where there is a
``second_oracle.py``, it ends in ``SECOND = MySecondOracle()``.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from typing import final

from bootcamp_kit.case import Answer, Case, Payload, Score
from bootcamp_kit.difficulty import Params
from bootcamp_kit.errors import Malformed


class Bootcamp(ABC):
    """An endless source of verifiable cases.

    Every method is pure: the same arguments give the same result in any process, arguments are not changed, and
    nothing but ``rng`` is random. No method executes text, opens a file, reads a clock or talks to a network.
    """

    def __init_subclass__(cls, **kwargs: object) -> None:
        """Refuse a ``score`` of its own.

        Raises:
            TypeError: the class defines one.
        """
        super().__init_subclass__(**kwargs)
        if "score" in vars(cls):
            raise TypeError(f"{cls.__name__}.score: score is final; put the rules into parse and verify")

    @abstractmethod
    def generate(self, rng: random.Random, params: Params) -> Payload:
        """One instance as JSON data. Everything after this sees it only after a JSON round trip."""

    @abstractmethod
    def prompt(self, case: Case) -> str:
        """All that a solver needs: the rules, the instance, the answer format."""

    @abstractmethod
    def parse(self, response: str) -> Answer:
        """Read the answer out of a raw response, as JSON data; never guess.

        Raises:
            Malformed: there is no well-formed answer.
        """

    @abstractmethod
    def verify(self, case: Case, answer: Answer) -> Score:
        """Judge a parsed answer; total and terminating. A property, not a key, where several answers are right."""

    @final
    def score(self, case: Case, response: str) -> Score:
        """Parse, then verify. A ``Malformed`` scores 0; any other exception propagates and is never a score."""
        try:
            answer = self.parse(response)
        except Malformed as error:
            return Score.malformed(error.reason)
        return self.verify(case, answer)


class Oracle(ABC):
    """Reference solver. It lives in the sandbox and is never exported."""

    @abstractmethod
    def solve(self, case: Case) -> str:
        """A full response, so that the parser and the verifier are exercised too."""


class SecondOracle(ABC):
    """Another way to the right answers, for cases that are small enough: plain, slow, and written without the first.

    Optional. It lives in the sandbox and is never exported; an audit holds oracle and verifier against it.
    """

    @abstractmethod
    def answers(self, case: Case) -> list[str] | None:
        """Right answers as full responses: all, or at least two where there are several; None where it is too large."""

    def judge(self, case: Case, response: str) -> bool | None:
        """Whether the answer in a response is right by the rules; None for no opinion."""
        return None

    def cost(self, case: Case, response: str) -> float | None:
        """What the answer costs, where the least is asked for; None for no opinion or a forbidden answer."""
        return None
