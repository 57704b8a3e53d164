"""What a finding says was seen, in each form that findings tell it in, where, and how much of it one replay shows."""

from __future__ import annotations

import re

from bootcamp_kit.case import Outcome
from bootcamp_kit.report import Finding
from sandbox.calls import JobOutcome, Observation, Op
from sandbox.checks.observed import describe, score_of

_VALUE = r"(?P<value>-?\d+(?:\.\d+)?(?:e-?\d+)?)"
_OUTCOME = f"(?P<outcome>{'|'.join(outcome.value for outcome in Outcome)})"
_FORMS = (
    re.compile(rf"(?:score )?{_VALUE}(?: \({_OUTCOME}\))?(?:[:;].*)?", re.DOTALL),
    re.compile(rf"{_OUTCOME} {_VALUE}"),
)
"""``score 0.0 (wrong)`` of the gate, with ``: reason`` in a report of a user; ``score 0`` of the mutation test;
``0.0 (wrong): reason`` of an opponent; ``0`` of a panel; ``wrong 0`` of a comparison of versions."""

ONE_OF_MANY = "this is one of the responses that score; what they earn on average was not measured again"
_COUNTED = "this is one of the cases that were counted; the count was not made again"
_OTHER_HALF = "this is one side of what was compared; the other was not asked again"
_SECOND = "this is what the task says; the second opinion was not asked again"
_MUTANTS = "this is what the task says; its changed versions were not run again"
_VOICE = "this is what the task says; who said that it is wrong was not asked again"
LIMITS_OF_CLAIMS = {
    "floor.": ONE_OF_MANY,
    "adversary.answer_wins": ONE_OF_MANY,
    "adversary.above_declared": ONE_OF_MANY,
    "generator.constant": _COUNTED,
    "generator.few_cases": _COUNTED,
    "generator.repeats": _COUNTED,
    "generator.answers_concentrate": _COUNTED,
    "oracle.another_kind": _COUNTED,
    "prompt.undetermined": _OTHER_HALF,
    "prompt.hidden_field": _OTHER_HALF,
    "change.verdict": "this is the verdict of these bytes; the older version was not asked again",
    "truth.not_unique": _SECOND,
    "truth.seems_unique": _SECOND,
    "truth.second_disagrees": _SECOND,
    "truth.oracle_suboptimal": _SECOND,
    "truth.accepts_wrong": _SECOND,
    "truth.rejects_right": _SECOND,
    "mutation.": _MUTANTS,
    "adversary.model_": _VOICE,
    "prompt.blind_": _VOICE,
    "oppose.": _VOICE,
    "calibrate.": _VOICE,
}
"""By the code or its beginning: what the witness alone does not show. Of all other codes it shows the whole."""

UNDECIDED = {
    "contract.too_slow": "one call was made again; how long all of them take was not measured again: check it anew",
    "oppose.missing_fact": "the prompt was made again; whether it lacks something is for a reader",
}
"""Codes whose claim a replay can show something of, but neither bear out nor contradict."""

OTHERWISE = {
    "change.verdict": "these bytes made the case, and it may be another than the older version's",
}
"""Why a replay may see something else although the finding is true."""


def one_of_many(code: str) -> bool:
    """Whether the claim is an average, and the witness one of the responses that it was taken of."""
    return limit_of(code) == ONE_OF_MANY


def place(file: str, line: int, level: int | None, seed: int | None) -> str:
    """Where a witness is: the file with its line, the case; what it does not name is not told."""
    at = f"{file}:{line}" if file and line else file
    case = f"level {level}, seed {seed}" if level is not None else ""
    return ", ".join(filter(None, (at, case)))


def limit_of(code: str, *, reproduced: bool | None = True) -> str:
    """What replaying a finding of this code leaves open, or ""."""
    if reproduced is False:
        return OTHERWISE.get(code, "")
    return next((words for name, words in LIMITS_OF_CLAIMS.items() if code.startswith(name)), "")


def same_as_told(finding: Finding, observation: Observation) -> bool:
    """Whether what is seen now is what the finding tells of."""
    told = finding.witness.seen if finding.witness else ""
    if told == describe(observation):
        return True
    if observation.call.op not in (Op.SCORE, Op.VERIFY):
        return False
    score = score_of(observation)
    read = next((found for form in _FORMS if (found := form.fullmatch(told))), None)
    if read is None:
        return score is None and _no_score(told, observation)
    if score is None or f"{float(read['value']):g}" != f"{score.value:g}":
        return False
    return read["outcome"] in (None, score.outcome.value)


def _no_score(told: str, observation: Observation) -> bool:
    """``no score (verifier-crash)``, ``exception: ZeroDivisionError: …``, ``ZeroDivisionError``, ``not a score…``."""
    if told.startswith("no score ("):
        return (told == "no score (verifier-timeout)") == (observation.outcome is JobOutcome.TIMEOUT)
    if observation.outcome is JobOutcome.EXCEPTION and told == observation.error.partition(":")[0]:
        return True
    return told.startswith("not a score" if observation.ok else f"{observation.outcome.value}:")
