"""A job's process: reads calls from a pipe, answers each on another, until the pipe ends or it is killed.

What it writes is believed by nobody: the agent caps it, the host decodes it strictly. It reports values and exceptions;
it computes no verdict.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from typing import Any

from sandbox.guest.link import HEAD
from sandbox.guest.ops import TaskOps
from sandbox.guest.plain import type_name

READ_BYTES = 64 << 10
MESSAGE_CHARS = 2_000
TRACEBACK_CHARS = 8_000
_SCAN = json.JSONDecoder().scan_once  # type: ignore[attr-defined]
_STRICT = json.JSONEncoder(allow_nan=False, ensure_ascii=False)


def serve(requests: int, results: int, ops: TaskOps) -> None:
    """Answer calls until ``requests`` ends."""
    while data := os.read(requests, READ_BYTES):  # the agent sends the next call after this one's answer
        head = _complete(requests, data, HEAD.size)
        if head is None:
            return
        call, length = HEAD.unpack_from(head)
        request = _complete(requests, head, HEAD.size + length)
        if request is None:
            return
        answer = run(ops, request[HEAD.size :])
        _flush_prints()
        _write_all(results, HEAD.pack(call, len(answer)) + answer)


def run(ops: TaskOps, body: bytes) -> bytes:
    """One call's answer: ``{"value": …}`` or ``{"exception", "message", "traceback"}``."""
    call = _SCAN(body.decode(), 0)[0]  # from the host, strict and without white space around it
    try:
        value = ops.answer(call["op"], call["args"])
        # Strict encoding raises on a lone surrogate, NaN or an integer past Python's digit limit: the callee's fault.
        return b'{"value":' + _STRICT.encode(value).encode("utf-8", "strict") + b"}"
    except BaseException as error:  # noqa: BLE001 - the boundary around the candidate: whatever it raised is data
        return _exception(error)


def _exception(error: BaseException) -> bytes:
    kind = type_name(error)
    try:
        message = str(error)[:MESSAGE_CHARS]
    except BaseException as worse:  # noqa: BLE001 - the candidate's __str__
        message = f"<str() raised {type_name(worse)}>"
    try:
        trace = "".join(traceback.format_exception(type(error), error, _task_frames(error), limit=-20, chain=False))
    except BaseException as worse:  # noqa: BLE001 - the candidate's __str__ or loader
        trace = f"<the traceback raised {type_name(worse)}>"
    report = {"exception": kind, "message": message, "traceback": trace[-TRACEBACK_CHARS:]}
    return json.dumps(report).encode()


def _task_frames(error: BaseException) -> Any:
    """The traceback from the first frame of the task's own code on, or all of it."""
    trace = error.__traceback__
    while trace is not None and not trace.tb_frame.f_code.co_filename.startswith(("<task>", "<program>")):
        trace = trace.tb_next
    return trace or error.__traceback__


def _flush_prints() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:  # noqa: SIM105 - runs for every call
            stream.flush()
        except BaseException:  # noqa: BLE001 - the candidate may have closed or replaced it; the answer counts
            pass


def _complete(fd: int, data: bytes, count: int) -> bytes | None:
    """``data`` and what follows it in the pipe, ``count`` bytes in all; None when the pipe ends before."""
    if len(data) >= count:
        return data
    parts, missing = [data], count - len(data)
    while missing:
        chunk = os.read(fd, min(missing, 1 << 20))
        if not chunk:
            return None
        parts.append(chunk)
        missing -= len(chunk)
    return b"".join(parts)


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
