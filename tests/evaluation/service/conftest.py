"""A served library: the verb in a process of its own, over loopback HTTP."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.evaluation.conftest import TRICKS, put_task, task_files

ROOT = Path(__file__).parents[3]
TOKEN = "a-token-of-the-tests-0123456789"


@dataclass
class Served:
    """A running service."""

    process: subprocess.Popen[str]
    url: str
    http: httpx.Client
    shelf: Path

    def post(self, path: str, body: Any, **more: Any) -> httpx.Response:
        return self.http.post(path, json=body, **more)

    def case(self, task_id: str, level: int = 3, seed: int = 1) -> dict[str, Any]:
        found = self.post("/v1/sample", {"task_id": task_id, "level": level, "seed": seed})
        assert found.status_code == 200, found.text
        return found.json()["cases"][0]

    def wait_until_busy(self) -> None:
        """Until a request is under way."""
        end = time.monotonic() + 120
        while time.monotonic() < end:
            if self.http.get("/health/ready").json()["waiting"]:
                return
            time.sleep(0.02)
        raise AssertionError("nothing came")

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        """Exit code, and what it said after it was ready."""
        self.process.send_signal(number)
        _, told = self.process.communicate(timeout=60)
        return self.process.returncode, told


def start(shelf: Path, state: Path, *arguments: str, token: str | None = TOKEN) -> Served:
    """`bootcamp serve all` on a free port, ready."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("BOOTCAMP_")}
    environment |= {"BOOTCAMP_LIBRARY": str(shelf), "BOOTCAMP_STATE": str(state), "PYTHONPATH": str(ROOT)}
    if token:
        environment["BOOTCAMP_SERVE_TOKEN"] = token
    command = [sys.executable, "-m", "bootcamp_cli", "serve", "all", "--port", "0", "--json", *arguments]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, env=environment, cwd=shelf, stdout=pipe, stderr=pipe, text=True)
    assert process.stdout
    told = ""
    while not told.endswith("\n}\n"):
        line = process.stdout.readline()
        assert line, f"it did not start: {process.communicate()[1]}"
        told += line
    url = json.loads(told)["url"]
    http = httpx.Client(base_url=url, headers={"authorization": f"Bearer {TOKEN}"}, timeout=60)
    return Served(process, url, http, shelf)


def end(one: Served) -> None:
    one.http.close()
    if one.process.poll() is None:
        one.process.kill()
    one.process.communicate()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One service for all tests that want nothing special; scores in processes."""
    place = tmp_path_factory.mktemp("shared")
    shelf = place / "library"
    put_task(shelf, task_files("doubling"))
    put_task(shelf, task_files("tricky", "tricks", trick=TRICKS, seconds=1.0))
    files = task_files("fragile")
    files["bootcamp.py"] = files["bootcamp.py"].replace(b"return {", b"assert params['digits'] < 5\n        return {")
    put_task(shelf, files)
    limits = ("--max-items", "80", "--max-body", "1", "--workers", "2")
    one = start(shelf, place / "state", "--score", "process", *limits)
    yield one
    end(one)


@pytest.fixture
def served(shelf: Path, tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Starts a service with options of its own; it is ended with the test."""
    running: list[Served] = []

    def begin(*arguments: str) -> Served:
        running.append(start(shelf, tmp_path / "state", *arguments))
        return running[-1]

    yield begin
    for one in running:
        end(one)
