"""Other programs, the agent as a target, more rights, and daemons that write later."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sandbox.calls import JobOutcome, Observation
from tests.sandbox.abuse.conftest import Fort
from tests.sandbox.abuse.trying import TRY
from tests.sandbox.adding_task import program

pytestmark = pytest.mark.docker
Run = Callable[[str], Observation]
REFUSED = [
    ("a program", "attempt(os.execv, sys.executable or '/opt/python/bin/python3', ['x'])", "PermissionError"),
    ("a shell", "attempt(os.system, 'true')", "32512"),
    ("a subprocess", "import subprocess\nattempt(subprocess.run, ['python3', '-V'])", "PermissionError"),
    ("a spawned program", "attempt(os.posix_spawn, '/opt/python/bin/python3', ['x'], {})", "PermissionError"),
    ("a worker", "import multiprocessing as m\nattempt(m.get_context('fork').Process().start)", "PermissionError"),
    ("killing the agent", "attempt(os.kill, 1, 9)", "PermissionError"),
    ("stopping the agent", "attempt(os.kill, 1, 19)", "PermissionError"),
    ("killing what forks", "attempt(os.kill, os.getppid(), 9)", "PermissionError"),
    ("stopping what forks", "attempt(os.kill, os.getppid(), 19)", "PermissionError"),
    ("the affinity of what forks", "attempt(os.sched_setaffinity, os.getppid(), {0})", "PermissionError"),
    ("the agent's affinity", "attempt(os.sched_setaffinity, 1, {0})", "PermissionError"),
    ("the agent's limits", "import resource\nattempt(resource.prlimit, 1, 7, (1, 1))", "PermissionError"),
    ("the agent's priority", "attempt(os.setpriority, os.PRIO_PROCESS, 1, 19)", "PermissionError"),
    ("raising a limit", "import resource\nattempt(resource.setrlimit, resource.RLIMIT_AS, (-1, -1))", "ValueError"),
    ("its own priority", "attempt(os.nice, -1)", "PermissionError"),
    ("chroot", "attempt(os.chroot, '/tmp')", "PermissionError"),
    ("a double fork", "attempt(os.fork)", "PermissionError"),
    ("other processes", "print(sum(name.isdecimal() for name in os.listdir('/proc')))", "3"),
]


@pytest.mark.parametrize(("attempt", "got"), [item[1:] for item in REFUSED], ids=[item[0] for item in REFUSED])
def test_it_is_refused(run: Run, attempt: str, got: str) -> None:
    seen = run(TRY + attempt)
    assert seen.value == {"stdout": f"{got}\n"}, seen


def test_killing_everybody_kills_itself_at_most(run: Run) -> None:
    seen = run("import os\nos.kill(-1, 9)\nprint('alive')")
    assert seen.value == {"stdout": "alive\n"} or seen.outcome in (JobOutcome.KILLED, JobOutcome.EXCEPTION), seen


def test_no_signal_reaches_the_agent(run: Run) -> None:
    seen = run(
        "import os\nfor number in range(1, 65):\n  try: os.kill(1, number)\n  except OSError: pass\nprint('alive')"
    )
    assert seen.value == {"stdout": "alive\n"}, seen


def test_no_descriptor_of_the_agent_can_be_opened(run: Run) -> None:
    seen = run(
        "import os\nopened = []\nfor number in range(64):\n"
        "  for how in (os.O_RDONLY, os.O_WRONLY):\n"
        "    for pid in (1, os.getppid()):\n"
        "      try: opened.append(os.open(f'/proc/{pid}/fd/{number}', how))\n"
        "      except OSError: pass\n"
        "print(opened)"
    )
    assert seen.value == {"stdout": "[]\n"}, seen


def test_a_thread_that_writes_later_reaches_nobody(fort: Fort) -> None:
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
        assert fort.box.fresh(program(late)).value == {"stdout": "1\n"}
        assert fort.box.fresh(program("import time; time.sleep(0.1); print(2)")).value == {"stdout": "2\n"}
    with fort.box.session() as session:
        assert session.call(program(late)).ok
        # In a session the process is its own: it may spoil its own next answer, it cannot be mistaken for another.
        wait = (
            "import threading\n[one.join() for one in threading.enumerate() if one is not threading.current_thread()]"
        )
        seen = session.call(program(f"{wait}\nprint(2)"))
        assert seen.outcome in (JobOutcome.PROTOCOL, JobOutcome.OK) and seen.value in (None, {"stdout": "2\n"})
        assert session.call(program("print(3)")).value == {"stdout": "3\n"}
