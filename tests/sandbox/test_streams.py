"""The agent's ends of its stream, over real pipes: whatever the cuts, the frames come whole."""

from __future__ import annotations

import contextlib
import faulthandler
import os
import threading
from collections.abc import Iterator

import pytest

from sandbox.guest.frames import Frame, FrameError, encode, read_frame
from sandbox.guest.streams import READ_BYTES, SEND_BYTES, Inbox, Outbox
from sandbox.guest.unshared import Unshared


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    read, write = os.pipe()
    yield read, write
    for fd in (read, write):
        with contextlib.suppress(OSError):
            os.close(fd)


def write_all(fd: int, data: bytes, step: int) -> None:
    for start in range(0, len(data), step):
        part = memoryview(data)[start : start + step]
        while part:
            part = part[os.write(fd, part) :]
    os.close(fd)


@pytest.mark.parametrize("step", [1, 7, 1 << 20])
def test_frames_come_whole_whatever_the_cuts(pipe: tuple[int, int], step: int) -> None:
    read, write = pipe
    sizes = [0, 5, 3000, 17, 1]
    if step > 1:
        sizes += [READ_BYTES - 40, READ_BYTES, 3 * READ_BYTES, 0, 9] * 2
    frames = [Frame("call", {"job": 1, "call": n}, bytes([n]) * size) for n, size in enumerate(sizes)]
    data = b"".join(map(encode, frames))
    writer = threading.Thread(target=write_all, args=(write, data, step))
    writer.start()
    inbox = Inbox(read)
    seen = []
    with pytest.raises(EOFError):
        while True:
            arrived = inbox.next()
            if arrived:
                seen.append(Frame(arrived.kind, arrived.header, bytes(arrived.payload)))
            else:
                inbox.fill()
    writer.join()
    assert seen == frames


def test_bytes_that_are_no_frame_are_refused(pipe: tuple[int, int]) -> None:
    os.write(pipe[1], b"\xff" * 8)
    inbox = Inbox(pipe[0])
    assert inbox.next() is None
    inbox.fill()
    with pytest.raises(FrameError):
        inbox.next()


def test_answers_are_gathered_and_come_whole(pipe: tuple[int, int]) -> None:
    read, write = pipe
    outbox = Outbox(write)
    sizes = [3, 0, 100, SEND_BYTES, 5 * SEND_BYTES, 1, 2]
    answer = memoryview(os.urandom(max(sizes)))
    got = []

    def reading() -> None:
        with os.fdopen(os.dup(read), "rb") as stream:
            got.extend(read_frame(stream.read) for _ in sizes)

    reader = threading.Thread(target=reading)
    reader.start()
    for call, size in enumerate(sizes):
        outbox.send_value(3, call, answer[:size], 0.5, 0.25, b"prints")
    outbox.flush()
    reader.join()
    assert got == [
        Frame(
            "value",
            {"job": 3, "call": call, "answer": size, "wall_s": 0.5, "cpu_s": 0.25},
            bytes(answer[:size]) + b"prints",
        )
        for call, size in enumerate(sizes)
    ]


def test_a_fork_has_nothing_of_it() -> None:
    """The child that looks dies of it; the parent's bytes are still there."""
    memory = Unshared(4096)
    memory.view[:6] = b"secret"
    pid = os.fork()
    if pid == 0:
        faulthandler.disable()
        os._exit(int(bytes(memory.view[:6]) == b"secret"))
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == -11
    memory.resize(8192, memory.view[2:6])
    assert bytes(memory.view[:5]) == b"cret\0" and len(memory.view) == memory.size == 8192
