"""What a job and a gate cost in the sandbox: ``python benchmarks/sandbox.py [--quick] [--json] [--soak JOBS]``.

The ways to run a trivial program take turns, so that all meet the same load; read the ratios first, milliseconds of a
busy machine wander. ``--json`` ends with one JSON object; everything for people goes to stderr. docs/performance.md
explains the figures.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # also run as a file, which has a package's name

from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Environment
from sandbox.box import Box
from sandbox.calls import Call, JobOutcome, Observation, Op
from sandbox.guest.ops import TaskOps
from sandbox.guest.plain import type_name
from sandbox.limits import ContainerLimits, JobLimits
from sandbox.runner import run_gate
from sandbox.service import Sandbox, SandboxSettings

TASK = Path(__file__).parents[1] / "tests" / "sound_tasks" / "weights_to_target"
PROGRAM = Call(Op.PROGRAM, {"source": "print(1)", "stdin": ""})
HARDENED = [
    "--network=none", "--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--pids-limit=64",
    "--memory=512m", "--memory-swap=512m", "--cpus=1", "--ipc=none", "--log-driver=none",
]  # fmt: skip
KEYS = (
    "docker_run_ms", "docker_exec_ms", "subprocess_ms", "in_process_ms", "job_ms", "jobs_per_s", "gate_s",
    "gate_in_process_s",
)  # fmt: skip


class Samples:
    """Durations by name, in milliseconds."""

    def __init__(self) -> None:
        self.of: dict[str, list[float]] = {}

    def take(self, name: str, act: Callable[[], object], times: int = 1) -> None:
        """Time ``act``, one sample for each time."""
        for _ in range(times):
            start = time.perf_counter()
            act()
            self.of.setdefault(name, []).append((time.perf_counter() - start) * 1000)

    def median(self, name: str) -> float:
        """The median of a name's samples."""
        return statistics.median(self.of[name])

    def told(self, name: str) -> str:
        """One line for people."""
        found = sorted(self.of[name])
        low, high = found[len(found) // 10], found[len(found) * 9 // 10]
        return f"{name:<34} {self.median(name):>10.3f} ms  (p10 {low:.3f}, p90 {high:.3f}, n = {len(found)})"


class BareBox:
    """The same calls in this very process: no limit, no isolation; what the sandbox's overhead is measured against."""

    def __init__(self, ops: TaskOps, hash_seed: int) -> None:
        self._ops, self.hash_seed, self.container_id, self.calls = ops, hash_seed, "", 0

    def __enter__(self) -> BareBox:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def close(self) -> None:
        """Nothing to remove."""

    def call(self, call: Call) -> Observation:
        """One call."""
        self.calls += 1
        start, cpu = time.monotonic(), time.thread_time()
        try:
            value, outcome, error = self._ops.answer(call.op, call.args), JobOutcome.OK, ""
        except Exception as raised:  # noqa: BLE001 - the boundary around the task, as in the worker
            value, outcome, error = None, JobOutcome.EXCEPTION, f"{type_name(raised)}: {raised}"[:2000]
        wall_s, cpu_s = time.monotonic() - start, time.thread_time() - cpu
        return Observation(call, outcome, value=value, error=error, wall_s=wall_s, cpu_s=cpu_s)

    fresh = call

    def batch(self, calls: Sequence[Call], *, progress: object = None) -> list[Observation]:
        """All calls."""
        return [self.call(call) for call in calls]

    @contextmanager
    def session(self) -> Iterator[BareBox]:
        """The same process again."""
        yield self


class BareSandbox:
    """Stands in for the sandbox in the gate."""

    def __init__(self, environment: Environment, folder: TaskFolder) -> None:
        self.settings, self._environment, self._ops = SandboxSettings(), environment, TaskOps(folder.sources, 8 << 20)
        self.boxes: list[BareBox] = []

    def environment_of(self, profile: str) -> Environment:
        """The sandbox's own, so that the reports can be compared."""
        return self._environment

    def box(self, files: object, limits: object = None, *, hash_seed: int = 0) -> BareBox:
        """A bare box."""
        self.boxes.append(BareBox(self._ops, hash_seed))
        return self.boxes[-1]


def measure_jobs(sandbox: Sandbox, samples: Samples, rounds: int, jobs: int) -> None:
    """A trivial program, one way after the other, round after round."""
    image, host = sandbox.image.tag, sandbox.engine.url
    environ = {**os.environ, "DOCKER_HOST": host}

    def shell(*command: str) -> str:
        done = subprocess.run(command, env=environ, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    ops = TaskOps({}, 8 << 20)
    sleeper = shell("docker", "run", "-d", *HARDENED, image, "python3", "-c", "import time; time.sleep(900)")
    try:
        with sandbox.box({}) as box, sandbox.box({}) as other, other.session() as session:
            for _ in range(rounds):
                samples.take("docker run", lambda: shell("docker", "run", "--rm", *HARDENED, image, *_python()))
                samples.take("docker exec", lambda: shell("docker", "exec", sleeper, *_python()), 2)
                samples.take("subprocess", lambda: shell(sys.executable, *_python()[1:]), 2)
                samples.take("job, fresh", lambda: _ok(box.fresh(PROGRAM)), jobs)
                samples.take("job, fresh, 5 ms apart", lambda: _ok(box.fresh(PROGRAM)), 1)
                for _ in range(jobs // 4):
                    time.sleep(0.005)
                    samples.take("job, fresh, 5 ms apart", lambda: _ok(box.fresh(PROGRAM)))
                samples.take("call in a session", lambda: _ok(session.call(PROGRAM)), jobs)
                samples.take("in process", lambda: _silent(ops), jobs)
                batched(samples, session, 10 * jobs)
    finally:
        shell("docker", "rm", "-f", sleeper)


def batched(samples: Samples, session: object, calls: int) -> None:
    """Calls streamed to one process; a sample is one call's share of a batch."""
    start = time.perf_counter()
    seen = session.batch([PROGRAM] * calls)  # type: ignore[attr-defined]
    samples.of.setdefault("call in a batch", []).append((time.perf_counter() - start) * 1000 / calls)
    _ok(seen[-1])


def _python() -> list[str]:
    return ["python3", "-c", "print(1)"]


def _ok(seen: Observation) -> None:
    if seen.value != {"stdout": "1\n"}:
        raise RuntimeError(f"the sandbox answered {seen}")


def _silent(ops: TaskOps) -> None:
    ops.answer(PROGRAM.op, PROGRAM.args)


def throughput(sandbox: Sandbox, seconds: float) -> float:
    """Fresh jobs in a second, from as many threads and boxes as there are cores."""
    done = [0] * (os.cpu_count() or 1)
    boxes = [sandbox.box({}).__enter__() for _ in done]

    def work(place: int, box: Box) -> None:
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            _ok(box.fresh(PROGRAM))
            done[place] += 1

    threads = [threading.Thread(target=work, args=item) for item in enumerate(boxes)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.perf_counter() - start
    for box in boxes:
        box.close()
    return sum(done) / took


def measure_gate(sandbox: Sandbox, samples: Samples, rounds: int) -> int:
    """The whole default gate, warm, and the same calls in this process; the number of calls."""
    folder = TaskFolder.read(TASK)
    bare = BareSandbox(sandbox.environment, folder)
    for _ in range(rounds):
        samples.take("container, cold", lambda: sandbox._launch(0).start().close())
        _wait_for(sandbox)
        samples.take("box, from the pool", lambda: sandbox.box({}, hash_seed=77).__enter__().close())
        _wait_for(sandbox)
        samples.take("gate", lambda: run_gate(sandbox, folder))
        del bare.boxes[:]
        samples.take("gate, in this process", lambda: run_gate(bare, folder))  # type: ignore[arg-type]
    return sum(box.calls for box in bare.boxes)


def _wait_for(sandbox: Sandbox) -> None:
    """Until the two containers of a gate wait, and nothing starts or ends beside what is measured."""
    sandbox.warm(2)
    while sandbox.warm_count() < 2:
        time.sleep(0.01)
    time.sleep(0.5)


def soak(jobs: int) -> list[str]:
    """Fresh jobs in one container; memory and descriptors of both ends on the way."""
    settings = SandboxSettings(container=ContainerLimits(jobs=jobs + 1))
    told = []
    with Sandbox(settings) as sandbox, sandbox.box({}, JobLimits()) as box:
        client = sandbox.engine.connect()
        agent = int(client.api.inspect_container(box.container_id)["State"]["Pid"])
        client.close()
        start = time.perf_counter()
        for job in range(jobs + 1):
            if job in (jobs // 100, jobs // 4, jobs // 2, 3 * jobs // 4, jobs):
                told.append(f"after {job:>6} jobs, {time.perf_counter() - start:>6.1f} s: {_size(agent, os.getpid())}")
            _ok(box.fresh(PROGRAM))
    return told


def _size(*pids: int) -> str:
    told = []
    for name, pid in zip(("agent", "host"), pids, strict=True):
        try:
            resident = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
            told.append(f"{name} {resident:.1f} MB, {len(list(Path(f'/proc/{pid}/fd').iterdir()))} descriptors")
        except OSError:
            told.append(f"{name} out of sight")
    return "; ".join(told)


def waiting_memory(sandbox: Sandbox) -> float:
    """MB that a container's cgroup counts while it waits; the median of five."""
    found: list[float] = []
    client = sandbox.engine.connect()
    try:
        for _ in range(5):
            with sandbox.box({}) as box:
                stats = client.api.stats(box.container_id, stream=False)
                found.append(stats["memory_stats"]["usage"] / 2**20)
    finally:
        client.close()
    return statistics.median(found)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer samples: some ten seconds instead of a minute")
    parser.add_argument("--json", action="store_true", help="end with one JSON object on stdout")
    parser.add_argument("--soak", type=int, default=0, metavar="JOBS", help="also run so many jobs in one container")
    asked = parser.parse_args(arguments)
    rounds, jobs = (3, 20) if asked.quick else (10, 40)
    samples = Samples()
    with Sandbox(SandboxSettings()) as sandbox:
        load = os.getloadavg()[0]
        say(f"{sandbox.engine}, image {sandbox.image.digest[:19]}, {os.cpu_count()} cores, load {load:.1f}")
        measure_jobs(sandbox, samples, rounds, jobs)
        per_second = throughput(sandbox, 1.0 if asked.quick else 5.0)
        calls = measure_gate(sandbox, samples, 2 if asked.quick else 7)
        memory = 0.0 if asked.quick else waiting_memory(sandbox)
    for name in samples.of:
        say(samples.told(name))
    say(f"{'fresh jobs per second, all cores':<34} {per_second:>10.0f}")
    gate, bare = samples.median("gate") / 1000, samples.median("gate, in this process") / 1000
    say(
        f"a fresh job is {samples.median('docker run') / samples.median('job, fresh'):.0f} times faster than docker run"
    )
    over = (gate / bare - 1) * 100
    say(f"gate of {calls} calls: {gate:.2f} s, in a bare process {bare:.2f} s: overhead {over:+.0f} %")
    if memory:
        say(f"a waiting container uses {memory:.1f} MB")
    for line in soak(asked.soak) if asked.soak else ():
        say(line)
    if asked.json:
        names = ("docker run", "docker exec", "subprocess", "in process", "job, fresh")
        values = [*map(samples.median, names), per_second, gate, bare]
        print(json.dumps({key: round(value, 4) for key, value in zip(KEYS, values, strict=True)}))


def say(text: str) -> None:
    """For people."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
