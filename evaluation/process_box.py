"""A task in a process of its own on this machine: fast, killable, and **no sandbox**. For approved tasks only."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock

from bootcamp_kit.errors import MachineError
from sandbox.calls import Call, JobOutcome, Observation
from sandbox.limits import JobLimits

START_S = 30.0
MAX_ERROR, MAX_TRACEBACK = 2_000, 8_000
_CHUNK = 1 << 16


class ProcessBox:
    """Answers calls on one task from a child process, which is replaced when a call kills it or runs too long.

    What is covered: a wall clock for each call, address space, a crash of the interpreter, noise on stdout.
    What is not: files, network, other processes. Use it from one thread at a time.
    """

    def __init__(self, files: Mapping[str, bytes], limits: JobLimits) -> None:
        self._files, self._limits = dict(files), limits
        self._child: subprocess.Popen[bytes] | None = None
        self._unread = bytearray()
        self._closed = False
        self._batch = Lock()

    def __enter__(self) -> ProcessBox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def batch(self, calls: Sequence[Call]) -> list[Observation]:
        """All calls, in order.

        Raises:
            MachineError: no child can be started.
        """
        seen: list[Observation] = []
        with self._batch:
            while len(seen) < len(calls):
                seen += self._stream(calls[len(seen) :])
        return seen

    def close(self) -> None:
        """Kill the child for good; a batch under way in another thread ends in an exception."""
        self._closed = True
        if self._child:
            self._child.kill()
        with self._batch:  # its thread reads the end of the pipe; closing the pipe under it would leave it waiting
            self._kill()

    def _kill(self) -> None:
        child, self._child = self._child, None
        self._unread.clear()
        if child:
            child.kill()
            child.wait()
            for pipe in (child.stdin, child.stdout):
                if pipe:
                    with contextlib.suppress(OSError):
                        pipe.close()

    def _stream(self, calls: Sequence[Call]) -> list[Observation]:
        """Answers up to and including the call the child dies on."""
        child = self._running()
        assert child.stdin and child.stdout
        unsent = memoryview(b"".join(_line({"op": call.op, "args": dict(call.args)}) for call in calls))
        seen: list[Observation] = []
        with selectors.DefaultSelector() as selector:
            selector.register(child.stdout, selectors.EVENT_READ)
            selector.register(child.stdin, selectors.EVENT_WRITE)
            began = time.monotonic()
            while len(seen) < len(calls):
                left = began + self._limits.wall_s - time.monotonic()
                ready = selector.select(max(0.0, left)) if left > 0 else []
                if not ready:
                    return [*seen, self._killed(calls[len(seen)], JobOutcome.TIMEOUT, f"> {self._limits.wall_s:g} s")]
                for key, _ in ready:
                    if key.fileobj is child.stdin:
                        unsent = self._write(child, unsent)
                        if not unsent:
                            selector.unregister(child.stdin)
                        continue
                    data = os.read(child.stdout.fileno(), _CHUNK)
                    if not data:
                        return [*seen, self._died(calls[len(seen)])]
                    self._unread += data
                    for line in self._lines():
                        if len(seen) == len(calls):
                            self._kill()  # it answered what nobody asked
                            return seen
                        seen.append(_observation(calls[len(seen)], line, time.monotonic() - began))
                        began = time.monotonic()
                    if len(self._unread) > self._limits.output_bytes:
                        return [*seen, self._killed(calls[len(seen)], JobOutcome.OUTPUT_LIMIT, "answer too long")]
        return seen

    def _write(self, child: subprocess.Popen[bytes], unsent: memoryview) -> memoryview:
        assert child.stdin
        try:
            return unsent[os.write(child.stdin.fileno(), unsent[:_CHUNK]) :]
        except BlockingIOError:
            return unsent
        except BrokenPipeError:  # it is dead; the read end tells
            return memoryview(b"")

    def _lines(self) -> list[bytes]:
        if b"\n" not in self._unread:
            return []
        *lines, rest = bytes(self._unread).split(b"\n")
        self._unread[:] = rest
        return lines

    def _killed(self, call: Call, outcome: JobOutcome, error: str) -> Observation:
        self._kill()
        return Observation(call, outcome, error=error)

    def _died(self, call: Call) -> Observation:
        code = self._child.wait() if self._child else None
        return self._killed(call, JobOutcome.KILLED, f"the process ended with code {code}")

    def _running(self) -> subprocess.Popen[bytes]:
        if self._child and self._child.poll() is None:
            return self._child
        self._kill()
        if self._closed:
            raise MachineError("scoring in a process", "it was closed", "open another box")
        root = str(Path(__file__).resolve().parents[1])
        environment = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": root, "PYTHONHASHSEED": "0", "LC_ALL": "C"}
        try:
            child = subprocess.Popen(
                [sys.executable, "-B", "-m", "evaluation.process_worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                env=environment,
            )
        except OSError as error:
            raise MachineError("starting a scoring process", str(error), "check memory and process limits") from error
        self._child = child
        assert child.stdin and child.stdout
        files = {path: base64.b64encode(data).decode() for path, data in self._files.items()}
        limits = self._limits
        head = {
            "files": files,
            "wall_s": limits.wall_s,
            "address_mb": limits.address_mb,
            "output_bytes": limits.output_bytes,
        }
        try:
            child.stdin.write(_line(head))
        except BrokenPipeError as error:
            self._kill()
            raise MachineError("starting a scoring process", "it died at once", "run `bootcamp doctor`") from error
        with selectors.DefaultSelector() as selector:
            selector.register(child.stdout, selectors.EVENT_READ)
            ready = selector.select(START_S) and child.stdout.read(1) == b"\n"
        if not ready:
            self._kill()
            raise MachineError("starting a scoring process", "it did not come up", "run `bootcamp doctor`")
        os.set_blocking(child.stdin.fileno(), False)
        return child


def _line(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _observation(call: Call, line: bytes, wall_s: float) -> Observation:
    try:
        raw = json.loads(line)
    except ValueError as error:
        return Observation(call, JobOutcome.PROTOCOL, error=f"not JSON: {error}"[:MAX_ERROR], wall_s=wall_s)
    if "value" in raw:
        return Observation(call, JobOutcome.OK, raw["value"], wall_s=wall_s)
    outcome = JobOutcome.OUT_OF_MEMORY if raw.get("memory") else JobOutcome.EXCEPTION
    return Observation(
        call,
        outcome,
        error=str(raw.get("error", ""))[:MAX_ERROR],
        traceback=str(raw.get("traceback", ""))[-MAX_TRACEBACK:],
        wall_s=wall_s,
    )
