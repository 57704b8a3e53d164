"""The agent's two ends of its stream: frames read ahead and answers gathered, both in memory that no fork copies."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from typing import NamedTuple

from bootcamp_kit.jsondata import Json
from sandbox.guest.frames import HEAD, Frame, encode_header, frame_sizes, parse_header, value_head
from sandbox.guest.unshared import Unshared

READ_BYTES = 256 << 10
SEND_BYTES, SEND_S = 32 << 10, 0.003


class Arrived(NamedTuple):
    """A frame whose payload still lies in the inbox: use it before the next :meth:`Inbox.fill`."""

    kind: str
    header: Mapping[str, Json]
    payload: memoryview


class Inbox:
    """Frames from the host. As many as have come are read in one system call."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self._memory = Unshared(READ_BYTES)
        self._start = self._end = 0

    def next(self) -> Arrived | None:
        """The next frame, if all of it is here.

        Raises:
            FrameError: it is not a frame.
        """
        view, start = self._memory.view, self._start
        if self._end - start < HEAD.size:
            return None
        header_bytes, payload_bytes = frame_sizes(view[start : start + HEAD.size])
        header_end = start + HEAD.size + header_bytes
        end = header_end + payload_bytes
        if self._end < end:
            self._make_room(end - start)
            return None
        kind, header = parse_header(bytes(view[start + HEAD.size : header_end]))
        self._start = end
        return Arrived(kind, header, view[header_end:end])

    def has_more(self) -> bool:
        """Whether bytes are here that were not taken."""
        return self._end > self._start

    def fill(self) -> None:
        """Read what is there; waits for the first byte.

        Raises:
            EOFError: nothing will come any more.
        """
        if self._start == self._end:
            self._start = self._end = 0
            if self._memory.size > READ_BYTES:
                self._memory.resize(READ_BYTES)
        elif self._end == self._memory.size:
            self._make_room(self._end - self._start + 1)
        count = os.readv(self.fd, [self._memory.view[self._end :]])
        if not count:
            raise EOFError
        self._end += count

    def _make_room(self, count: int) -> None:
        """Room for ``count`` bytes from the first unread one on."""
        if self._start + count <= self._memory.size:
            return
        unread = self._memory.view[self._start : self._end]
        self._memory.resize(max(READ_BYTES, count), unread)
        self._start, self._end = 0, len(unread)


class Outbox:
    """Frames to the host, kept until nothing is left to do, too much has gathered or it has waited too long."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self._memory = Unshared(2 * SEND_BYTES)
        self._end, self._since = 0, 0.0

    def send(self, frame: Frame) -> None:
        """Send a frame."""
        self._put(encode_header(frame, len(frame.payload)))
        self._put(frame.payload)
        self._flush_in_time()

    def send_value(self, job: int, call: int, answer: memoryview, wall_s: float, cpu_s: float, prints: bytes) -> None:
        """Send a ``value`` frame: an answer and what was printed meanwhile."""
        self._put(value_head(job, call, len(answer), wall_s, cpu_s, len(answer) + len(prints)))
        self._put(answer)
        if prints:
            self._put(prints)
        self._flush_in_time()

    def _flush_in_time(self) -> None:
        if self._end > SEND_BYTES or time.monotonic() - self._since > SEND_S:
            self.flush()

    def flush(self) -> None:
        """Write all that is kept."""
        _write(self.fd, self._memory.view[: self._end])
        self._end = 0

    def _put(self, part: bytes | memoryview) -> None:
        end = self._end + len(part)
        if end > self._memory.size:
            self.flush()
            end = len(part)
        if end > self._memory.size:
            _write(self.fd, memoryview(part))
            return
        if not self._end:
            self._since = time.monotonic()
        self._memory.view[self._end : end] = part
        self._end = end


def _write(fd: int, view: memoryview) -> None:
    while view:
        view = view[os.write(fd, view) :]
