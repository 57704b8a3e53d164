"""The frames between host and agent, the same code at both ends.

A frame is two big-endian 32-bit lengths, a header of at most 64 KiB and a payload of at most 64 MiB. The host sends
``reseed``, ``files``, ``open``, ``call`` and ``close``; the agent sends ``hello``, ``value`` and ``ended``. A header is
JSON, but for ``call`` and ``value``, of which there are thousands: theirs is a tag and fixed fields. Each end refuses
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
HEAD = struct.Struct(">II")
# kind: tag and fields, their names. JSON headers begin with "{".
_COMPACT = {
    "call": (1, struct.Struct(">BII"), ("job", "call")),
    "value": (2, struct.Struct(">BIIIdd"), ("job", "call", "answer", "wall_s", "cpu_s")),
}
_VALUE = struct.Struct(">IIBIIIdd")
_BY_TAG = {tag: (kind, fields, names) for kind, (tag, fields, names) in _COMPACT.items()}


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
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < float("inf"):
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
        FrameError: header or payload too long, or not a header of its kind.
    """
    return encode_header(frame, len(frame.payload)) + frame.payload


def encode_header(frame: Frame, payload_bytes: int) -> bytes:
    """The bytes of a frame that come before its payload.

    Raises:
        FrameError: header or payload too long, or not a header of its kind.
    """
    compact = _COMPACT.get(frame.kind)
    if compact:
        tag, fields, names = compact
        try:
            header = fields.pack(tag, *[frame.header[name] for name in names])
        except (KeyError, struct.error) as error:
            raise FrameError(f"{frame.kind} frame: {error!r}") from error
    else:
        header = json.dumps({"kind": frame.kind, **frame.header}, separators=(",", ":")).encode()
    if len(header) > MAX_HEADER or payload_bytes > MAX_PAYLOAD:
        raise FrameError(f"{frame.kind} frame: header {len(header)} or payload {payload_bytes} bytes is too long")
    return HEAD.pack(len(header), payload_bytes) + header


def value_head(job: int, call: int, answer: int, wall_s: float, cpu_s: float, payload_bytes: int) -> bytes:
    """What comes before the payload of a ``value`` frame, of which there are thousands.

    Raises:
        FrameError: payload too long.
    """
    if payload_bytes > MAX_PAYLOAD:
        raise FrameError(f"value frame: payload of {payload_bytes} bytes is too long")
    tag, fields, _ = _COMPACT["value"]
    return _VALUE.pack(fields.size, payload_bytes, tag, job, call, answer, wall_s, cpu_s)


def read_frame(read_exactly: Callable[[int], bytes]) -> Frame:
    """Read one frame; asks for exactly its bytes and never for one of the next.

    Raises:
        FrameError: it is not a frame. What ``read_exactly`` raises at the end of its stream passes through.
    """
    header_bytes, payload_bytes = frame_sizes(read_exactly(HEAD.size))
    kind, header = parse_header(read_exactly(header_bytes))
    return Frame(kind, header, read_exactly(payload_bytes) if payload_bytes else b"")


def frame_sizes(head: bytes | memoryview) -> tuple[int, int]:
    """Bytes of the header and of the payload.

    Raises:
        FrameError: more than a frame may have.
    """
    header_bytes, payload_bytes = HEAD.unpack(head)
    if header_bytes > MAX_HEADER or payload_bytes > MAX_PAYLOAD:
        raise FrameError(f"a frame of {header_bytes} + {payload_bytes} bytes")
    return header_bytes, payload_bytes


def parse_header(data: bytes) -> tuple[str, Mapping[str, Json]]:
    """The kind and the entries of a header.

    Raises:
        FrameError: it is not one.
    """
    compact = _BY_TAG.get(data[0]) if data else None
    if compact:
        kind, fields, names = compact
        if len(data) != fields.size:
            raise FrameError(f"{kind} header of {len(data)} bytes")
        return kind, dict(zip(names, fields.unpack(data)[1:], strict=True))
    try:
        header = strict_loads(data, max_bytes=MAX_HEADER)
    except ValueError as error:
        raise FrameError(f"frame header: {error}") from error
    named = header.pop("kind", None) if isinstance(header, dict) else None
    if not isinstance(named, str) or named in _COMPACT:
        raise FrameError("frame header without a kind")
    return named, header
