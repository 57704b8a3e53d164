"""A daemon that is killed and started again in the middle of gates: every verdict is the undisturbed one.

Opt-in, for it starts a daemon of its own and takes a minute: ``BOOTCAMP_DAEMON_KILLS=5`` says how often to kill it,
``BOOTCAMP_DAEMON_LIVE_RESTORE=1`` lets its containers outlive it, and ``pytest -s`` shows each kill.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Status
from sandbox.ownership import RUN_LABEL
from sandbox.plan import GatePlan
from sandbox.runner import run_gate
from sandbox.service import Sandbox, SandboxSettings

KILLS = int(os.environ.get("BOOTCAMP_DAEMON_KILLS", "0"))
LIVE_RESTORE = bool(os.environ.get("BOOTCAMP_DAEMON_LIVE_RESTORE"))
SMALL = GatePlan(
    cases_per_level=8, screen_cases=3, second_container_cases=3, near_miss_cases=2, still_right_cases=1,
    perturbed_cases=1, property_examples=15, response_examples=20, stable_examples=10, huge=20_000,
)  # fmt: skip
pytestmark = [
    pytest.mark.skipif(not KILLS, reason="set BOOTCAMP_DAEMON_KILLS to the number of kills"),
    pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("dockerd"), reason="needs root and dockerd"),
    pytest.mark.timeout(60 + 120 * KILLS),
    # The SDK leaves its end of a socket open when the engine dies between two of its calls.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning"),
]


class Daemon:
    """A private one: its own data, state and socket; no bridge, no firewall rules."""

    def __init__(self, place: Path) -> None:
        self.place, self.url = place, f"unix://{place}/s"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        for stale in ("pid", "exec/containerd/containerd.pid"):  # it would wait for whoever has that number now
            (self.place / stale).unlink(missing_ok=True)
        command = [
            "dockerd", "--data-root", f"{self.place}/data", "--exec-root", f"{self.place}/exec",
            "--pidfile", f"{self.place}/pid", "-H", self.url, "--bridge", "none", "--iptables=false",
            "--ip6tables=false", *(["--live-restore"] if LIVE_RESTORE else []),
        ]  # fmt: skip
        with (self.place / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)

    def kill(self, number: int = signal.SIGKILL) -> None:
        assert self._process is not None
        self._process.send_signal(number)
        self._process.wait(60)

    def bury(self) -> None:
        """What a killed daemon left: processes that name its place."""
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if str(self.place).encode() + b"/" in (process / "cmdline").read_bytes():
                    os.kill(int(process.name), signal.SIGKILL)

    def wait(self) -> None:
        end = time.monotonic() + 60
        while subprocess.run(["docker", "-H", self.url, "info"], capture_output=True, check=False).returncode:
            assert time.monotonic() < end, (self.place / "log").read_text()[-2000:]
            time.sleep(0.2)


@pytest.fixture
def daemon() -> Iterator[Daemon]:
    place = Path(tempfile.mkdtemp(prefix="bd-", dir="/tmp"))  # a short path: sockets' addresses are short
    daemon = Daemon(place)
    daemon.start()
    try:
        daemon.wait()
        yield daemon
    finally:
        daemon.kill(signal.SIGTERM)
        daemon.bury()
        for line in reversed(Path("/proc/self/mounts").read_text().splitlines()):
            if line.split()[1].startswith(str(place)):
                subprocess.run(["umount", "-l", line.split()[1]], check=False)
        shutil.rmtree(place, ignore_errors=True)


def test_every_verdict_is_the_undisturbed_one_and_nothing_is_left(daemon: Daemon) -> None:
    folder = TaskFolder.read(Path(__file__).parents[1] / "sound_tasks" / "score_total")
    settings = SandboxSettings(docker_host=daemon.url)
    moments = random.Random(7)
    with Sandbox(settings) as sandbox, ThreadPoolExecutor(1) as gates:
        started = time.monotonic()
        undisturbed = run_gate(sandbox, folder, plan=SMALL)
        took = time.monotonic() - started
        assert not [result for result in undisturbed.results if result.status is Status.ERROR]
        for kill in range(KILLS):
            gate = gates.submit(run_gate, sandbox, folder, plan=SMALL)
            time.sleep(moments.uniform(0, took))
            daemon.kill()
            daemon.start()
            report = gate.result(timeout=300)
            differing = [pair for pair in zip(report.results, undisturbed.results, strict=True) if pair[0] != pair[1]]
            assert not differing
            assert report.hash == undisturbed.hash
            print(f"{kill + 1} of {KILLS} kills: the same report", flush=True)  # with `pytest -s`
            daemon.wait()
        client = sandbox.engine.connect()
    try:
        assert client.api.containers(all=True, filters={"label": f"{RUN_LABEL}={settings.run_id}"}) == []
    finally:
        client.close()
