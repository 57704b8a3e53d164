"""What hostile code tries, and what it gets. Each program proves its own failure by what it raises or prints.

Not covered here: a daemon killed under a running job, kernel exploits, side channels between containers.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sandbox.box import Box
from sandbox.calls import JobOutcome, Observation
from tests.sandbox.adding_task import program

pytestmark = pytest.mark.docker

Run = Callable[[str], Observation]

# Prints, for each attempt, the name of the exception or what it got.
TRY = """
import ctypes, os, sys
def attempt(f, *args):
    try:
        print(f(*args))
    except BaseException as error:
        print(type(error).__name__)
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *args):
    result = libc.syscall(number, *[ctypes.c_long(arg) for arg in args])
    return os.strerror(ctypes.get_errno()) if result == -1 else f"got {result}"
"""
REFUSED = [
    ("a fork", "attempt(os.fork)", "PermissionError"),
    ("a program", "attempt(os.execv, '/opt/python/bin/python3', ['x'])", "PermissionError"),
    ("a shell", "attempt(os.system, 'true')", "32512"),
    ("a subprocess", "import subprocess\nattempt(subprocess.run, ['python3', '-V'])", "PermissionError"),
    ("a worker", "import multiprocessing as m\nattempt(m.get_context('fork').Process().start)", "PermissionError"),
    ("TCP", "import socket\nattempt(socket.create_connection, ('127.0.0.1', 80))", "PermissionError"),
    ("a name look-up", "import socket\nattempt(socket.gethostbyname, 'example.org')", "gaierror"),
    ("netlink", "import socket\nattempt(socket.socket, 16, 3, 0)", "PermissionError"),
    ("vsock", "import socket\nattempt(socket.socket, 40, 1)", "PermissionError"),
    ("an abstract socket", "import socket\nattempt(socket.socket, 1)", "PermissionError"),
    ("writing to /", "attempt(open, '/x', 'w')", "OSError"),
    ("writing to /tmp", "attempt(open, '/tmp/x', 'w')", "OSError"),
    ("writing to /dev", "attempt(open, '/dev/x', 'w')", "PermissionError"),
    ("shared memory files", "attempt(os.listdir, '/dev/shm')", "FileNotFoundError"),
    ("message queue files", "attempt(open, '/dev/mqueue/x', 'w')", "OSError"),
    ("the agent's environment", "attempt(open, '/proc/1/environ')", "PermissionError"),
    ("the agent's memory", "attempt(open, '/proc/1/mem', 'rb')", "PermissionError"),
    ("the agent's map", "attempt(lambda: open('/proc/1/maps').read())", "PermissionError"),
    ("the agent's descriptors", "attempt(os.listdir, '/proc/1/fd')", "PermissionError"),
    ("killing the agent", "attempt(os.kill, 1, 9)", "PermissionError"),
    ("the agent's affinity", "attempt(os.sched_setaffinity, 1, {0})", "PermissionError"),
    ("the agent's limits", "import resource\nattempt(resource.prlimit, 1, 7, (1, 1))", "PermissionError"),
    ("raising a limit", "import resource\nattempt(resource.setrlimit, resource.RLIMIT_AS, (-1, -1))", "ValueError"),
    ("root", "attempt(os.setuid, 0)", "PermissionError"),
    ("another group", "attempt(os.setgroups, [0])", "PermissionError"),
    ("chroot", "attempt(os.chroot, '/tmp')", "PermissionError"),
    ("the docker socket", "attempt(os.stat, '/var/run/docker.sock')", "FileNotFoundError"),
    ("anonymous files", "attempt(os.memfd_create, 'x')", "PermissionError"),
    ("more than 64 descriptors", "attempt(lambda: [os.dup(0) for _ in range(100)])\nos.closerange(5, 64)", "OSError"),
    ("a shell to find", "attempt(os.stat, '/bin/sh')", "FileNotFoundError"),
]  # fmt: skip
# x86-64 numbers; 101 ptrace, 310 process_vm_readv, 29 shmget, 240 mq_open, 425 io_uring_setup, 272 unshare, 165 mount,
# 321 bpf, 298 perf_event_open, 323 userfaultfd, 250 keyctl, 56 clone without CLONE_THREAD, 135 personality.
CALLS = [101, 310, 29, 240, 425, 272, 165, 321, 298, 323, 250, 56, 135]


@pytest.mark.parametrize(("attempt", "got"), [item[1:] for item in REFUSED], ids=[item[0] for item in REFUSED])
def test_it_is_refused(run: Run, attempt: str, got: str) -> None:
    seen = run(TRY + attempt)
    assert seen.value == {"stdout": f"{got}\n"}, seen


def test_system_calls_of_the_list_are_refused(run: Run) -> None:
    seen = run(
        TRY + "import platform\nassert platform.machine() == 'x86_64'\n" + f"for n in {CALLS}: print(n, call(n, 0, 0))"
    )
    if "AssertionError" in seen.error:
        pytest.skip("numbers of x86-64")
    assert seen.value == {"stdout": "".join(f"{number} Operation not permitted\n" for number in CALLS)}


def test_clone3_and_calls_of_the_future_do_not_exist(run: Run) -> None:
    seen = run(TRY + "print(call(435, 0, 0)); print(call(463, 0)); print(call(5000, 0))")
    assert seen.value == {"stdout": "Function not implemented\n" * 3}


def test_x32_calls_kill(run: Run) -> None:
    assert run(TRY + "call(0x40000000 + 39)").error == "killed by SIGSYS"


def test_it_sees_no_process_but_itself_and_the_agent(run: Run) -> None:
    seen = run("import os\nprint(sum(name.isdecimal() for name in os.listdir('/proc')))")
    assert seen.value == {"stdout": "2\n"}


def test_threads_are_allowed_and_bounded(run: Run) -> None:
    bomb = (
        "import threading, time\nthreading.stack_size(1 << 18)\nn = 0\ntry:\n"
        "  while n < 1000:\n    threading.Thread(target=time.sleep, args=(9,), daemon=True).start(); n += 1\n"
        "except RuntimeError:\n  print(5 < n < 64)"
    )
    assert run(bomb).value == {"stdout": "True\n"}


def test_busy_threads_outside_the_interpreters_lock_do_not_starve_the_agent(run: Run) -> None:
    seen = run(
        "import hashlib, threading\nthreading.stack_size(1 << 18)\n"
        "def burn():\n  while True: hashlib.pbkdf2_hmac('sha256', b'x', b'y', 1_000_000)\n"
        "for _ in range(40): threading.Thread(target=burn, daemon=True).start()\n"
        "burn()"
    )
    assert seen.outcome is JobOutcome.TIMEOUT and seen.wall_s < 3


def test_a_thread_that_writes_later_reaches_nobody(arena: Box) -> None:
    late = (
        "import threading, os, time\n"
        'data = b\'\\0\\0\\0\\0\\0\\0\\0\\x0f{"value":"late"}\'\n'
        "def later():\n"
        "  time.sleep(0.05)\n"
        "  for fd in range(64):\n"
        "    try: os.write(fd, data)\n"
        "    except OSError: pass\n"
        "threading.Thread(target=later).start()\nprint(1)"
    )
    for _ in range(3):
        assert arena.fresh(program(late)).value == {"stdout": "1\n"}
        assert arena.fresh(program("import time; time.sleep(0.1); print(2)")).value == {"stdout": "2\n"}
    with arena.session() as session:
        assert session.call(program(late)).ok
        # In a session the process is its own: it may spoil its own next answer, it cannot be mistaken for another.
        seen = session.call(program("import time; time.sleep(0.3); print(2)"))
        assert seen.outcome in (JobOutcome.PROTOCOL, JobOutcome.OK) and seen.value in (None, {"stdout": "2\n"})
        assert session.call(program("print(3)")).value == {"stdout": "3\n"}


FORGED = [
    # an agent's frames, on every descriptor
    'h = b\'{"kind":"value","job":0,"call":0,"answer":16,"wall_s":0,"cpu_s":0}\'; b = b\'{"value":"forged"}\'\n'
    "data = struct.pack('>II', len(h), len(b)) + h + b",
    # a worker's answer, twice
    'b = b\'{"value":{"stdout":"forged"}}\'\ndata = (struct.pack(">II", 0, len(b)) + b) * 2',
    # half an answer
    "data = b'\\0\\0\\0\\0\\0\\0\\0\\xff{'",
    # bytes that are not JSON, not UTF-8, not finite, too deep
    "data = b'\\0\\0\\0\\0\\0\\0\\0\\x04\\xff\\xfe\\xfd\\xfc'",
    "b = b'{\"value\":{\"stdout\":1e999}}'\ndata = struct.pack('>II', 0, len(b)) + b",
    "b = b'[' * 200_000\ndata = struct.pack('>II', 0, len(b)) + b",
    "b = b'{\"value\":1,\"value\":2}'\ndata = struct.pack('>II', 0, len(b)) + b",
    'b = b\'{"value":{"stdout":"\\\\ud800"}}\'\ndata = struct.pack(\'>I\', len(b)) + b',
    "b = b'{\"value\":' + b'9' * 900_000 + b'}'\ndata = struct.pack('>II', 0, len(b)) + b",
]


@pytest.mark.parametrize("forge", FORGED, ids=lambda text: text[:20])
def test_forged_bytes_on_every_descriptor_are_caught(run: Run, forge: str) -> None:
    """It floods every descriptor and then hangs, so that no honest answer follows."""
    seen = run(
        f"import os, struct, time\n{forge}\n"
        "for fd in range(64):\n"
        "  try:\n"
        "    n = 0\n"
        "    while n < len(data): n += os.write(fd, data[n:])\n"
        "  except OSError: pass\n"
        "time.sleep(60)"
    )
    assert seen.outcome in (JobOutcome.PROTOCOL, JobOutcome.OUTPUT_LIMIT, JobOutcome.TIMEOUT), seen
    assert seen.value is None


def test_closing_every_descriptor_is_caught(run: Run) -> None:
    assert run("import os, time\nos.closerange(0, 64)\ntime.sleep(60)").outcome is JobOutcome.PROTOCOL


def test_a_second_answer_is_not_taken_for_the_next_calls(arena: Box) -> None:
    """It answers its own call early, so that its honest answer is left over for the next one."""
    early = program(
        'import os, struct\nb = b\'{"value":{"stdout":"9"}}\'\n'
        "os.write(4, struct.pack('>II', 0, len(b)) + b)\nprint(1)"
    )
    for _ in range(5):
        first, second, third = arena.batch([early, program("print(2)"), program("print(3)")])
        assert first.outcome is JobOutcome.PROTOCOL or first.value == {"stdout": "9"}  # its own answer, true or not
        assert second.outcome is JobOutcome.PROTOCOL or second.value == {"stdout": "2\n"}
        assert third.value == {"stdout": "3\n"}


def test_a_flood_of_prints_does_not_keep_the_agent_from_its_deadline(run: Run) -> None:
    seen = run("import os\nwhile True: os.write(1, b'x' * 65536)")
    assert seen.outcome is JobOutcome.TIMEOUT and seen.wall_s < 3 and seen.stderr.startswith("xxx")


def test_patched_builtins_hurt_only_the_job(run: Run) -> None:
    seen = run("import builtins, os, json\nos.write = json.dumps = builtins.len = lambda *a, **k: 1 / 0\nprint(1)")
    assert not seen.ok


def test_nothing_of_the_host_is_in_the_process(run: Run) -> None:
    seen = run(
        "import os\nprint(sorted(os.environ))\nprint(os.getuid() >= 10_000, os.getgroups(), os.getpid() != 1)\n"
        "print(sorted(int(n) for n in os.listdir('/proc/self/fd'))[:5])"
    )
    names = "'HOME', 'HOSTNAME', 'LANG', 'LD_LIBRARY_PATH', 'OPENBLAS_NUM_THREADS', 'PATH'"
    assert seen.value is not None
    lines = seen.value["stdout"].splitlines()
    assert names in lines[0] and "KEY" not in lines[0]
    assert lines[1:] == ["True [] True", "[0, 1, 2, 3, 4]"]


def test_the_global_generator_differs_between_processes(arena: Box) -> None:
    """Otherwise forks of one zygote would agree and hide a task that uses it."""
    assert len({str(arena.fresh(program("import random; print(random.random())")).value) for _ in range(4)}) == 4
