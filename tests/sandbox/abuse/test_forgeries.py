"""Lies: about who speaks, about what was answered, about what is equal, about the verdict."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Verdict
from sandbox.calls import Call, JobOutcome, Observation, Op
from sandbox.plan import GatePlan
from sandbox.runner import run_gate
from tests.sandbox.abuse.conftest import LIMITS, Fort
from tests.sandbox.adding_task import CASE, program, task_files

pytestmark = pytest.mark.docker
Run = Callable[[str], Observation]
FORGED = [
    # an agent's frames, on every descriptor: the old and the fixed header
    'h = b\'{"kind":"value","job":0,"call":0,"answer":16,"wall_s":0,"cpu_s":0}\'; b = b\'{"value":"forged"}\'\n'
    "data = struct.pack('>II', len(h), len(b)) + h + b",
    "b = b'{\"value\":\"forged\"}'\nh = struct.pack('>BIIIdd', 2, 0, 0, len(b), 0, 0)\n"
    "data = struct.pack('>II', len(h), len(b)) + h + b",
    # a worker's answer, twice
    'b = b\'{"value":{"stdout":"forged"}}\'\ndata = (struct.pack(">II", 0, len(b)) + b) * 2',
    # half an answer
    "data = b'\\0\\0\\0\\0\\0\\0\\0\\xff{'",
    # bytes that are not JSON, not UTF-8, not finite, too deep
    "data = b'\\0\\0\\0\\0\\0\\0\\0\\x04\\xff\\xfe\\xfd\\xfc'",
    "b = b'{\"value\":{\"stdout\":1e999}}'\ndata = struct.pack('>II', 0, len(b)) + b",
    "b = b'{\"value\":{\"stdout\":NaN}}'\ndata = struct.pack('>II', 0, len(b)) + b",
    "b = b'[' * 200_000\ndata = struct.pack('>II', 0, len(b)) + b",
    "b = b'{\"value\":1,\"value\":2}'\ndata = struct.pack('>II', 0, len(b)) + b",
    'b = b\'{"value":{"stdout":"\\\\ud800"}}\'\ndata = struct.pack(\'>I\', len(b)) + b',
    "b = b'{\"value\":' + b'9' * 900_000 + b'}'\ndata = struct.pack('>II', 0, len(b)) + b",
]
SEEK = """
import gc, sys
def words(depth=0):
    found = set()
    for item in gc.get_objects():
        found.add(type(item).__module__)
    frame = sys._getframe()
    while frame:
        found.add(frame.f_globals.get('__name__'))
        frame = frame.f_back
    return found
