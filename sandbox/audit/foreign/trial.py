"""One foreign task under measurement: what is known of it, how it is asked, what was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bootcamp_kit.jsondata import Json
from bootcamp_kit.report import Finding, Witness
from sandbox.audit.foreign.asking import ENDED, TOO_SLOW, Answered, ForeignAsker
from sandbox.checks.policy import Policy

MEMORY = "MemoryError"


@dataclass(frozen=True, slots=True)
class ForeignPlan:
    """How much is measured.

    Attributes:
        cases: Made for each task.
        more_cases: Made where that is quick.
        seeds_promised: Whether the library says that a seed fixes its cases.
        quick_s: Seconds from which making the first cases is not quick.
        mutated: Right answers that are changed.
        odd_cases: Cases that get every odd response.
        seed: Of the cases.
        call_s: Seconds by the clock for one request, which may hold many responses; its work ends long before.
        cases_s: Seconds of work for one task's cases.
        truth_s: Seconds of work for finding right answers.
        task_s: Seconds of work for one task's scores; what is left then is skipped and says so.
        sweep_s: Seconds of work for one task's parameters, whatever its scores took.
    """

    cases: int = 40
    more_cases: int = 200
    mutated: int = 10
    odd_cases: int = 2
    seed: int = 20_240_917
    call_s: float = 120.0
    cases_s: float = 10.0
    truth_s: float = 3.5
    task_s: float = 4.0
    sweep_s: float = 3.0
    quick_s: float = 0.5
    seeds_promised: bool = True


DEEP = ForeignPlan(more_cases=400, mutated=24, odd_cases=4, cases_s=20.0, truth_s=15.0, task_s=30.0, sweep_s=15.0)
"""The whole battery; the plan by default is the first tier."""


@dataclass
class Result:
    """What came of one task."""

    name: str
    findings: list[Finding] = field(default_factory=list)
    skipped: list[dict[str, str]] = field(default_factory=list)
    figures: dict[str, Json] = field(default_factory=dict)
    reason: str = ""

    @property
    def verdict(self) -> str:
        """``fail`` from a blocker on, ``not-run`` where nothing could be measured."""
        if self.reason:
            return "not-run"
        return "fail" if any(item.severity.value == "blocker" for item in self.findings) else "pass"


class Trial:
    """One task under measurement: what is known of it, and how it is asked."""

    def __init__(self, first: ForeignAsker, second: ForeignAsker, name: str, plan: ForeignPlan, policy: Policy) -> None:
        self.first, self.second, self.name, self.plan, self.policy = first, second, name, plan, policy
        self.result = Result(name)
        self.made: list[dict[str, Any]] = []
        self.right: dict[int, str] = {}  # number → right answer, without its form
        self.truth: dict[int, str] = {}  # number → what the task's reference code answers, accepted or not
        self.blank: list[int] = []  # cases for which the believed reference code prints nothing
        self.told: frozenset[str] = frozenset()  # fields of an instance whose change changes its prompt
        self.outputs: dict[tuple[str, int], dict[int, str]] = {}
        self.silent: dict[str, dict[int, str]] = {}  # by layout: cases for which the reference code prints nothing
        self.taken: dict[
            tuple[str, str, str], dict[int, str]
        ] = {}  # by the way they were written: outputs that are right
        self.form = "§"
        self.slow = False  # whether a score takes so much work that few are asked for
        self.raw = False  # whether cases are asked about as they were made, before they became JSON data
        self.endings: dict[str, tuple[int, str, str]] = {}

    def find(self, code: str, message: str, number: int | None = None, response: str = "", seen: str = "") -> None:
        """Keep a finding; its witness is the number of a case and a response."""
        witness = Witness(
            "foreign",
            level=None if number is None else 0,
            seed=number,
            response=response[:20_000],
            expected=self.name,
            seen=seen[:500],
        )
        self.result.findings.append(self.policy.finding(code, message, witness))

    def skip(self, check: str, reason: str) -> None:
        """Keep that a check could not run."""
        self.result.skipped.append({"check": check, "reason": reason})

    def over(self) -> bool:
        """Whether the task's time is over."""
        return self.first.over

    def put(self, text: str) -> str:
        """An answer in the form that is asked for."""
        return self.form.replace("§", text)

    def ask(self, asked: Sequence[tuple[int, str]], marks: Sequence[str] = ()) -> list[Answered]:
        """What each response to each numbered case earned; the first that hangs and the first that dies are kept."""
        answered = self.first.score(self.name, self.plan.seed, asked, marks, raw=self.raw)
        for (number, text), item in zip(asked, answered, strict=True):
            if item.problem.startswith((ENDED, TOO_SLOW, MEMORY)):
                slow = "timeout" in item.problem or item.problem.startswith((TOO_SLOW, MEMORY))
                code = "foreign.score_limit" if slow else "foreign.score_crash"
                self.endings.setdefault(code, (number, text, item.problem))
        return answered
