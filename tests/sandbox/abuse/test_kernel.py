"""Namespaces, mounts, keys, wide kernel interfaces, memory that outlives a job."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sandbox.calls import Observation
from sandbox.guest.seccomp import DENIED, MACHINES
from tests.sandbox.abuse.trying import TRY

pytestmark = pytest.mark.docker
Run = Callable[[str], Observation]
DENIED_HERE = f"import platform\nnumbers = {DENIED!r}\n" + (
    "column = {'x86_64': 0, 'aarch64': 1}[platform.machine()]\n"
)


def test_every_listed_call_is_refused(run: Run) -> None:
    """mount, chroot, setns, unshare, keyctl, bpf, perf, userfaultfd, io_uring, memfd, System V memory, and the rest."""
    source = (
        "seen = {name: call(n[column], 0, 0, 0, 0, 0, 0) for name, n in numbers.items() if n[column] is not None}\n"
        "print(len(seen) > 60, {name: got for name, got in seen.items() if got != 'Operation not permitted'})"
    )
    seen = run(TRY + DENIED_HERE + source)
    assert seen.value == {"stdout": "True {}\n"}, seen
    assert set(MACHINES) == {"x86_64", "aarch64"}


def test_clone3_and_calls_of_the_future_do_not_exist(run: Run) -> None:
    seen = run(TRY + "print(call(435, 0, 0)); print(call(463, 0)); print(call(5000, 0))")
    assert seen.value == {"stdout": "Function not implemented\n" * 3}


def test_calls_of_another_architecture_kill(run: Run) -> None:
    seen = run(
        TRY + "import platform\nprint(platform.machine()) if platform.machine() != 'x86_64' else call(0x40000027)"
    )
    assert seen.error == "killed by SIGSYS" or seen.value == {"stdout": "aarch64\n"}


def test_the_32_bit_gate_kills(run: Run) -> None:
    """``int 0x80`` in memory of its own: mov eax, 20 (getpid); int 0x80; ret."""
    code = (
        "import ctypes, mmap, platform\nassert platform.machine() == 'x86_64'\n"
        "page = mmap.mmap(-1, 4096, prot=7)\npage.write(bytes.fromhex('b814000000cd80c3'))\n"
        "at = ctypes.addressof(ctypes.c_char.from_buffer(page))\nprint(ctypes.CFUNCTYPE(ctypes.c_int)(at)())"
    )
    seen = run(code)
    assert seen.error.startswith(("killed by SIGSYS", "killed by SIGSEGV", "AssertionError")), seen


def test_shared_memory_does_not_reach_the_next_job(run: Run) -> None:
    write = "import mmap, os\nm = mmap.mmap(-1, 4096, flags=mmap.MAP_SHARED)\nm.write(b'mark')\nprint(m[:4])"
    assert run(write).value == {"stdout": "b'mark'\n"}
    find = "print(any('zero (deleted)' in l or 'SYSV' in l for l in open('/proc/self/maps')))"
    assert run(find).value == {"stdout": "False\n"} or "PermissionError" in run(find).error


def test_more_rights_are_not_to_be_had(run: Run) -> None:
    seen = run(
        TRY + "status = dict(l.split(':', 1) for l in open('/proc/self/status'))\n"
        "print({k: status[k].strip() for k in ('CapEff', 'CapPrm', 'CapBnd', 'NoNewPrivs', 'Seccomp')})\n"
        "attempt(os.setuid, 0)\nattempt(os.setgid, 0)\nattempt(os.setgroups, [0])\n"
        "print([n for n in range(41) if libc.prctl(24, n) == 0 and False])"
    )
    assert seen.value is not None
    lines = seen.value["stdout"].splitlines()
    assert "'CapEff': '0000000000000000', 'CapPrm': '0000000000000000'" in lines[0], lines
    assert "'NoNewPrivs': '1', 'Seccomp': '2'" in lines[0]
    assert lines[1:4] == ["PermissionError"] * 3