print(sorted(name for name in map(str, words()) if name.startswith('sandbox')))
import sandbox
print(sorted(sys.modules[name].__name__ for name in sys.modules if name in ('docker', 'sandbox.runner', 'sandbox.box')))
"""
LIARS = {
    "equal to everything": "class E(int):\n  __eq__ = lambda s, o: True\n  __hash__ = int.__hash__\n"
    "def parse(self, response): return E(1)",
    "a float that lies": "class F(float):\n  __float__ = lambda s: 1.0\ndef parse(self, response): return F('nan')",
    "a score of its own": "class S:\n  value, outcome, reason = 1.0, 'correct', ''\n"
    "def verify(self, case, answer): return S()",
    "a changed score": "def verify(self, case, answer):\n"
    "  s = Score.wrong('x'); object.__setattr__(s, 'value', 7.0); return s",
}


@pytest.mark.parametrize("forge", FORGED, ids=lambda text: text[:20])
def test_forged_bytes_on_every_descriptor_are_caught(run_out: Run, forge: str) -> None:
    """It floods every descriptor and then hangs, so that no honest answer follows."""
    seen = run_out(
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


def test_a_second_answer_is_not_taken_for_the_next_calls(fort: Fort) -> None:
    """It answers its own call early, so that its honest answer is left over for the next one."""
    early = program(
        'import os, struct\nb = b\'{"value":{"stdout":"9"}}\'\n'
        "os.write(4, struct.pack('>II', 0, len(b)) + b)\nprint(1)"
    )
    for _ in range(3):
        first, second, third = fort.box.batch([early, program("print(2)"), program("print(3)")])
        assert first.outcome is JobOutcome.PROTOCOL or first.value == {"stdout": "9"}  # its own answer, true or not
        assert second.outcome is JobOutcome.PROTOCOL or second.value == {"stdout": "2\n"}
        assert third.value == {"stdout": "3\n"}


def test_what_waits_in_the_agent_is_in_no_job(fort: Fort) -> None:
    """A process that dies in the middle of a batch is followed by one forked while the rest of the batch waits."""
    search = (
        "import ctypes, re\nmine = waiting = 0\n"
        "for line in open('/proc/self/maps'):\n"
        "  span, mode = line.split()[:2]\n"
        "  if not mode.startswith('rw'): continue\n"
        "  low, high = (int(part, 16) for part in span.split('-'))\n"
        "  memory = ctypes.string_at(low, high - low)\n"
        "  mine += len(re.findall(rb'MINE-[C]ALL', memory))\n"
        "  waiting += len(re.findall(rb'WAITING-[C]ALL', memory))\n"
        "print(mine > 0, waiting)"
    )
    calls = [
        program("import os; os._exit(1)"),
        program(search, stdin="MINE-CALL"),
        *[program("print(0)", stdin=f"WAITING-CALL {n}") for n in range(50)],
    ]
    seen = fort.box.batch(calls)
    assert seen[0].outcome is JobOutcome.KILLED
    assert seen[1].value == {"stdout": "True 0\n"}, seen[1]


def test_the_process_holds_no_object_of_the_host(run: Run) -> None:
    seen = run(SEEK)
    assert seen.value is not None
    modules, host = seen.value["stdout"].splitlines()
    assert host == "[]" and all("sandbox.guest" in name or name == "sandbox" for name in eval(modules))  # noqa: S307


def test_patched_builtins_hurt_only_the_job(run: Run) -> None:
    seen = run("import builtins, os, json\nos.write = json.dumps = builtins.len = lambda *a, **k: 1 / 0\nprint(1)")
    assert not seen.ok


@pytest.mark.parametrize("name", LIARS)
def test_values_that_lie_about_themselves_are_refused(fort: Fort, name: str) -> None:
    with fort.sandbox.box(task_files(LIARS[name]), LIMITS) as box:
        parsed = box.fresh(Call(Op.PARSE, {"response": "<answer>5</answer>"}))
        scored = box.fresh(Call(Op.SCORE, {"case": CASE, "response": "<answer>6</answer>"}))
    assert JobOutcome.EXCEPTION in (parsed.outcome, scored.outcome)
    assert scored.value is None or scored.value["outcome"] != "correct"


TINY = GatePlan(
    cases_per_level=4, screen_cases=2, second_container_cases=2, near_miss_cases=1, still_right_cases=1,
    perturbed_cases=1, property_examples=3, response_examples=4, stable_examples=3, huge=2_000,
)  # fmt: skip
# What forged a passing report when harness and candidate shared a process.
FORGERIES = {
    "it ends the process with success": "import atexit, os\natexit.register(os._exit, 0)\n",
    "it prints a passing report": "import sys\n"
    "for out in (sys.stdout, sys.__stdout__):\n"
    '    print(\'{"verdict": "pass", "findings": []}\', file=out, flush=True)\n',
    "it finds the harness in the garbage": "import gc\n"
    "for item in gc.get_objects():\n"
    "    if type(item).__name__ in ('Report', 'Finding', 'CheckResult', 'Evidence') and hasattr(item, 'results'):\n"
    "        item.results.clear()\n",
    "it walks the frames": "import sys\nframe = sys._getframe()\n"
    "while frame:\n"
    "    for name in ('findings', 'report', 'results', 'expected', 'nonce'):\n"
    "        if isinstance(frame.f_locals.get(name), list):\n            frame.f_locals[name].clear()\n"
    "    frame = frame.f_back\n",
    "it patches what judges": "import json, bootcamp_kit.case as c, bootcamp_kit.report as r\n"
    "r.Report.verdict = property(lambda self: 'pass')\nc.Score.wrong = c.Score.correct\n"
    "json.dumps, kept = (lambda *a, **k: kept(*a, **k).replace('wrong', 'correct')), json.dumps\n",
}


@pytest.mark.parametrize("name", FORGERIES)
def test_no_report_is_forged(fort: Fort, name: str) -> None:
    folder = TaskFolder.read(Path(__file__).parents[2] / "bestiary" / "always_right")
    files = dict(folder.files)
    head, future, rest = files["bootcamp.py"].partition(b"from __future__ import annotations\n")
    files["bootcamp.py"] = head + future + FORGERIES[name].encode() + rest
    report = run_gate(fort.sandbox, TaskFolder(files), plan=TINY)
    assert report.verdict is not Verdict.PASS, report
