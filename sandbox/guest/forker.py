"""The process that forks the jobs' processes and does nothing else.

After a fork the kernel copies every page that either side writes to. The agent writes to some 300 for a job, this loop
to a few dozen, and so does the process that it forks: all that can be is made before. Its memory, of which the jobs'
processes are copies, never holds anything that came after the task's files.

It is the subreaper of what it forks: a job's orphans become its children. ``kill(-1)`` spares PID 1, which is the
agent, and its caller: after each job it kills and reaps all others, says how the job's process ended, and forks again.
"""

from __future__ import annotations

import _socket
import contextlib
import fcntl
import gc
import os
import random
import signal
import traceback
from collections.abc import Mapping
from typing import NoReturn

from sandbox.guest import confine
from sandbox.guest.link import BORN, ENDS, HEAD, NEWS, ORDER, READY, SETUP
from sandbox.guest.ops import TaskOps
from sandbox.guest.seccomp import Filter
from sandbox.guest.worker import serve

REHEARSALS = 32
PROGRAM = b'{"op": "program", "args": {"source": "print(1)", "stdin": ""}}'
WORKER_REQUESTS, WORKER_RESULTS, LINK = 3, 4, 5
GIVEN = (6, 7, 8)
"""What an order brings: descriptors are given out from the lowest free one on."""
_ANCILLARY_BYTES = 64


def fork_jobs(
    link: int, files: Mapping[str, bytes], first_uid: int | None, syscalls: Filter | None, job: int
) -> NoReturn:
    """Fork a process for each order from ``link``, one at a time, until the agent is gone; in a process of its own.

    ``job`` is the first one's number, which chooses its user; the next ones follow.
    """
    try:
        _arrange(link)
        confine.prepare(forks=syscalls is None)
        _rehearse()
        _loop(_socket.socket(fileno=LINK), TaskOps(files, 0), first_uid, syscalls, job)
        os._exit(0)
    except BaseException:  # noqa: BLE001 - nothing may return into the agent's loop
        os.write(2, traceback.format_exc()[-2000:].encode())
        os._exit(70)


def _rehearse() -> None:
    """Run what every job runs, so that what the interpreter keeps on the way is written before the fork, not after."""
    ops = TaskOps({}, 1 << 20)
    for _ in range(REHEARSALS):
        _ask(ops, PROGRAM)
    harmless = confine.harmless_steps()
    for _ in range(REHEARSALS):
        confine.take(harmless)
    gc.collect()
    bytearray(100_000)  # the C library sorts its free memory
    gc.freeze()


def _ask(ops: TaskOps, call: bytes) -> None:
    """One call, over pipes, as a job is asked."""
    reading, writing = os.pipe()
    answers, answering = os.pipe()
    os.write(writing, HEAD.pack(0, len(call)) + call)
    os.close(writing)
    serve(reading, answering, ops)
    for fd in (reading, answers, answering):
        os.close(fd)


def _arrange(link: int) -> None:
    """The link at its number, nothing of the agent above it, and the numbers of a worker's pipes taken."""
    os.dup2(fcntl.fcntl(link, fcntl.F_DUPFD_CLOEXEC, GIVEN[0]), LINK, inheritable=False)
    for fd in (WORKER_REQUESTS, WORKER_RESULTS):
        os.dup2(0, fd, inheritable=False)
    confine.close_from(GIVEN[0])


def _loop(link: _socket.socket, ops: TaskOps, first_uid: int | None, syscalls: Filter | None, job: int) -> None:
    confinement = _ready_for(job, first_uid, syscalls)
    while True:
        try:
            order, ancillary, _, _ = link.recvmsg(len(ORDER), _ANCILLARY_BYTES)
        except ConnectionResetError:  # with news that nobody has read
            return
        if not order:
            return
        if ENDS.unpack(ancillary[0][2]) != GIVEN:
            raise OSError("a descriptor more is open than there should be")
        pid = os.fork()
        if pid == 0:
            _become_worker(confinement, ops)
        for fd in GIVEN:
            os.close(fd)
        os.write(LINK, NEWS.pack(pid, BORN, 0.0, 0))
        job += 1
        confinement = _ready_for(job, first_uid, syscalls)  # while this one is at work: between two jobs it costs time
        os.write(LINK, _ended(pid))


def _ready_for(job: int, first_uid: int | None, syscalls: Filter | None) -> list[confine.Step]:
    """What the process of a job will do first; and the global random generator anew, which it will have."""
    random.seed()
    return _moves(*GIVEN) + confine.steps(None if first_uid is None else first_uid + job % confine.UIDS, syscalls)


def _ended(pid: int) -> bytes:
    """Wait for the end of ``pid``, kill and reap everything else, and tell."""
    news = b""
    while True:
        try:
            ended, status, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return news
        if ended == pid:
            news = NEWS.pack(pid, status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
        if news:
            with contextlib.suppress(ProcessLookupError):
                os.kill(-1, signal.SIGKILL)


def _moves(requests: int, results: int, prints: int) -> list[confine.Step]:
    """The descriptors of a job's process to their numbers, nothing above them."""
    nothing = prints + 1  # the next that is free
    return [
        (os.open, (os.devnull, os.O_RDONLY), nothing),  # its own: a flag set on it must not outlive the job
        *(
            (os.dup2, (source, target, False), target)
            for source, target in (
                (nothing, 0),
                (prints, 1),
                (prints, 2),
                (requests, WORKER_REQUESTS),
                (results, WORKER_RESULTS),
            )
        ),
        (os.closerange, (confine.FREE, 1 << 16), None),
    ]


def _become_worker(confinement: list[confine.Step], ops: TaskOps) -> None:
    """In the child: never returns."""
    try:
        confine.take(confinement)
        setup = os.read(WORKER_REQUESTS, SETUP.size)
        if len(setup) < SETUP.size:
            os._exit(0)  # the agent has no use for it
        cpu_s, address_bytes, open_files, ops.max_output = SETUP.unpack(setup)
        confine.take(confine.limits(cpu_s, address_bytes, open_files))
        os.write(WORKER_RESULTS, READY)
    except BaseException as error:  # noqa: BLE001 - nothing may return into the loop
        os.write(2, f"confining the job failed: {error!r}\n".encode())
        os._exit(70)
    try:
        serve(WORKER_REQUESTS, WORKER_RESULTS, ops)
    finally:
        os._exit(0)
