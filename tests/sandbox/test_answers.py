"""Decoding what a hostile process may have written, without a container."""

from __future__ import annotations

import json
import signal

import pytest

from sandbox.answers import read_end, read_value
from sandbox.calls import Call, JobOutcome, Op
from sandbox.guest.frames import Frame, FrameError
from sandbox.limits import JobLimits

LIMITS = JobLimits(output_bytes=10_000)


def value_frame(answer: bytes, prints: bytes = b"") -> Frame:
    head = {"job": 0, "call": 0, "answer": len(answer), "wall_s": 0.5, "cpu_s": 0.25}
    return Frame("value", head, answer + prints)


def ended(fault: str = "exit", status: int = 0, *, oom: bool = False, cpu_s: float = 0.1) -> Frame:
    head = {
        "job": 0,
        "call": 0,
        "fault": fault,
        "status": int(status),
        "oom": oom,
        "wall_s": 1,
        "cpu_s": cpu_s,
        "peak_mb": 9,
    }
    return Frame("ended", head)


@pytest.mark.parametrize(
    ("op", "value"),
    [
        (Op.GENERATE, None),
        (Op.PROMPT, "x"),
        (Op.PARSE, {"answer": None}),
        (Op.PARSE, {"malformed": "why"}),
        (Op.VERIFY, {"value": 0.5, "outcome": "partial", "reason": ""}),
        (Op.LOAD, {"bootcamp": "A", "oracle": "B"}),
        (Op.PROGRAM, {"stdout": ""}),
    ],
)
def test_lawful_values_pass(op: Op, value: object) -> None:
    seen = read_value(value_frame(json.dumps({"value": value}).encode(), b"said\x07"), Call(op, {}), LIMITS)
    assert (seen.outcome, seen.value, seen.stderr) == (JobOutcome.OK, value, "said\\x07")
    assert (seen.wall_s, seen.cpu_s) == (0.5, 0.25)


@pytest.mark.parametrize(
    ("op", "answer"),
    [
        (Op.GENERATE, b""),
        (Op.GENERATE, b"null"),
        (Op.GENERATE, b'{"value":NaN}'),
        (Op.GENERATE, b'{"value":1e999}'),
        (Op.GENERATE, b'{"value":1,"value":2}'),
        (Op.GENERATE, b'{"value":1,"more":2}'),
        (Op.GENERATE, b'{"value":"\\ud800"}'),
        (Op.GENERATE, b'{"value":' + b"[" * 5000 + b"]" * 4000),
        (Op.GENERATE, b'{"value":' + b"1" * 4400 + b"}"),
        (Op.GENERATE, b'{"value":"' + b"x" * 10_000 + b'"}'),
        (Op.GENERATE, b'{"value":1}\xff'),
        (Op.GENERATE, b'{"exception":"E","message":"m"}'),
        (Op.GENERATE, b'{"exception":"E","message":1,"traceback":""}'),
        (Op.PROMPT, b'{"value":1}'),
        (Op.PARSE, b'{"value":{"answer":1,"malformed":"x"}}'),
        (Op.PARSE, b'{"value":{"malformed":1}}'),
        (Op.VERIFY, b'{"value":{"value":1,"outcome":"correct","reason":""}}'),
        (Op.VERIFY, b'{"value":{"value":5.0,"outcome":"correct","reason":""}}'),
        (Op.VERIFY, b'{"value":{"value":1.0,"outcome":"passed","reason":""}}'),
        (Op.VERIFY, b'{"value":{"value":1.0,"outcome":"correct","reason":7}}'),
        (Op.VERIFY, b'{"value":{"value":1.0,"outcome":["correct"],"reason":""}}'),
        (Op.SCORE, b'{"value":true}'),
        (Op.LOAD, b'{"value":{"bootcamp":1,"oracle":"x"}}'),
        (Op.PROGRAM, b'{"value":{"stdout":["x"]}}'),
    ],
)
def test_anything_else_is_a_protocol_fault(op: Op, answer: bytes) -> None:
    seen = read_value(value_frame(answer), Call(op, {}), LIMITS)
    assert seen.outcome is JobOutcome.PROTOCOL and seen.value is None and seen.error


def test_an_exception_is_capped_and_escaped() -> None:
    answer = {"exception": "E", "message": "\x1b[2J" + "m" * 5000, "traceback": "\u202e" + "t" * 1000}
    seen = read_value(value_frame(json.dumps(answer).encode()), Call(Op.PROMPT, {}), LIMITS)
    assert seen.outcome is JobOutcome.EXCEPTION
    assert seen.error.startswith("E: \\x1b[2Jmmm") and len(seen.error) == 2000
    assert seen.traceback.startswith("\\u202ett")


@pytest.mark.parametrize(
    ("frame", "outcome", "error"),
    [
        (ended("closed"), JobOutcome.OK, ""),
        (ended("timeout"), JobOutcome.TIMEOUT, "no answer within 5 s"),
        (ended("output"), JobOutcome.OUTPUT_LIMIT, "an answer of more than 10000 bytes"),
        (ended("protocol"), JobOutcome.PROTOCOL, "out of turn"),
        (ended(status=0), JobOutcome.KILLED, "exit code 0 and no answer"),
        (ended(status=3 << 8), JobOutcome.KILLED, "exit code 3"),
        (ended(status=signal.SIGSEGV), JobOutcome.KILLED, "killed by SIGSEGV"),
        (ended(status=40), JobOutcome.KILLED, "killed by signal 40"),
        (ended(status=signal.SIGKILL), JobOutcome.KILLED, "killed by SIGKILL"),
        (ended(status=signal.SIGKILL, oom=True), JobOutcome.OUT_OF_MEMORY, "memory limit"),
        (ended("timeout", oom=True), JobOutcome.OUT_OF_MEMORY, "memory limit"),
        (ended(status=signal.SIGXCPU), JobOutcome.TIMEOUT, "more than 60 CPU seconds"),
        (ended(status=signal.SIGKILL, cpu_s=61), JobOutcome.TIMEOUT, "more than 60 CPU seconds"),
    ],
)
def test_every_end_has_its_outcome(frame: Frame, outcome: JobOutcome, error: str) -> None:
    end = read_end(frame, LIMITS)
    assert end.outcome is outcome and error in end.error
    assert end.observation(Call(Op.LOAD, {})).peak_mb == 9


def test_a_job_that_could_not_be_set_up_is_our_fault() -> None:
    with pytest.raises(FrameError, match="could not set a job up"):
        read_end(ended("setup", status=9), LIMITS)
