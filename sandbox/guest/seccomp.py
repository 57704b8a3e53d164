"""The system call filter that a job's process puts on itself: a classic BPF program, built before the fork.

It is a deny list under the engine's own profile (which is an allow list): it takes away what that profile leaves and a
task never needs. Threads stay; processes, programs, sockets, shared memory and kernel interfaces go. Foreign
architectures (32-bit calls, x32) are killed; calls newer than the tables answer ENOSYS.
"""

from __future__ import annotations

import ctypes
import functools
import struct
from collections.abc import Callable
from dataclasses import dataclass

# name: (x86-64, arm64); None where the architecture has no such call.
DENIED: dict[str, tuple[int | None, int | None]] = {
    # programs and processes (clone and clone3 are handled apart)
    "execve": (59, 221), "execveat": (322, 281), "fork": (57, None), "vfork": (58, None),
    # other processes' memory, descriptors and scheduling
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_open": (434, 434), "pidfd_getfd": (438, 438), "process_madvise": (440, 440), "process_mrelease": (448, 448),
    "setpriority": (141, 140), "sched_setparam": (142, 118), "sched_setscheduler": (144, 119),
    "sched_setaffinity": (203, 122), "sched_setattr": (314, 274), "ioprio_set": (251, 30),
    "migrate_pages": (256, 238), "move_pages": (279, 239),
    # network
    "socket": (41, 198),
    # memory that outlives or is shared between jobs
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "remap_file_pages": (216, 234),
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "shmdt": (67, 197),
    "semget": (64, 190), "semop": (65, 193), "semctl": (66, 191), "semtimedop": (220, 192),
    "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188), "msgctl": (71, 187),
    "mq_open": (240, 180), "mq_unlink": (241, 181), "mq_timedsend": (242, 182), "mq_timedreceive": (243, 183),
    "mq_notify": (244, 184), "mq_getsetattr": (245, 185),
    # wide kernel interfaces
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "fanotify_init": (300, 262),
    "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218), "modify_ldt": (154, None),
    "lookup_dcookie": (212, 18), "syslog": (103, 116), "sysfs": (139, None), "ustat": (136, None),
    "personality": (135, 92), "uselib": (134, None), "_sysctl": (156, None), "nfsservctl": (180, 42),
    # namespaces, mounts, the machine
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41),
    "chroot": (161, 51), "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433), "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264), "mknod": (133, None), "mknodat": (259, 33),
    "acct": (163, 89), "swapon": (167, 224), "swapoff": (168, 225), "reboot": (169, 142), "sethostname": (170, 161),
    "setdomainname": (171, 162), "iopl": (172, None), "ioperm": (173, None), "quotactl": (179, 60),
    "vhangup": (153, 58), "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "adjtimex": (159, 171), "clock_adjtime": (305, 266),
    "clock_settime": (227, 112), "settimeofday": (164, 170),
}  # fmt: skip
LAST_KNOWN = 450  # set_mempolicy_home_node, Linux 5.17


@dataclass(frozen=True, slots=True)
class Machine:
    """What the filter needs to know of one architecture."""

    column: int
    audit_arch: int
    clone: int
    prlimit64: int
    x32: bool


MACHINES = {
    "x86_64": Machine(0, 0xC000003E, 56, 302, x32=True),
    "aarch64": Machine(1, 0xC00000B7, 220, 261, x32=False),
}

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _EPERM, _ENOSYS = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026
_NUMBER, _ARCH, _ARG0 = 0, 4, 16
_CLONE_THREAD, _CLONE3 = 0x00010000, 435
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2


def program(machine: Machine) -> bytes:
    """The filter's instructions, 8 bytes each (``struct sock_filter``).

    A search tree over the call numbers: the kernel runs the filter once for every call number when it is installed,
    in every job, and again at every refused call.
    """
    code = [_op(_LOAD, _ARCH), _op(_EQUAL, machine.audit_arch, 1, 0), _op(_RETURN, _KILL), _op(_LOAD, _NUMBER)]
    return b"".join(code + _tree(_ranges(machine)))


def _ranges(machine: Machine) -> list[tuple[int, list[bytes]]]:
    """What to do from which call number on, ascending, beginning at 0."""
    allow, refuse, absent = ([_op(_RETURN, end)] for end in (_ALLOW, _EPERM, _ENOSYS))
    special = {numbers[machine.column]: refuse for numbers in DENIED.values()}
    special[_CLONE3] = absent  # its flags are in memory, where a filter cannot look; libc falls back to clone
    special[machine.clone] = [_op(_LOAD, _ARG0), _op(_ANY_BIT, _CLONE_THREAD, 1, 0), *refuse, *allow]
    special[machine.prlimit64] = [_op(_LOAD, _ARG0), _op(_EQUAL, 0, 1, 0), *refuse, *allow]  # itself only
    ranges = [(number, special.get(number, allow)) for number in range(LAST_KNOWN + 1)]
    ranges.append((LAST_KNOWN + 1, absent))
    if machine.x32:
        ranges.append((0x40000000, [_op(_RETURN, _KILL)]))
    return [item for before, item in zip([(0, []), *ranges], ranges, strict=False) if item[1] != before[1]]


def _tree(ranges: list[tuple[int, list[bytes]]]) -> list[bytes]:
    if len(ranges) == 1:
        return ranges[0][1]
    half = len(ranges) // 2
    low, high = _tree(ranges[:half]), _tree(ranges[half:])
    return [_op(_AT_LEAST, ranges[half][0], len(low), 0), *low, *high]


def _op(code: int, k: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, k)


class Filter:
    """The filter ready to install by ``step``; keeps its memory alive."""

    def __init__(self, machine: Machine) -> None:
        code = program(machine)
        self._code = ctypes.create_string_buffer(code, len(code))
        head = struct.pack("@HxxxxxxP", len(code) // 8, ctypes.addressof(self._code))
        self._head = ctypes.create_string_buffer(head, len(head))

        # How it is put on a process, for good; ``no_new_privs`` must be set.
        self.step = prctl_step(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.addressof(self._head))


def filter_for(machine: str) -> Filter | None:
    """The filter for ``os.uname().machine``; None for an architecture without a table."""
    known = MACHINES.get(machine)
    return Filter(known) if known else None


@functools.cache
def libc() -> ctypes.CDLL:
    """The C library."""
    return ctypes.CDLL(None, use_errno=True)


def prctl_step(option: int, *args: int) -> tuple[Callable[..., object], tuple[object, ...], object]:
    """``prctl(2)``, its arguments, and what it returns when it succeeds: all that is to be made before a fork."""
    full = (ctypes.c_ulong(value) for value in (*args, 0, 0, 0, 0)[:4])
    return libc().prctl, (ctypes.c_int(option), *full), 0


def prctl(option: int, *args: int) -> None:
    """``prctl(2)``.

    Raises:
        OSError: it failed.
    """
    call, arguments, right = prctl_step(option, *args)
    if call(*arguments) != right:
        raise OSError(ctypes.get_errno(), f"prctl({option})")
