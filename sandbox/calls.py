"""What the host asks of the code in a container, and what it saw come back. Pure data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from bootcamp_kit.case import Case, Score
from bootcamp_kit.jsondata import Json


class Op(StrEnum):
    """The calls of the function server.

    ============ ========================================= ==========================================================
    op           args                                      value of an ``ok`` observation
    ============ ========================================= ==========================================================
    ``load``     {}                                        {"bootcamp": class name, "oracle": class name}
    ``generate`` {task_id, level, seed, params}            the payload
    ``prompt``   {case}                                    str
    ``parse``    {response}                                {"answer": …} or {"malformed": reason}
    ``verify``   {case, answer}                            {"value", "outcome", "reason"}
    ``score``    {case, response}                          {"value", "outcome", "reason"}
    ``solve``    {case}                                    str: the oracle's full response
    ``program``  {source, stdin}                           {"stdout": str}: a contest-style program, no task folder used
    ============ ========================================= ==========================================================

    ``case`` is {task_id, level, seed, params, payload}. ``prompt``, ``verify``, ``score`` and ``solve`` raise in the
    guest when the callee changed its arguments; every op raises there on a value of a wrong type.
    """

    LOAD = "load"
    GENERATE = "generate"
    PROMPT = "prompt"
    PARSE = "parse"
    VERIFY = "verify"
    SCORE = "score"
    SOLVE = "solve"
    PROGRAM = "program"


@dataclass(frozen=True, slots=True)
class Call:
    """One call: plain data, no secret, no expected value."""

    op: Op
    args: Mapping[str, Json]


class JobOutcome(StrEnum):
    """How a call ended, as the agent and the host saw it; only ``infrastructure`` is never the candidate's doing.

    ``killed`` is a process gone without an answer, by a signal or by its own exit; ``protocol`` is an answer out of
    turn or one that is not strict JSON of the op's shape.
    """

    OK = "ok"
    EXCEPTION = "exception"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out-of-memory"
    OUTPUT_LIMIT = "output-limit"
    KILLED = "killed"
    PROTOCOL = "protocol"
    INFRASTRUCTURE = "infrastructure"


@dataclass(frozen=True, slots=True)
class Observation:
    """What came back from one call.

    Attributes:
        call: The call.
        outcome: How it ended.
        value: The strictly decoded JSON value when ``outcome`` is ok; else None.
        error: Type and message of the exception, the signal, or what was wrong with the bytes; capped at 2,000
            characters, terminal control characters escaped.
        traceback: The guest's traceback, capped at 8,000 characters and escaped; "" if none.
        stderr: What the job printed on stdout and stderr, capped at 8,000 characters and escaped.
        wall_s, cpu_s: Seconds, as the agent measured them, of the call; where it ended the process, ``wall_s`` is the
            whole process's, and ``cpu_s`` all that no earlier call took (of a fresh call always the whole process's).
        peak_mb: Peak resident memory of the job in MiB, 0.0 where not known.
        score: ``value`` as the score it was found to be when it was decoded; None for other ops.
    """

    call: Call
    outcome: JobOutcome
    value: Json = None
    error: str = ""
    traceback: str = ""
    stderr: str = ""
    wall_s: float = 0.0
    cpu_s: float = 0.0
    peak_mb: float = 0.0
    score: Score | None = field(default=None, compare=False, repr=False)

    @property
    def ok(self) -> bool:
        """Whether ``value`` holds the answer."""
        return self.outcome is JobOutcome.OK


def case_to_json(case: Case) -> dict[str, Json]:
    """A case as call arguments."""
    return {
        "task_id": case.task_id,
        "level": case.level,
        "seed": case.seed,
        "params": dict(case.params),
        "payload": case.payload,
    }
