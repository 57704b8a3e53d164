"""How a call can end, one way at a time; after each the box answers an honest call (fixture ``run``)."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from sandbox.box import Box
from sandbox.calls import Call, JobOutcome, Observation, Op
from sandbox.limits import JobLimits
from sandbox.service import Sandbox
from tests.sandbox.adding_task import CASE, generate, program, task_files

pytestmark = pytest.mark.docker

Run = Callable[[str], Observation]
MUTE = "class E(Exception):\n def __str__(self): 1 / 0\nraise E"
ENDLESS = {
    "an endless loop": "while True: pass",
    "sleep": "import time\ntime.sleep(3600)",
    "a loop in C": "9 ** 9 ** 9",
    "a catastrophic pattern": "import re\nre.match('(a+)+$', 'a' * 40 + 'b')",
    "stopping itself": "import os\nos.kill(os.getpid(), 19)",
    "all signals blocked": "import signal\nsignal.pthread_sigmask(0, range(1, 65))\nwhile True: pass",
}
ENDS = [
    ("an exception", "1 / 0", JobOutcome.EXCEPTION, "ZeroDivisionError: division by zero"),
    ("a syntax error", "def", JobOutcome.EXCEPTION, "SyntaxError: "),
    ("an exception whose text raises", MUTE, JobOutcome.EXCEPTION, "str() raised"),
    ("exit with a status", "raise SystemExit(3)", JobOutcome.EXCEPTION, "SystemExit: 3"),
    ("an interrupt", "raise KeyboardInterrupt", JobOutcome.EXCEPTION, "KeyboardInterrupt"),
    ("_exit(0) half way", "import os\nprint(1)\nos._exit(0)", JobOutcome.KILLED, "exit code 0 and no answer"),
    ("recursion", "f = lambda: f()\nf()", JobOutcome.EXCEPTION, "RecursionError"),
    ("a segmentation fault", "import ctypes\nctypes.string_at(1)", JobOutcome.KILLED, "SIGSEGV"),
    ("abort", "import os\nos.abort()", JobOutcome.KILLED, "SIGABRT"),
    ("memory in one piece", "bytearray(1 << 30)", JobOutcome.OUT_OF_MEMORY, "MemoryError"),
    ("memory bit by bit", "x = []\nwhile True: x.append('a' * 999999)", JobOutcome.OUT_OF_MEMORY, "MemoryError"),
    ("endless prints", "while True: print('x' * 1000)", JobOutcome.OUTPUT_LIMIT, "OutputTooLong"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "outcome", "error"), [end[1:] for end in ENDS], ids=[end[0] for end in ENDS])
def test_a_call_ends_with_its_outcome(run: Run, source: str, outcome: JobOutcome, error: str) -> None:
    seen = run(source)
    assert (seen.outcome, error in seen.error) == (outcome, True), seen
    assert seen.value is None


@pytest.mark.parametrize("source", ENDLESS.values(), ids=ENDLESS)
def test_a_call_that_never_ends_is_ended(hasty_arena: Box, source: str) -> None:
    seen = hasty_arena.fresh(program(source))
    assert (seen.outcome, seen.error, seen.value) == (JobOutcome.TIMEOUT, "no answer within 1 s", None), seen
    assert hasty_arena.batch([program("print(1)")])[0].ok


def test_memory_past_the_containers_limit_is_the_candidates_failure(sandbox: Sandbox) -> None:
    """The kernel kills the job, not the agent; the engine itself would not say so."""
    bomb = program("x = []\nwhile True: x.append(bytearray(1 << 20))")
    with sandbox.box({}, JobLimits(address_mb=4096, wall_s=200)) as box:
        container = box.container_id
        assert box.fresh(bomb).error == "the container's memory limit was reached"
        assert [seen.outcome for seen in box.batch([program("print(1)"), bomb, program("print(2)")])] == [
            JobOutcome.OK,
            JobOutcome.OUT_OF_MEMORY,
            JobOutcome.OK,
        ]
        assert box.container_id != container


def test_cpu_time_is_limited_apart_from_wall_time(sandbox: Sandbox) -> None:
    spin = program("import time\nend = time.process_time() + 0.6\nwhile time.process_time() < end: pass\nprint(1)")
    with sandbox.box({}, JobLimits(cpu_s=1, wall_s=200)) as box:
        assert box.fresh(program("while True: pass")).error == "more than 1 CPU seconds"
        # A session that used its time up is replaced; the call that happened to be running is asked again.
        assert all(seen.ok for seen in box.batch([spin] * 2))


def test_an_answer_past_its_limit_is_cut_off(sandbox: Sandbox) -> None:
    files = task_files("def generate(self, rng, params):\n    return 'x' * rng.choice([10, 1 << 21])")
    with sandbox.box(files, JobLimits(output_bytes=1 << 20)) as box:
        seen = box.batch([generate(seed) for seed in range(3)])
    assert {(one.outcome, one.error) for one in seen} == {
        (JobOutcome.OK, ""),
        (JobOutcome.OUTPUT_LIMIT, "an answer of more than 1048576 bytes"),
    }


def test_prints_are_kept_apart_from_the_answer_and_capped(sandbox: Sandbox) -> None:
    body = "def prompt(self, case):\n    print('seen \\x1b[31m' + 'y' * 100_000)\n    return 'asked'"
    with sandbox.box(task_files(body)) as box:
        first, second = box.batch([Call(Op.PROMPT, {"case": CASE}), generate(1)])
    assert first.value == "asked" and second.stderr == ""
    assert first.stderr.startswith("seen \\x1b[31myyy") and len(first.stderr) == 8000


def test_a_traceback_shows_the_tasks_own_lines(sandbox: Sandbox) -> None:
    with sandbox.box(task_files("def generate(self, rng, params):\n    return {}['absent']")) as box:
        seen = box.fresh(generate(1))
    assert seen.error == "KeyError: 'absent'"
    assert "<task>/bootcamp.py" in seen.traceback and "return {}['absent']" in seen.traceback
    assert "worker.py" not in seen.traceback


def test_a_batch_goes_on_after_calls_that_kill_its_process(sandbox: Sandbox) -> None:
    good, bad, slow = program("print(1)"), program("import os\nos._exit(1)"), program("while True: pass")
    calls = [good, bad, bad, good, slow, good, bad]
    with sandbox.box({}, JobLimits(wall_s=3)) as box:
        outcomes = [seen.outcome.value for seen in box.batch(calls)]
    assert outcomes == ["ok", "killed", "killed", "ok", "timeout", "ok", "killed"]


def test_a_session_goes_on_after_a_death(arena: Box) -> None:
    with arena.session() as session:
        assert session.call(program("print(1)")).ok
        assert session.call(program("import os\nos._exit(1)")).outcome is JobOutcome.KILLED
        assert session.call(program("print(1)")).ok


def test_a_process_that_dies_between_calls_is_nobodys_answer(sandbox: Sandbox, arena: Box) -> None:
    later = "import threading, os, time\nthreading.Thread(target=lambda: (time.sleep(0.5), os._exit(1))).start()"
    client = sandbox.engine.connect()
    alone = len(client.api.top(arena.container_id)["Processes"])
    with arena.session() as session:
        assert session.call(program(later)).ok
        while len(client.api.top(arena.container_id)["Processes"]) > alone:
            time.sleep(0.05)
        assert session.call(program("print(1)")).ok
    client.close()
