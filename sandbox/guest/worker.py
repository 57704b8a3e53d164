"""A job's process: reads calls from a pipe, answers each on another, until the pipe ends or it is killed.

What it writes is believed by nobody: the agent caps it, the host decodes it strictly. It reports values and exceptions;
it computes no verdict.
"""

from __future__ import annotations

import contextlib
import json
import os
import struct
import sys
import traceback
from collections.abc import Mapping
from typing import Any

from sandbox.guest.ops import TaskOps
from sandbox.guest.plain import type_name

HEAD = struct.Struct(">II")
"""Number of the call and length of what follows, before every request and every answer."""
MESSAGE_CHARS = 2_000
TRACEBACK_CHARS = 8_000


def serve(requests: int, results: int, files: Mapping[str, bytes], max_output: int) -> None:
    """Answer calls until ``requests`` ends."""
    ops = TaskOps(files, max_output)
    while (head := _read_exactly(requests, HEAD.size)) is not None:
        call, length = HEAD.unpack(head)
        body = _read_exactly(requests, length)
        if body is None:
            return
        answer = run(ops, body)
        _flush_prints()
        _write_all(results, HEAD.pack(call, len(answer)) + answer)


def run(ops: TaskOps, body: bytes) -> bytes:
    """One call's answer: ``{"value": …}`` or ``{"exception", "message", "traceback"}``."""
    call = json.loads(body)
    try:
        value = ops.answer(call["op"], call["args"])
        # Strict encoding raises on a lone surrogate, NaN or an integer past Python's digit limit: the callee's fault.
        return b'{"value":' + json.dumps(value, allow_nan=False, ensure_ascii=False).encode("utf-8", "strict") + b"}"
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
        # The candidate may have closed or replaced it; the answer still counts.
        with contextlib.suppress(BaseException):
            stream.flush()


def _read_exactly(fd: int, count: int) -> bytes | None:
    data = bytearray()
    while len(data) < count:
        chunk = os.read(fd, min(count - len(data), 1 << 20))
        if not chunk:
            return None
        data += chunk
    return bytes(data)


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
