"""What a job's process gives up before it sees a byte of candidate code."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import struct
from dataclasses import dataclass
from pathlib import Path

from sandbox.guest.seccomp import Filter, libc, prctl

_PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 4, 38
_CAPABILITY_VERSION_3 = 0x20080522
_FILE_BYTES = 1 << 20
UIDS = 50_000


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """The resource limits of one job's process; ``address_bytes`` counts what the zygote has mapped already."""

    cpu_s: int
    address_bytes: int
    open_files: int


def undumpable() -> None:
    """Close ``/proc/PID/{mem,environ,maps,fd}`` and ptrace to every other user."""
    prctl(_PR_SET_DUMPABLE, 0)


def confine(uid: int | None, syscalls: Filter | None) -> None:
    """New session, lowest priority, first to be killed for memory, own uid, no capabilities, filter; for good.

    Raises:
        OSError: any of it failed; the caller must end the process.
    """
    os.setsid()
    os.nice(19)  # counts within the container only: many busy threads must not starve the agent
    score = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
    os.write(score, b"1000")
    os.close(score)
    if uid is None:
        drop_capabilities()
    else:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)  # drops all capabilities
    prctl(_PR_SET_NO_NEW_PRIVS, 1)
    undumpable()
    if syscalls is not None:
        syscalls.install()


def limit(limits: ProcessLimits) -> None:
    """The resource limits, for good.

    Raises:
        OSError: any of it failed; the caller must end the process.
    """
    # The soft CPU limit sends SIGXCPU, which can be blocked; the hard one a second later cannot.
    resource.setrlimit(resource.RLIMIT_CPU, (limits.cpu_s, limits.cpu_s + 1))
    for name, value in (
        (resource.RLIMIT_AS, limits.address_bytes),
        (resource.RLIMIT_FSIZE, _FILE_BYTES),
        (resource.RLIMIT_NOFILE, limits.open_files),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_MEMLOCK, 0),
        (resource.RLIMIT_MSGQUEUE, 0),
    ):
        if resource.getrlimit(name) != (value, value):  # gVisor forbids to set some, even to what they are
            resource.setrlimit(name, (value, value))


def mapped_bytes() -> int:
    """The address space of this process now."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()


def close_from(fd: int) -> None:
    """Close every descriptor from ``fd`` on."""
    os.closerange(fd, 1 << 16)


def reset_signals() -> None:
    """Python's handlers and mask as at a fresh start; the zygote's belong to the zygote."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


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
