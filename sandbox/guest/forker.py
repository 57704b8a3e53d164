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
WORKER_REQUESTS, WORKER_RESULTS, LINK, FIRST_GIVEN = 3, 4, 5, 6
_ANCILLARY_BYTES = 64


def fork_jobs(link: int, files: Mapping[str, bytes], first_uid: int | None, syscalls: Filter | None) -> NoReturn:
    """Fork a process for each order from ``link``, one at a time, until the agent is gone; in a process of its own."""
    try:
        _arrange(link)
        confine.prepare()
        _rehearse()
        _loop(_socket.socket(fileno=LINK), TaskOps(files, 0), first_uid, syscalls)
        os._exit(0)
    except BaseException:  # noqa: BLE001 - nothing may return into the agent's loop
        os.write(2, traceback.format_exc()[-2000:].encode())
        os._exit(70)


def _rehearse() -> None:
    """Run what every job runs, so that what the interpreter keeps on the way is written before the fork, not after."""
    ops = TaskOps({}, 1 << 20)
    reading, writing = os.pipe()
    for number in range(REHEARSALS):
        os.write(writing, HEAD.pack(number, len(PROGRAM)) + PROGRAM)
    os.close(writing)
    answers, answering = os.pipe()
    serve(reading, answering, ops)
    for fd in (reading, answers, answering):
        os.close(fd)
    harmless = confine.harmless_steps()
    for _ in range(REHEARSALS):
        confine.take(harmless)
    gc.collect()
    bytearray(100_000)  # the C library sorts its free memory
    gc.freeze()


def _arrange(link: int) -> None:
    """The link at its number, nothing of the agent above it, and the numbers of a worker's pipes taken."""
    os.dup2(fcntl.fcntl(link, fcntl.F_DUPFD_CLOEXEC, FIRST_GIVEN), LINK, inheritable=False)
    for fd in (WORKER_REQUESTS, WORKER_RESULTS):
        os.dup2(0, fd, inheritable=False)
    confine.close_from(FIRST_GIVEN)


def _loop(link: _socket.socket, ops: TaskOps, first_uid: int | None, syscalls: Filter | None) -> None:
    while True:
        order, ancillary, _, _ = link.recvmsg(ORDER.size, _ANCILLARY_BYTES)
        if not order:
            return
        ends = ENDS.unpack(ancillary[0][2])
        uid = None if first_uid is None else first_uid + ORDER.unpack(order)[0] % confine.UIDS
        confinement = _moves(*ends) + confine.steps(uid, syscalls)
        random.seed()
        pid = os.fork()
        if pid == 0:
            _become_worker(confinement, ops)
        for fd in ends:
            os.close(fd)
        os.write(LINK, NEWS.pack(pid, BORN, 0.0, 0))
        os.write(LINK, _ended(pid))


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
