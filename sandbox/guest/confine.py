"""What a job's process gives up before it sees a byte of candidate code."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import struct
from collections.abc import Callable

from sandbox.guest.seccomp import Filter, libc, prctl, prctl_step

_PR_SET_DUMPABLE, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 4, 36, 38
_CAPABILITY_VERSION_3 = 0x20080522
_FILE_BYTES = 1 << 20
_ALWAYS = (
    (resource.RLIMIT_FSIZE, _FILE_BYTES),
    (resource.RLIMIT_CORE, 0),
    (resource.RLIMIT_MEMLOCK, 0),
    (resource.RLIMIT_MSGQUEUE, 0),
)
_OF_A_JOB = (resource.RLIMIT_CPU, resource.RLIMIT_AS, resource.RLIMIT_NOFILE)
UIDS = 50_000
FREE = 5
"""The lowest descriptor that is free in a job's process."""


def undumpable() -> None:
    """Close ``/proc/PID/{mem,environ,maps,fd}`` and ptrace to every other user."""
    prctl(_PR_SET_DUMPABLE, 0)


Step = tuple[Callable[..., object], tuple[object, ...], object]
"""A function, its arguments, and what it must return."""


def prepare(*, forks: bool) -> None:
    """What a job's process inherits from the one that forks it: signals as at a fresh start, limits that never change.

    ``forks``: Whether a job can make processes, as it can where there is no filter; its orphans must then come to us.

    Raises:
        OSError: any of it failed; the caller must end the process.
    """
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    try:
        prctl(_PR_SET_CHILD_SUBREAPER, 1)  # not inherited
    except OSError:  # gVisor lets PID 1 alone be that
        if forks:
            raise
    prctl(_PR_SET_NO_NEW_PRIVS, 1)
    for name, value in _ALWAYS:
        if resource.getrlimit(name) != (value, value):  # gVisor forbids to set some, even to what they are
            resource.setrlimit(name, (value, value))


def steps(uid: int | None, syscalls: Filter | None) -> list[Step]:
    """New session, lowest priority, first to be killed for memory, own uid, no capabilities, filter; for good.

    To be taken in the job's process, after ``prepare`` in its parent, with descriptor ``FREE`` the first that is free.
    """
    mine: list[Step] = [
        (os.setsid, (), None),
        # Counts within the container only: many busy threads must not starve the agent.
        (os.setpriority, (os.PRIO_PROCESS, 0, 19), None),
        (os.open, ("/proc/self/oom_score_adj", os.O_WRONLY), FREE),
        (os.write, (FREE, b"1000"), 4),
        (os.close, (FREE,), None),
    ]
    if uid is None:
        mine.append((drop_capabilities, (), None))
    else:
        mine += [
            (os.setgroups, ((),), None),
            (os.setresgid, (uid, uid, uid), None),
            (os.setresuid, (uid, uid, uid), None),  # drops all capabilities
        ]
    mine.append(prctl_step(_PR_SET_DUMPABLE, 0))
    if syscalls is not None:
        mine.append(syscalls.step)
    return mine


def harmless_steps() -> list[Step]:
    """The same functions with nothing to do: to have them run once before the first fork."""
    return [
        (os.setpriority, (os.PRIO_PROCESS, 0, 0), None),
        (os.setresgid, (-1, -1, -1), None),
        (os.setresuid, (-1, -1, -1), None),
        prctl_step(_PR_SET_DUMPABLE, 0),
        *limits(*(resource.getrlimit(name)[0] for name in _OF_A_JOB), apart=0),
    ]


def limits(cpu_s: int, address_bytes: int, open_files: int, *, apart: int = 1) -> list[Step]:
    """The job's own resource limits, for good; ``address_bytes`` counts what is mapped already."""
    # The soft CPU limit sends SIGXCPU, which can be blocked; the hard one a second later cannot.
    return [
        (resource.setrlimit, (resource.RLIMIT_CPU, (cpu_s, cpu_s + apart)), None),
        (resource.setrlimit, (resource.RLIMIT_AS, (address_bytes, address_bytes)), None),
        (resource.setrlimit, (resource.RLIMIT_NOFILE, (open_files, open_files)), None),
    ]


def take(planned: list[Step]) -> None:
    """Do it, one after the other. Runs in every job: it touches little, as every page that it touches is copied.

    Raises:
        OSError: any of it failed; the caller must end the process.
    """
    for act, arguments, right in planned:
        if act(*arguments) != right:
            raise OSError(f"{act!r} did not return {right!r}")


def mapped_bytes() -> int:
    """The address space of this process now."""
    with open("/proc/self/statm", encoding="ascii") as told:  # noqa: PTH123 - pathlib is slow to load
        return int(told.read().split()[0]) * resource.getpagesize()


def close_from(fd: int) -> None:
    """Close every descriptor from ``fd`` on."""
    os.closerange(fd, 1 << 16)


def drop_capabilities() -> None:
    """All of them, for good once ``no_new_privs`` is set: where there is no other user to become.

    Raises:
        OSError: it failed.
    """
    head = struct.pack("=II", _CAPABILITY_VERSION_3, 0)
    if libc().capset(ctypes.create_string_buffer(head), ctypes.create_string_buffer(24)) != 0:
        raise OSError(ctypes.get_errno(), "capset")


def first_uid(uid_map: str) -> int | None:
    """Where the jobs' user ids begin: high, where the user namespace (rootless engines) maps so many.

    None where it maps only a few (a namespace that an ordinary user made): then jobs share the agent's user.
    """
    known = max(int(line.split()[0]) + int(line.split()[2]) for line in uid_map.splitlines())
    if known < 10_000 + UIDS:
        return None
    return 200_000 if known > 200_000 + UIDS else 10_000
