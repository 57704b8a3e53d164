from __future__ import annotations

import io
import struct

import pytest

from sandbox.guest.frames import MAX_HEADER, MAX_PAYLOAD, Frame, FrameError, encode, read_frame


def reader(data: bytes) -> io.BytesIO:
    return io.BytesIO(data)


def exactly(stream: io.BytesIO, count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise EOFError
    return data


def test_a_frame_survives_the_way() -> None:
    frame = Frame("open", {"job": 1, "text": "é\n", "list": [1, None]}, b"\0\xff" * 100)
    stream = reader(encode(frame) + encode(Frame("close", {})))
    assert read_frame(lambda count: exactly(stream, count)) == frame
    assert read_frame(lambda count: exactly(stream, count)) == Frame("close", {}, b"")


def test_calls_and_values_have_fixed_headers() -> None:
    call = Frame("call", {"job": 1, "call": 2**32 - 1}, b"{}")
    value = Frame("value", {"job": 1, "call": 0, "answer": 2, "wall_s": 0.5, "cpu_s": 0.25}, b"{}")
    for frame in (call, value):
        stream = reader(encode(frame))
        assert len(encode(frame)) < 48 and read_frame(lambda count, at=stream: exactly(at, count)) == frame  # type: ignore[misc]
    for header in ({"job": 1}, {"job": -1, "call": 0}, {"job": 1, "call": "x"}):
        with pytest.raises(FrameError):
            encode(Frame("call", header))


def test_reading_takes_no_byte_of_the_next_frame() -> None:
    first = encode(Frame("open", {"job": 1}, b"abc"))
    stream = reader(first + b"next")
    read_frame(lambda count: exactly(stream, count))
    assert stream.tell() == len(first)


@pytest.mark.parametrize(
    "data",
    [
        struct.pack(">II", MAX_HEADER + 1, 0),
        struct.pack(">II", 2, MAX_PAYLOAD + 1),
        struct.pack(">II", 2, 0) + b"[]",
        struct.pack(">II", 2, 0) + b"{}",
        struct.pack(">II", 10, 0) + b'{"kind":1}',
        struct.pack(">II", 2, 0) + b"\xff\xff",
        struct.pack(">II", 21, 0) + b'{"kind":"a","x":1e99}'.replace(b"1e99", b"1/99"),
        struct.pack(">II", 24, 0) + b'{"kind":"a","kind":"bc"}',
        struct.pack(">II", 15, 0) + b'{"kind":"call"}',  # the fixed headers have no JSON form
        struct.pack(">II", 0, 0),
        struct.pack(">II", 9, 0) + b"\3" + b"\0" * 8,
        struct.pack(">II", 8, 0) + b"\1" + b"\0" * 7,
    ],
)
def test_bytes_that_are_no_frame_are_refused(data: bytes) -> None:
    stream = reader(data)
    with pytest.raises(FrameError):
        read_frame(lambda count: exactly(stream, count))


def test_what_is_too_long_is_not_sent() -> None:
    with pytest.raises(FrameError, match="too long"):
        encode(Frame("files", {"x": "y" * MAX_HEADER}))


@pytest.mark.parametrize("value", [None, True, -1, 1.5, "1"])
def test_a_count_is_a_count(value: object) -> None:
    with pytest.raises(FrameError, match="job"):
        Frame("ended", {"job": value}).number("job")


@pytest.mark.parametrize("value", [None, True, -1.0, "1", float("nan"), float("inf")])
def test_seconds_are_seconds(value: object) -> None:
    assert Frame("ended", {"wall_s": 2}).seconds("wall_s") == 2.0
    with pytest.raises(FrameError, match="wall_s"):
        Frame("ended", {"wall_s": value}).seconds("wall_s")


def test_text_is_text() -> None:
    assert Frame("ended", {"fault": "exit"}).text("fault") == "exit"
    with pytest.raises(FrameError, match="fault"):
        Frame("ended", {"fault": 1}).text("fault")
