"""A bug report about a task: a case, a response and what it should have got. First it is shown to fail, in the sandbox.

What does fail becomes a permanent example of the task (its name begins with ``reported: ``, and a repair cannot take it
away), and an order to mend it. What does not fail is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from bootcamp_kit.candidate import Candidate
from bootcamp_kit.card import Card
from bootcamp_kit.case import Case, Outcome
from bootcamp_kit.decision import RepairOrder
from bootcamp_kit.errors import MachineError, UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import Json
from bootcamp_kit.report import Finding, Severity, Witness
from review.subjects import Subject
from review.trial import limits_of
from review.visible import one_line
from sandbox.box import Box
from sandbox.calls import Call, JobOutcome, Observation, Op, case_to_json
from sandbox.checks.examples_file import REPORTED, Example, with_examples
from sandbox.checks.observed import describe, score_of
from sandbox.service import Sandbox

CODE, FILE = "report.example", "examples.toml"
MAX_NAME_CHARS, MAX_WORDS_CHARS, MAX_RESPONSE_CHARS = 70, 2_000, 100_000
_CASE_KEYS = {"task_id", "level", "seed", "params", "payload", "key", "prompt"}


class Expected(StrEnum):
    """What a response should have got."""

    CORRECT = "correct"
    WRONG = "wrong"
    MALFORMED = "malformed"


_GROUPS = {Expected.CORRECT: "accept", Expected.WRONG: "reject", Expected.MALFORMED: "malformed"}


@dataclass(frozen=True, slots=True)
class BugReport:
    """What somebody says is wrong.

    Attributes:
        words: In their words.
        level, seed: The case; with a ``payload`` the seed is only its name.
        payload: The case itself, or None to have it made.
        response: What was answered, whole; None: the reference solver's own answer should be right.
        expected: What it should have got.
    """

    words: str
    level: int
    seed: int = 0
    payload: Json = None
    response: str | None = None
    expected: Expected = Expected.CORRECT

    def __post_init__(self) -> None:
        if not self.words.strip() or len(self.words) > MAX_WORDS_CHARS:
            raise UsageError(
                "bug report", "no words, or too many", f"say what is wrong in {MAX_WORDS_CHARS} characters"
            )
        if self.response is None and self.expected is not Expected.CORRECT:
            raise UsageError("bug report", f"expected {self.expected}, of no response", "give --response as well")
        for text in (self.words, self.response or ""):
            try:
                size = len(text.encode("utf-8"))
            except UnicodeEncodeError:
                raise UsageError("bug report", "characters that are not valid Unicode", "give UTF-8 text") from None
            if size > MAX_RESPONSE_CHARS or "\0" in text:
                raise UsageError("bug report", "a NUL, or a very long text", f"at most {MAX_RESPONSE_CHARS} bytes")


@dataclass(frozen=True, slots=True)
class Shown:
    """What the sandbox made of a report.

    Attributes:
        seen: What the response gets now, in words.
        order: The order to mend it; None when nothing failed.
    """

    seen: str
    order: RepairOrder | None


def read_case(raw: Any) -> dict[str, Any]:
    """The case of a report: ``{"level": 2, "seed": 7}``, or with a ``payload``; an exported row's case does too.

    Raises:
        UsageError: not a case; names the key.
    """
    if not isinstance(raw, Mapping) or not set(raw) <= _CASE_KEYS or not {"seed", "payload"} & set(raw):
        do = 'e.g. {"level": 2, "seed": 7} or {"level": 2, "payload": {…}}'
        raise UsageError("bug report: --case", "not a case", do)
    level, seed = raw.get("level", 1), raw.get("seed", 0)
    if type(level) is not int or type(seed) is not int or seed < 0:
        raise UsageError("bug report: --case", "level or seed is not a number", "whole numbers, seed from 0")
    return {"level": level, "seed": seed, "payload": raw.get("payload")}


def show(sandbox: Sandbox, subject: Subject, report: BugReport) -> Shown:
    """Run a report's case, and make the order when it fails as reported.

    Raises:
        UsageError: no such level; a case the task cannot make; a response that is already one of its examples.
        MachineError: the sandbox failed.
    """
    folder = subject.candidate.folder
    card = folder.card
    if report.level not in card.difficulty.levels:
        raise UsageError(f"bug report on {subject.name}", f"level {report.level}", f"1 to {card.difficulty.levels[-1]}")
    with sandbox.box(folder.sources, limits_of(card)) as box:
        case = _case(box, card, report, subject.name)
        response = report.response if report.response is not None else _oracle(box, case, subject.name)
        seen = _ask(box, Call(Op.SCORE, {"case": case_to_json(case), "response": response}))
    if _as_expected(seen, report.expected):
        return Shown(_words(seen), None)
    example = Example(_GROUPS[report.expected], _name(report), response, case.level, case.seed, case.payload)
    witness = Witness(
        "score", case.level, case.seed, response, file=FILE, expected=report.expected.value, seen=_words(seen)
    )
    message = f"reported, and shown to fail: {one_line(report.words, at_most=300)}"
    hint = f"examples.toml holds this case and response as {example.name!r}; it must stay, and hold"
    reported = replace(subject, candidate=_with_example(subject.candidate, example))
    return Shown(_words(seen), reported.order([Finding(CODE, Severity.MAJOR, message, witness, hint)], report.words))


def _with_example(candidate: Candidate, example: Example) -> Candidate:
    files = candidate.folder.files
    changed = TaskFolder({**files, FILE: with_examples(files[FILE], [example])})
    return Candidate(changed, candidate.lineage)


def _name(report: BugReport) -> str:
    return REPORTED + one_line(report.words, at_most=MAX_NAME_CHARS)


def _words(seen: Observation) -> str:
    score = score_of(seen)
    return describe(seen) + (f": {one_line(score.reason)}" if score and score.reason else "")


def _as_expected(seen: Observation, expected: Expected) -> bool:
    score = score_of(seen)
    if score is None:
        return False
    if expected is Expected.CORRECT:
        return score.value == 1.0
    if expected is Expected.MALFORMED:
        return score.outcome is Outcome.MALFORMED
    return score.value < 1.0


def _case(box: Box, card: Card, report: BugReport, name: str) -> Case:
    params = card.difficulty.params(report.level)
    if report.payload is not None:
        return Case(card.id, report.level, report.seed, params, report.payload)
    asked = {"task_id": card.id, "level": report.level, "seed": report.seed, "params": params}
    made = _ask(box, Call(Op.GENERATE, asked))
    if not made.ok:
        found = f"the case cannot be made: {one_line(describe(made), at_most=200)}"
        raise UsageError(
            f"bug report on {name}", found, "that shows in an audit: bootcamp repair … --from its certificate"
        )
    return Case(card.id, report.level, report.seed, params, made.value)


def _oracle(box: Box, case: Case, name: str) -> str:
    solved = _ask(box, Call(Op.SOLVE, {"case": case_to_json(case)}))
    if not isinstance(solved.value, str):
        found = f"the reference solver gives no answer: {one_line(describe(solved), at_most=200)}"
        raise UsageError(f"bug report on {name}", found, "give the answer that should be right: --response TEXT")
    return solved.value


def _ask(box: Box, call: Call) -> Observation:
    seen = box.fresh(call)
    if seen.outcome is JobOutcome.INFRASTRUCTURE:
        raise MachineError("showing a bug report", seen.error, "check the engine with `bootcamp doctor`")
    return seen
