"""One case with two answers, one right and one wrong, unlabelled: the reviewer says which is right before being told.

The right one is the oracle's. The wrong one is what the oracle answers to another case of the same level, so it is of
the right form; the task itself must score it below 1. Which stands first follows from hash, level and seed.
"""

from __future__ import annotations

from dataclasses import dataclass

from bootcamp_kit.card import Card
from bootcamp_kit.case import Case
from bootcamp_kit.errors import MachineError
from bootcamp_kit.jsondata import digest
from review.trial import Box, Reviewable, limits_of
from sandbox.calls import Call, JobOutcome, Observation, Op, case_to_json
from sandbox.checks.observed import describe, score_of
from sandbox.service import Sandbox

TRIES = 8


@dataclass(frozen=True, slots=True)
class Pair:
    """The pair.

    Attributes:
        prompt: The case as a solver sees it.
        responses: Two whole responses.
        right: 0 or 1: which of them the task scores 1.
        problem: Why there is no pair, or "".
    """

    level: int
    seed: int
    prompt: str = ""
    responses: tuple[str, str] = ("", "")
    right: int = 0
    problem: str = ""


def blind_pair(sandbox: Sandbox, item: Reviewable, level: int, seed: int = 0) -> Pair:
    """Make the pair of a level.

    Raises:
        UsageError: no such level, or no readable card.
        MachineError: the sandbox failed.
    """
    card = item.folder.card
    with sandbox.box(item.folder.sources, limits_of(card)) as box:
        case = _case(box, card, level, seed)
        if isinstance(case, str):
            return Pair(level, seed, problem=case)
        prompt = _fresh(box, Call(Op.PROMPT, {"case": case_to_json(case)}))
        right = _solve(box, case)
        if not isinstance(prompt.value, str) or right is None:
            return Pair(level, seed, problem="the task gave no prompt or no answer for this case")
        if _value(box, case, right) != 1.0:
            return Pair(level, seed, prompt.value, problem="the oracle's own answer does not get full marks here")
        wrong = _wrong(box, card, case, right)
    if wrong is None:
        return Pair(
            level,
            seed,
            prompt.value,
            problem=f"the answers of {TRIES} other cases are all accepted here: what does it turn down?",
        )
    first = int(digest(f"{item.folder.content_hash}/{level}/{seed}".encode())[0], 16) % 2
    return Pair(level, seed, prompt.value, (wrong, right) if first else (right, wrong), first)


def _wrong(box: Box, card: Card, case: Case, right: str) -> str | None:
    for offset in range(1, TRIES + 1):
        other = _case(box, card, case.level, case.seed + offset)
        answer = None if isinstance(other, str) else _solve(box, other)
        if answer is not None and answer != right:
            value = _value(box, case, answer)
            if value is not None and value < 1.0:
                return answer
    return None


def _case(box: Box, card: Card, level: int, seed: int) -> Case | str:
    params = card.difficulty.params(level)
    made = _fresh(box, Call(Op.GENERATE, {"task_id": card.id, "level": level, "seed": seed, "params": params}))
    return Case(card.id, level, seed, params, made.value) if made.ok else f"generate: {describe(made)}"


def _solve(box: Box, case: Case) -> str | None:
    value = _fresh(box, Call(Op.SOLVE, {"case": case_to_json(case)})).value
    return value if isinstance(value, str) else None


def _value(box: Box, case: Case, response: str) -> float | None:
    score = score_of(_fresh(box, Call(Op.SCORE, {"case": case_to_json(case), "response": response})))
    return score.value if score else None


def _fresh(box: Box, call: Call) -> Observation:
    seen = box.fresh(call)
    if seen.outcome is JobOutcome.INFRASTRUCTURE:
        raise MachineError("making a pair of answers", seen.error, "check the engine with `bootcamp doctor`")
    return seen
