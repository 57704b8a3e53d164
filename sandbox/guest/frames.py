"""The frames between host and agent, the same code at both ends.

A frame is two big-endian 32-bit lengths, a JSON header of at most 64 KiB and a payload of at most 64 MiB. The host
sends ``files``, ``open``, ``call`` and ``close``; the agent sends ``hello``, ``value`` and ``ended``. Each end refuses
what does not fit; nothing is ever unpickled or evaluated.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bootcamp_kit.jsondata import Json, strict_loads

MAX_HEADER = 64 << 10
MAX_PAYLOAD = 64 << 20
_HEAD = struct.Struct(">II")


class FrameError(Exception):
    """Bytes that are not a frame."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message: its kind, the rest of its header, its payload."""

    kind: str
    header: Mapping[str, Json]
    payload: bytes = b""

    def number(self, key: str) -> int:
        """A header entry that must be a non-negative integer.

        Raises:
            FrameError: it is not.
        """
        value = self.header.get(key)
        if type(value) is not int or value < 0:
            raise FrameError(f"{self.kind} frame: {key} is {value!r}, not a count")
        return value

    def seconds(self, key: str) -> float:
        """A header entry that must be a non-negative number.

        Raises:
            FrameError: it is not.
        """
        value = self.header.get(key)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
            raise FrameError(f"{self.kind} frame: {key} is {value!r}, not seconds")
        return float(value)

    def text(self, key: str) -> str:
        """A header entry that must be text.

        Raises:
            FrameError: it is not.
        """
        value = self.header.get(key)
        if type(value) is not str:
            raise FrameError(f"{self.kind} frame: {key} is not text")
        return value


def encode(frame: Frame) -> bytes:
    """The bytes of a frame.

    Raises:
        FrameError: header or payload too long.
    """
    header = json.dumps({"kind": frame.kind, **frame.header}, separators=(",", ":")).encode()
    if len(header) > MAX_HEADER or len(frame.payload) > MAX_PAYLOAD:
        raise FrameError(f"{frame.kind} frame: header {len(header)} or payload {len(frame.payload)} bytes is too long")
    return _HEAD.pack(len(header), len(frame.payload)) + header + frame.payload


def read_frame(read_exactly: Callable[[int], bytes]) -> Frame:
    """Read one frame; asks for exactly its bytes and never for one of the next.

    Raises:
        FrameError: it is not a frame. What ``read_exactly`` raises at the end of its stream passes through.
    """
    header_bytes, payload_bytes = _HEAD.unpack(read_exactly(_HEAD.size))
    if header_bytes > MAX_HEADER or payload_bytes > MAX_PAYLOAD:
        raise FrameError(f"a frame of {header_bytes} + {payload_bytes} bytes")
    try:
        header = strict_loads(read_exactly(header_bytes), max_bytes=MAX_HEADER)
    except ValueError as error:
        raise FrameError(f"frame header: {error}") from error
    kind = header.pop("kind", None) if isinstance(header, dict) else None
    if not isinstance(kind, str):
        raise FrameError("frame header without a kind")
    return Frame(kind, header, read_exactly(payload_bytes) if payload_bytes else b"")
