"""The host's end of one job: frames out, frames in, observations; deadlines for an agent that keeps none."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from bootcamp_kit.errors import UsageError
from sandbox.answers import End, read_end, read_value
from sandbox.calls import Call, JobOutcome, Observation
from sandbox.faults import InfrastructureFault
from sandbox.guest.frames import Frame, FrameError
from sandbox.limits import JobLimits
from sandbox.server import Server

# The agent keeps its own deadlines; these are for an agent that does not.
GRACE_S = 20.0
# What may be on its way to the agent: less than a pipe's 64 KiB, so that neither side blocks on the other.
WINDOW_CALLS, WINDOW_BYTES = 256, 48 << 10
MAX_CALL_BYTES = 32 << 20


class Job:
    """One open job in one container: a forked process that answers calls until it dies or is closed.

    Attributes:
        in_step: No call is on its way: false after an exception out of :meth:`stream`, when only removing the container
            ends the job at once.
    """

    def __init__(self, container: Server, limits: JobLimits) -> None:
        self._container, self._limits = container, limits
        self._unsent: list[Frame] = [_open_frame(container.jobs, limits)]
        self.number = container.jobs
        self.in_step = True
        self._told_s = 0.0  # CPU seconds of the calls that it has answered
        container.jobs += 1

    def stream(self, calls: Sequence[Call], take: Callable[[Observation], None]) -> End | None:
        """Ask ``calls`` in order, keeping some on their way; hand over each observation.

        Returns:
            None when all are answered and the job lives; else how it ended. The call it died on has been handed over.

        Raises:
            InfrastructureFault: our machinery failed; calls not handed over are unanswered.
        """
        bodies = [_body(call) for call in calls]
        self.in_step = False
        sent = answered = on_the_way = 0
        while answered < len(calls):
            refill = sent - answered <= WINDOW_CALLS // 2  # in gulps: one write for many calls
            while (
                refill
                and sent < len(calls)
                and (sent == answered or self._fits(sent - answered, on_the_way, bodies[sent]))
            ):
                self._unsent.append(Frame("call", {"job": self.number, "call": sent}, bodies[sent]))
                on_the_way += len(bodies[sent])
                sent += 1
            self._flush()
            frame = self._receive()
            if frame.kind == "ended":
                end = self._read_end(frame)
                end = replace(end, cpu_s=max(0.0, end.cpu_s - self._told_s))  # this call's alone
                self._expect(end.call in (None, answered), frame)
                if end.call is not None and end.worn_out and answered:
                    return replace(end, call=None)  # the whole job's CPU time is used up: not this call's doing
                if end.call is not None:
                    take(end.observation(calls[answered]))
                return end
            self._expect(frame.kind == "value" and frame.header.get("call") == answered, frame)
            observation = self._read_value(frame, calls[answered])
            on_the_way -= len(bodies[answered])
            answered += 1
            self._told_s += observation.cpu_s
            take(observation)
            if observation.outcome is JobOutcome.PROTOCOL:
                return replace(self.close(), outcome=JobOutcome.PROTOCOL)
            if observation.outcome is JobOutcome.OUT_OF_MEMORY:
                return self.close()  # a process that has filled its memory would fail the next call too
        self.in_step = True
        return None

    def once(self, call: Call) -> tuple[Observation, End]:
        """One call in a process of its own.

        Raises:
            InfrastructureFault: our machinery failed.
        """
        self._unsent.append(Frame("call", {"job": self.number, "call": 0}, _body(call)))
        self._unsent.append(Frame("close", {"job": self.number}))
        self._flush()
        frame = self._receive()
        if frame.kind == "ended":
            end = self._read_end(frame)
            return end.observation(call), end
        observation = self._read_value(frame, call)
        end = self._read_end(self._receive())
        if end.outcome is JobOutcome.PROTOCOL:  # it wrote more than its answer
            observation = replace(observation, outcome=end.outcome, value=None, score=None, error=end.error)
        return replace(observation, cpu_s=end.cpu_s, peak_mb=end.peak_mb), end

    def close(self) -> End:
        """End the process; how it ended.

        Raises:
            InfrastructureFault: our machinery failed.
        """
        self._unsent.append(Frame("close", {"job": self.number}))
        self._flush()
        while True:
            frame = self._receive()
            if frame.kind == "ended":
                return self._read_end(frame)

    def _fits(self, calls: int, on_the_way: int, body: bytes) -> bool:
        return calls < WINDOW_CALLS and on_the_way + len(body) <= WINDOW_BYTES

    def _flush(self) -> None:
        if self._unsent:
            frames, self._unsent = self._unsent, []
            self._container.send(*frames)

    def _receive(self) -> Frame:
        frame = self._container.receive(self._limits.wall_s + GRACE_S)
        self._expect(frame.header.get("job") == self.number, frame)
        return frame

    def _read_value(self, frame: Frame, call: Call) -> Observation:
        try:
            return read_value(frame, call, self._limits)
        except FrameError as error:
            raise InfrastructureFault(str(error)) from error

    def _read_end(self, frame: Frame) -> End:
        try:
            return read_end(frame, self._limits)
        except FrameError as error:
            raise InfrastructureFault(str(error)) from error

    def _expect(self, fits: bool, frame: Frame) -> None:
        if not fits:
            raise InfrastructureFault(f"the agent sent {frame.kind} {dict(frame.header)!r:.200} out of turn")


def _body(call: Call) -> bytes:
    body = json.dumps({"op": call.op, "args": dict(call.args)}).encode()
    if len(body) > MAX_CALL_BYTES:
        raise UsageError(f"asking the sandbox to {call.op}", f"{len(body)} bytes of arguments", "send at most 32 MiB")
    return body


def _open_frame(number: int, limits: JobLimits) -> Frame:
    return Frame(
        "open",
        {
            "job": number,
            "wall_s": limits.wall_s,
            "cpu_s": math.ceil(limits.cpu_s),
            "address_mb": limits.address_mb,
            "output_bytes": limits.output_bytes,
            "stderr_bytes": limits.stderr_bytes,
            "open_files": limits.open_files,
        },
    )
