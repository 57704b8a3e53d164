"""From the agent's frames to observations: strict decoding of what a hostile process may have written."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from typing import NamedTuple

from bootcamp_kit.case import Outcome, Score
from bootcamp_kit.jsondata import Json, strict_loads
from sandbox.calls import Call, JobOutcome, Observation, Op
from sandbox.escaping import escaped
from sandbox.guest.frames import Frame, FrameError
from sandbox.limits import JobLimits

ERROR_CHARS, TRACEBACK_CHARS, PRINTS_CHARS = 2_000, 8_000, 8_000


_LIMITS_AS_EXCEPTIONS = {
    "MemoryError": JobOutcome.OUT_OF_MEMORY,
    "bootcamp_kit.stdio_program.OutputTooLong": JobOutcome.OUTPUT_LIMIT,
}
_TEXTS = {Op.LOAD: {"bootcamp", "oracle"}, Op.PARSE: {"malformed"}, Op.PROGRAM: {"stdout"}}


@dataclass(frozen=True, slots=True)
class End:
    """How a job ended, from the agent's ``ended`` frame.

    Attributes:
        call: Index of the call it was answering; None between calls.
        worn_out: The CPU time of the whole job was used up.
    """

    call: int | None
    outcome: JobOutcome
    error: str
    prints: str
    wall_s: float
    cpu_s: float
    peak_mb: float
    worn_out: bool = False

    def observation(self, call: Call) -> Observation:
        """What the call in flight has to show for it."""
        return Observation(
            call,
            self.outcome,
            error=self.error,
            stderr=self.prints,
            wall_s=self.wall_s,
            cpu_s=self.cpu_s,
            peak_mb=self.peak_mb,
        )


def read_value(frame: Frame, call: Call, limits: JobLimits) -> Observation:
    """The observation of an answered call. Bytes that are not a lawful answer give outcome ``protocol``."""
    length = frame.number("answer")
    found = _decode(frame.payload[:length], call.op, limits)
    return Observation(
        call,
        found.outcome,
        value=found.value,
        error=escaped(found.error, ERROR_CHARS),
        traceback=escaped(found.trace, TRACEBACK_CHARS),
        stderr=_prints(frame.payload[length:]),
        wall_s=frame.seconds("wall_s"),
        cpu_s=frame.seconds("cpu_s"),
        score=found.score,
    )


class _Decoded(NamedTuple):
    outcome: JobOutcome
    value: Json = None
    error: str = ""
    trace: str = ""
    score: Score | None = None


def _decode(data: bytes, op: Op, limits: JobLimits) -> _Decoded:
    try:
        answer = strict_loads(data, max_bytes=limits.output_bytes)
    except ValueError as error:
        return _Decoded(JobOutcome.PROTOCOL, error=f"the answer is not strict JSON: {error}")
    keys = set(answer) if isinstance(answer, dict) else set()
    if keys == {"value"}:
        try:
            score = _lawful(op, answer["value"])
        except (TypeError, ValueError) as error:
            return _Decoded(JobOutcome.PROTOCOL, error=f"not a lawful answer to {op}: {error}")
        return _Decoded(JobOutcome.OK, answer["value"], score=score)
    if keys == {"exception", "message", "traceback"} and all(isinstance(text, str) for text in answer.values()):
        outcome = _LIMITS_AS_EXCEPTIONS.get(answer["exception"], JobOutcome.EXCEPTION)
        return _Decoded(outcome, error=f"{answer['exception']}: {answer['message']}", trace=answer["traceback"])
    return _Decoded(JobOutcome.PROTOCOL, error="the answer is neither a value nor an exception")


def _lawful(op: Op, value: Json) -> Score | None:
    """The score where ``op`` asks for one. Payloads may be any JSON.

    Raises:
        TypeError, ValueError: it cannot be the answer to ``op``.
    """
    if op is Op.GENERATE:
        return None
    if op in (Op.PROMPT, Op.SOLVE):
        if not isinstance(value, str):
            raise TypeError(f"a {type(value).__name__}, not text")
        return None
    keys = set(value) if isinstance(value, dict) else set()
    if op in (Op.VERIFY, Op.SCORE) and keys == {"value", "outcome", "reason"}:
        return Score(value["value"], Outcome(value["outcome"]), value["reason"])
    if op is Op.PARSE and keys == {"answer"}:
        return None
    if keys == _TEXTS.get(op) and all(isinstance(text, str) for text in value.values()):
        return None
    raise ValueError(f"a {type(value).__name__}" + (f" with keys {sorted(keys)!r:.200}" if keys else ""))


def read_end(frame: Frame, limits: JobLimits) -> End:
    """How a job ended.

    Raises:
        FrameError: not a lawful ``ended`` frame, or the agent could not set the job up.
    """
    if frame.header.get("fault") == "setup":
        how = f"wait status {frame.number('status')}; {_prints(frame.payload)}"
        raise FrameError(f"the agent could not set a job up: {how}")
    call = frame.header.get("call")
    if call is not None and type(call) is not int:
        raise FrameError(f"ended frame: call is {call!r}")
    cpu_s = frame.seconds("cpu_s")
    outcome, error = _cause(frame, cpu_s, limits)
    worn_out = outcome is JobOutcome.TIMEOUT and frame.text("fault") == "exit"
    return End(
        call,
        outcome,
        error,
        _prints(frame.payload),
        wall_s=frame.seconds("wall_s"),
        cpu_s=cpu_s,
        peak_mb=frame.seconds("peak_mb"),
        worn_out=worn_out,
    )


def _cause(frame: Frame, cpu_s: float, limits: JobLimits) -> tuple[JobOutcome, str]:
    fault, status = frame.text("fault"), frame.number("status")
    if fault == "closed":
        return JobOutcome.OK, ""
    if frame.header.get("oom") is True:
        return JobOutcome.OUT_OF_MEMORY, "the container's memory limit was reached"
    if fault == "timeout":
        return JobOutcome.TIMEOUT, f"no answer within {limits.wall_s:g} s"
    if fault == "output":
        return JobOutcome.OUTPUT_LIMIT, f"an answer of more than {limits.output_bytes} bytes"
    if fault == "protocol":
        return JobOutcome.PROTOCOL, "it wrote to, or closed, its answer pipe out of turn"
    code = os.waitstatus_to_exitcode(status)
    if code == -signal.SIGXCPU or (code == -signal.SIGKILL and cpu_s >= limits.cpu_s):
        return JobOutcome.TIMEOUT, f"more than {limits.cpu_s:g} CPU seconds"
    if code < 0:
        return JobOutcome.KILLED, f"killed by {_signal_name(-code)}"
    return JobOutcome.KILLED, f"the process ended with exit code {code} and no answer"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _prints(data: bytes) -> str:
    return escaped(data.decode("utf-8", "replace"), PRINTS_CHARS)
