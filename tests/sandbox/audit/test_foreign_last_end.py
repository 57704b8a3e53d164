"""Code that ignores the signal which ends a process is ended by the kernel's own limit."""

from __future__ import annotations

import signal
import subprocess
import sys

from sandbox.audit.foreign.asking import TOO_SLOW, _why
from sandbox.calls import Call, JobOutcome, Observation, Op

PROGRAM = """
import signal
from sandbox.audit.foreign import guest_running as running
running.GRACE_S = 0.0
with running.ended_after(0.1):
    signal.signal(signal.SIGPROF, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    while True:
        pass
"""


def test_a_process_that_ignores_its_timer_is_ended_all_the_same() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], check=False, capture_output=True, timeout=300)
    assert done.returncode == -signal.SIGXCPU


def test_that_end_is_told_as_too_much_work() -> None:
    seen = Observation(Call(Op.PARSE, {}), JobOutcome.TIMEOUT, error="more than 3600 CPU seconds")
    assert _why(seen).startswith(TOO_SLOW)
