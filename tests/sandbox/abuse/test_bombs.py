"""Bombs, and loops that Python cannot interrupt."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sandbox.calls import JobOutcome, Observation
from sandbox.limits import JobLimits
from tests.sandbox.abuse.conftest import Fort
from tests.sandbox.abuse.trying import TRY
from tests.sandbox.adding_task import program

pytestmark = pytest.mark.docker
Run = Callable[[str], Observation]
FORK_BOMB = TRY + "import threading\ntry:\n  while True: os.fork()\nexcept OSError as e: print(type(e).__name__)"
CLONE_BOMB = (
    TRY
    + "number = 220 if os.uname().machine == 'aarch64' else 56\n"
    + "print(sorted({call(number, flags, 0, 0, 0, 0) for flags in (17, 0, 0x4000, 0x11)}))"
)
THREADS = """
import threading, time
threading.stack_size(1 << 18)
n = 0
try:
  while n < 1000: threading.Thread(target=time.sleep, args=(9,), daemon=True).start(); n += 1
except RuntimeError: print(5 < n < 64)
"""
ENDLESS = {
    "a loop in C": "9 ** 9 ** 9",
    "a catastrophic pattern": "import re\nre.match('(a+)+$', 'a' * 40 + 'b')",
    "sleep": "import time\ntime.sleep(3600)",
    "a loop that catches all": "while True:\n  try:\n    while True: pass\n  except BaseException: pass",
    "all signals blocked": "import signal\nsignal.pthread_sigmask(0, range(1, 65))\nwhile True: pass",
    "stopping itself": "import os\nos.kill(os.getpid(), 19)",
}
ENDS = [
    ("every descriptor closed", "import os, time\nos.closerange(0, 64)\ntime.sleep(60)", JobOutcome.PROTOCOL, ""),
    ("memory in one piece", "bytearray(1 << 30)", JobOutcome.OUT_OF_MEMORY, "MemoryError"),
    ("memory bit by bit", "x = []\nwhile True: x.append('a' * 999999)", JobOutcome.OUT_OF_MEMORY, "MemoryError"),
    ("a map of all memory", "import mmap\nmmap.mmap(-1, 1 << 40)", JobOutcome.EXCEPTION, "OSError"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "outcome", "error"), [end[1:] for end in ENDS], ids=[end[0] for end in ENDS])
def test_it_ends_as_the_candidates_failure(run: Run, source: str, outcome: JobOutcome, error: str) -> None:
    seen = run(source)
    assert (seen.outcome, error in seen.error, seen.value) == (outcome, True, None), seen


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS)
def test_what_never_ends_is_ended(run_out: Run, source: str) -> None:
    seen = run_out(source)
    assert (seen.outcome, seen.value) == (JobOutcome.TIMEOUT, None), seen


@pytest.mark.parametrize(
    ("source", "printed"),
    [(FORK_BOMB, "PermissionError\n"), (CLONE_BOMB, "['Operation not permitted']\n"), (THREADS, "True\n")],
    ids=["forks", "clones", "threads"],
)
def test_it_does_not_multiply(run: Run, source: str, printed: str) -> None:
    assert run(source).value == {"stdout": printed}


def test_memory_past_the_limit_of_the_whole_container_is_the_candidates_failure(fort: Fort) -> None:
    """Without a limit on its address space the kernel kills the job, not the agent."""
    bomb = program("x = []\nwhile True: x.append(bytearray(1 << 20))")
    with fort.sandbox.box({}, JobLimits(address_mb=4096, wall_s=20)) as box:
        seen = box.batch([program("print(1)"), bomb, program("print(2)")])
    assert [one.outcome.value for one in seen] == ["ok", "out-of-memory", "ok"]


def test_busy_threads_outside_the_interpreters_lock_do_not_starve_the_agent(run_out: Run) -> None:
    seen = run_out(
        "import hashlib, threading\nthreading.stack_size(1 << 18)\n"
        "def burn():\n  while True: hashlib.pbkdf2_hmac('sha256', b'x', b'y', 1_000_000)\n"
        "for _ in range(40): threading.Thread(target=burn, daemon=True).start()\n"
        "burn()"
    )
    assert seen.outcome is JobOutcome.TIMEOUT
