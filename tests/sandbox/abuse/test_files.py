"""Floods, and every place that could be written or read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sandbox.calls import JobOutcome, Observation
from tests.sandbox.abuse.trying import TRY

pytestmark = pytest.mark.docker
Run = Callable[[str], Observation]
REFUSED = [
    ("writing to /", "attempt(open, '/x', 'w')", {"OSError", "PermissionError"}),
    ("writing to /tmp", "attempt(open, '/tmp/x', 'w')", {"OSError", "PermissionError"}),
    ("writing to /dev", "attempt(open, '/dev/x', 'w')", {"PermissionError", "OSError"}),
    ("writing to the library", "attempt(open, os.__file__, 'a')", {"OSError", "PermissionError"}),
    ("shared memory files", "attempt(os.listdir, '/dev/shm')", {"FileNotFoundError"}),
    ("message queue files", "attempt(open, '/dev/mqueue/x', 'w')",
     {"OSError", "PermissionError", "FileNotFoundError"}),
    ("a file without a name", "attempt(os.open, '/tmp', os.O_TMPFILE | os.O_RDWR)", {"OSError", "PermissionError"}),
    ("an anonymous file", "attempt(os.memfd_create, 'x')", {"PermissionError"}),
    ("a device", "attempt(os.mknod, '/tmp/x', 0o20666, os.makedev(1, 1))", {"PermissionError", "OSError"}),
    ("the kernel's memory", "attempt(open, '/dev/mem', 'rb')", {"FileNotFoundError"}),
    ("disks", "print(sorted(n for n in os.listdir('/dev') if n[:2] in ('sd', 'vd', 'nv', 'lo')))", {"[]"}),
    ("the agent's environment", "attempt(open, '/proc/1/environ')", {"PermissionError"}),
    ("the agent's memory", "attempt(open, '/proc/1/mem', 'rb')", {"PermissionError"}),
    ("the agent's map", "attempt(lambda: open('/proc/1/maps').read())", {"PermissionError"}),
    ("the agent's descriptors", "attempt(os.listdir, '/proc/1/fd')", {"PermissionError"}),
    ("the environment of what forks", "attempt(open, f'/proc/{os.getppid()}/environ')", {"PermissionError"}),
    ("the memory of what forks", "attempt(open, f'/proc/{os.getppid()}/mem', 'rb')", {"PermissionError"}),
    ("the agent's root", "attempt(os.listdir, '/proc/1/root')", {"PermissionError"}),
    ("its own memory from outside", "attempt(open, '/proc/self/mem', 'r+b')", {"PermissionError"}),
    ("kernel settings", "attempt(open, '/proc/sys/kernel/core_pattern', 'w')", {"OSError", "PermissionError"}),
    ("the magic key", "attempt(open, '/proc/sysrq-trigger', 'w')", {"OSError", "PermissionError", "FileNotFoundError"}),
    ("its own importance", "attempt(lambda: os.write(os.open('/proc/self/oom_score_adj', 1), b'-1000'))",
     {"PermissionError", "OSError"}),
    ("a file of the host", "attempt(open, '{canary}', 'a')", {"FileNotFoundError", "OSError"}),
    ("the host's users", "print(len(open('/etc/passwd').readlines()))", {"1"}),
    ("the host's passwords", "attempt(open, '/etc/shadow')", {"FileNotFoundError"}),
    ("the docker socket", "attempt(os.stat, '/var/run/docker.sock')", {"FileNotFoundError"}),
    ("a shell", "attempt(os.stat, '/bin/sh')", {"FileNotFoundError"}),
    ("more than 64 descriptors", "attempt(lambda: [os.dup(0) for _ in range(100)])\nos.closerange(5, 64)", {"OSError"}),
]  # fmt: skip


@pytest.mark.parametrize(("attempt", "got"), [item[1:] for item in REFUSED], ids=[item[0] for item in REFUSED])
def test_it_is_refused(run: Run, attempt: str, got: set[str]) -> None:
    seen = run(TRY + attempt)
    assert seen.value is not None and seen.value["stdout"].strip() in got, seen


@pytest.mark.parametrize("pid", ["1", "os.getppid()"])
@pytest.mark.parametrize("number", [101, 310, 311, 312, 434, 438], ids=lambda number: f"call {number}")
def test_nobody_reads_the_agents_memory(run: Run, number: int, pid: str) -> None:
    """ptrace, process_vm_readv and _writev, kcmp, pidfd_open and _getfd, on PID 1 and on the process that forks."""
    seen = run(TRY + f"import platform\nprint(platform.machine() != 'x86_64' or call({number}, 16, {pid}, 0, 0, 0, 0))")
    assert seen.value in ({"stdout": "Operation not permitted\n"}, {"stdout": "True\n"}), seen


def test_a_flood_of_prints_does_not_keep_the_agent_from_its_deadline(run_out: Run) -> None:
    seen = run_out("import os\nwhile True: os.write(1, b'x' * 65536)")
    assert seen.outcome is JobOutcome.TIMEOUT and seen.stderr.startswith("xxx")


def test_endless_prints_are_cut_off(run: Run) -> None:
    seen = run("while True: print('x' * 1000)")
    assert seen.outcome is JobOutcome.OUTPUT_LIMIT and seen.value is None


def test_an_answer_of_a_gigabyte_is_cut_off(run: Run) -> None:
    """Announced and begun on the answer pipe; the agent takes its limit and no more."""
    seen = run(
        "import os, struct\nos.write(4, struct.pack('>II', 0, 1 << 30))\n"
        "try:\n  while True: os.write(4, b'x' * 65536)\nexcept OSError: pass"
    )
    assert seen.outcome is JobOutcome.OUTPUT_LIMIT and seen.value is None


def test_nothing_of_the_host_is_in_the_process(run: Run) -> None:
    seen = run(
        "import os\nprint(sorted(os.environ))\nprint(os.getuid() >= 10_000, os.getgroups(), os.getpid() != 1)\n"
        "print(sorted(int(n) for n in os.listdir('/proc/self/fd'))[:5])"
    )
    assert seen.value is not None
    lines = seen.value["stdout"].splitlines()
    assert (
        "'HOME', " in lines[0] and "KEY" not in lines[0] and "BOOTCAMP" not in lines[0].replace("BOOTCAMP_IDLE_S", "")
    )
    assert lines[1:] == ["True [] True", "[0, 1, 2, 3, 4]"]
