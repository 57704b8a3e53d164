"""Cases made and responses scored in a box; whatever goes wrong is *unscored* with a reason, never a zero."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bootcamp_kit.case import Answer, Case, Outcome, Score
from bootcamp_kit.difficulty import Params
from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import Json, canonical, digest
from evaluation.plan import CaseRef
from sandbox.calls import Call, JobOutcome, Observation, Op, case_to_json

Ask = Callable[[Sequence[Call]], list[Observation]]
"""Answers calls on one task: ``box.batch``."""

MAX_DETAIL = 500
MAX_ANSWER_CHARS = 4_000
MAX_RESPONSE_BYTES = 28 << 20
"""Of a response as JSON. A longer one cannot be sent to the verifier, and is unscored."""


class Unscored(StrEnum):
    """Why a rollout has no score. None of these says anything about the model."""

    PROVIDER = "provider"
    GENERATOR = "generator"
    PROMPT = "prompt"
    CASE_CHANGED = "case-changed"
    VERIFIER_CRASH = "verifier-crash"
    VERIFIER_TIMEOUT = "verifier-timeout"
    VERIFIER_KILLED = "verifier-killed"
    TOO_LONG = "response-too-long"
    MACHINE = "machine"

    @property
    def passing(self) -> bool:
        """Whether trying again later may give a score: a resumed run does."""
        return self in (Unscored.PROVIDER, Unscored.MACHINE)


@dataclass(frozen=True, slots=True)
class Judgement:
    """A score, or why there is none.

    Attributes:
        score: None when unscored.
        unscored: None when scored.
        detail: The error in words, for an unscored one; the verifier's reason is in the score.
        answer: What the parser read, None for a malformed or unscored response, or one past the cap.
    """

    score: Score | None
    unscored: Unscored | None = None
    detail: str = ""
    answer: Answer = None

    def __post_init__(self) -> None:
        if (self.score is None) == (self.unscored is None):
            raise ValueError("a judgement is scored or unscored")


_LONG = Judgement(None, Unscored.TOO_LONG, f"more than {MAX_RESPONSE_BYTES >> 20} MiB as JSON")


def _too_long(text: str) -> bool:
    return len(text) > MAX_RESPONSE_BYTES // 12 and len(json.dumps(text)) > MAX_RESPONSE_BYTES


@dataclass(frozen=True, slots=True)
class MadeCase:
    """A case and its prompt."""

    case: Case
    prompt: str

    @property
    def prompt_hash(self) -> str:
        """Hex SHA-256 of the prompt."""
        return digest(self.prompt.encode("utf-8", "surrogatepass"))


def make_cases(
    ask: Ask, task_id: str, params: Callable[[int], Params], wanted: Sequence[CaseRef]
) -> list[MadeCase | Judgement]:
    """One entry for each wanted case, in order: the case, or why it could not be made."""
    settings = {ref.level: dict(params(ref.level)) for ref in wanted}
    generated = ask(
        [
            Call(
                Op.GENERATE,
                {"task_id": task_id, "level": ref.level, "seed": ref.seed, "params": settings[ref.level]},
            )
            for ref in wanted
        ]
    )
    found: list[MadeCase | Judgement | Case] = [
        _case(task_id, ref, settings[ref.level], seen) for ref, seen in zip(wanted, generated, strict=True)
    ]
    cases = [item for item in found if isinstance(item, Case)]
    prompts = iter(ask([Call(Op.PROMPT, {"case": case_to_json(case)}) for case in cases]) if cases else [])
    return [
        _made(item, ref, next(prompts)) if isinstance(item, Case) else item
        for item, ref in zip(found, wanted, strict=True)
    ]


def judge(ask: Ask, responses: Sequence[tuple[Case, str]], *, answers: bool = True) -> list[Judgement]:
    """Score responses. The score is that of the task's own ``score``.

    With ``answers`` the parser is asked again for what it read, which takes as long again for a simple verifier.
    """
    long = [index for index, (_, text) in enumerate(responses) if _too_long(text)]
    if long:
        rest = [pair for index, pair in enumerate(responses) if index not in long]
        judged = iter(judge(ask, rest, answers=answers) if rest else [])
        return [_LONG if index in long else next(judged) for index in range(len(responses))]
    scored = ask([Call(Op.SCORE, {"case": case_to_json(case), "response": text}) for case, text in responses])
    found = [_judgement(seen) for seen in scored]
    if not answers:
        return found
    parsable = [index for index, item in enumerate(found) if item.score and item.score.outcome is not Outcome.MALFORMED]
    parsed = ask([Call(Op.PARSE, {"response": responses[index][1]}) for index in parsable]) if parsable else []
    for index, seen in zip(parsable, parsed, strict=True):
        if seen.ok and isinstance(seen.value, Mapping) and "answer" in seen.value:
            answer = seen.value["answer"]
            if len(canonical(answer)) <= MAX_ANSWER_CHARS:
                found[index] = Judgement(found[index].score, answer=answer)
    return found


def oracle_answer(ask: Ask, case: Case) -> Answer:
    """What the reference solver's response parses to. In the sandbox only.

    Raises:
        UsageError: the solver or the parser failed.
    """
    [solved] = ask([Call(Op.SOLVE, {"case": case_to_json(case)})])
    [parsed] = ask([Call(Op.PARSE, {"response": solved.value})]) if solved.ok else [solved]
    if not parsed.ok or "answer" not in parsed.value:
        found = _words(parsed) if not parsed.ok else f"its response is malformed: {parsed.value}"[:MAX_DETAIL]
        raise UsageError(f"reference solver of {case.task_id}", found, "check the task with `bootcamp check`")
    return parsed.value["answer"]


def _case(task_id: str, ref: CaseRef, params: dict[str, Json], seen: Observation) -> Case | Judgement:
    if not seen.ok:
        return _failed(seen, Unscored.GENERATOR)
    case = Case(task_id, ref.level, ref.seed, params, seen.value)
    if ref.key and case.key != ref.key:
        return Judgement(None, Unscored.CASE_CHANGED, f"payload {case.key[:12]}, not {ref.key[:12]}")
    return case


def _made(case: Case, ref: CaseRef, seen: Observation) -> MadeCase | Judgement:
    if not seen.ok:
        return _failed(seen, Unscored.PROMPT)
    if not isinstance(seen.value, str):
        return Judgement(None, Unscored.PROMPT, "the prompt is not text")
    made = MadeCase(case, seen.value)
    if ref.prompt_hash and made.prompt_hash != ref.prompt_hash:
        return Judgement(None, Unscored.CASE_CHANGED, f"prompt {made.prompt_hash[:12]}, not {ref.prompt_hash[:12]}")
    return made


def _failed(seen: Observation, fault: Unscored) -> Judgement:
    machine = seen.outcome is JobOutcome.INFRASTRUCTURE
    return Judgement(None, Unscored.MACHINE if machine else fault, _words(seen))


_FAULTS = {
    JobOutcome.EXCEPTION: Unscored.VERIFIER_CRASH,
    JobOutcome.TIMEOUT: Unscored.VERIFIER_TIMEOUT,
    JobOutcome.INFRASTRUCTURE: Unscored.MACHINE,
}


def _judgement(seen: Observation) -> Judgement:
    if not seen.ok:
        return Judgement(None, _FAULTS.get(seen.outcome, Unscored.VERIFIER_KILLED), _words(seen))
    try:
        raw = seen.value
        return Judgement(Score(float(raw["value"]), Outcome(raw["outcome"]), str(raw["reason"])[:MAX_DETAIL]))
    except (KeyError, TypeError, ValueError) as error:
        return Judgement(None, Unscored.VERIFIER_CRASH, f"not a score: {error}"[:MAX_DETAIL])


def _words(seen: Observation) -> str:
    return f"{seen.outcome.value}: {seen.error}"[:MAX_DETAIL]
