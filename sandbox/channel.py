"""Frames over a socket: raw in both directions, or an attach socket, where stdout and stderr come multiplexed."""

from __future__ import annotations

import contextlib
import socket
import struct
import time
from typing import TYPE_CHECKING, Any

from sandbox.escaping import escaped
from sandbox.faults import InfrastructureFault
from sandbox.guest.frames import Frame, FrameError, encode, read_frame

if TYPE_CHECKING:
    from docker import DockerClient

_STREAM_HEAD = struct.Struct(">BxxxI")
_STDOUT = 1
_COMPLAINT_BYTES = 4_000
_READ_BYTES = 1 << 20


class SocketChannel:
    """A connected socket whose other end is the agent's stdin and stdout. Not thread-safe."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._stdout = bytearray()
        self._taken = 0
        self._deadline = 0.0

    def send(self, *frames: Frame, timeout_s: float) -> None:
        """Send frames in one go.

        Raises:
            InfrastructureFault: the other end is gone or does not read.
        """
        try:
            self._socket.settimeout(timeout_s)
            self._socket.sendall(b"".join(encode(frame) for frame in frames))
        except OSError as error:
            raise InfrastructureFault(f"sending: {type(error).__name__}: {error}") from error

    def receive(self, timeout_s: float) -> Frame:
        """The agent's next frame.

        Raises:
            InfrastructureFault: end of stream, nothing within ``timeout_s`` seconds, or not a frame.
        """
        self._deadline = time.monotonic() + timeout_s
        try:
            return read_frame(self._read_exactly)
        except (OSError, FrameError) as error:
            raise InfrastructureFault(f"receiving: {type(error).__name__}: {error}{self.complaint()}") from error

    def complaint(self) -> str:
        """What the agent said on its stderr, as the tail of a message; "" if nothing."""
        return ""

    def is_open(self) -> bool:
        """Whether the other end has not closed it; reads nothing."""
        try:
            self._socket.settimeout(0)
            return bool(self._socket.recv(1, socket.MSG_PEEK))
        except BlockingIOError:
            return True
        except OSError:
            return False

    def close(self) -> None:
        """Shut the socket down in both directions and let go of it. Never raises."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        with contextlib.suppress(OSError, ValueError):
            self._socket.close()

    def _read_exactly(self, count: int) -> bytes:
        while len(self._stdout) - self._taken < count:
            self._read_stream()
        data = bytes(self._stdout[self._taken : self._taken + count])
        self._taken += count
        if self._taken == len(self._stdout):
            self._stdout.clear()
            self._taken = 0
        return data

    def _read_stream(self) -> None:
        """Add what comes next to ``_stdout``."""
        self._stdout += self._read_some(_READ_BYTES)

    def _read_some(self, count: int) -> bytes:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("no answer in time")
        self._socket.settimeout(left)
        chunk = self._socket.recv(min(count, _READ_BYTES))
        if not chunk:
            raise ConnectionError("the stream ended")
        return chunk


class Channel(SocketChannel):
    """The attach socket of a container."""

    def __init__(self, client: DockerClient, container_id: str) -> None:
        params = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
        self._holder: Any = client.api.attach_socket(container_id, params)
        # The raw socket, kept at once: without its shutdown a removal waits until the stream is read to its end.
        super().__init__(getattr(self._holder, "_sock", self._holder))
        self._stderr = bytearray()

    def complaint(self) -> str:
        """What the agent said on its stderr, as the tail of a message; "" if nothing."""
        text = escaped(self._stderr.decode("utf-8", "replace"), _COMPLAINT_BYTES)
        return f"; the agent said: {text}" if text else ""

    def close(self) -> None:
        """Shut the socket down in both directions and let go of it. Never raises."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        for closable in (self._holder, getattr(self._holder, "_response", None)):
            if closable is not None:
                with contextlib.suppress(OSError, ValueError):
                    closable.close()
        super().close()

    def _read_stream(self) -> None:
        stream, length = _STREAM_HEAD.unpack(self._read_raw(_STREAM_HEAD.size))
        data = self._read_raw(length)
        if stream == _STDOUT:
            self._stdout += data
        else:
            self._stderr += data[: max(0, _COMPLAINT_BYTES - len(self._stderr))]

    def _read_raw(self, count: int) -> bytes:
        data = bytearray()
        while len(data) < count:
            data += self._read_some(count - len(data))
        return bytes(data)
