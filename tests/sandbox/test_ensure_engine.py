"""The script that `make demo` runs first. Installing and starting an engine is tried on fresh machines only."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import sandbox as package

SCRIPT = Path(package.__file__).parent / "ensure_engine.sh"


def ensure(env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["/bin/sh", str(SCRIPT)], env=env, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.docker
def test_a_running_engine_is_used_without_a_word(sandbox: object) -> None:
    done = ensure(dict(os.environ))
    assert (done.returncode, done.stderr) == (0, "")


def test_a_named_engine_that_does_not_answer_is_not_replaced(tmp_path: Path) -> None:
    done = ensure({**os.environ, "DOCKER_HOST": f"unix://{tmp_path}/absent.sock"})
    assert done.returncode == 3 and "no engine answers there" in done.stderr and "unset DOCKER_HOST" in done.stderr


def test_elsewhere_it_says_what_to_install(tmp_path: Path) -> None:
    """A machine with neither docker nor apt-get."""
    for name in ("uname", "id", "date", "sleep"):
        found = shutil.which(name)
        assert found
        (tmp_path / name).symlink_to(found)
    done = ensure({"PATH": str(tmp_path)})
    assert done.returncode == 3
    assert "not Debian or Ubuntu" in done.stderr and "dnf install" in done.stderr and "Docker Desktop" in done.stderr


@pytest.fixture
def engine_to_start(tmp_path: Path) -> Iterator[dict[str, str]]:
    """A machine whose daemon does not run: a program called dockerd that lives until it is killed."""
    if os.geteuid() != 0 or Path("/run/systemd/system").exists():
        pytest.skip("only where the script starts the daemon by hand")
    programs, state = tmp_path / "bin", tmp_path / "state"
    programs.mkdir()
    for name, text in (
        ("dockerd", f"echo $$ > {state}/lives; touch {state}/answers; exec sleep 60"),
        ("docker", f"test -e {state}/answers"),
    ):
        (programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (programs / name).chmod(0o755)
    environ = {name: value for name, value in os.environ.items() if name != "DOCKER_HOST"}
    path = f"{programs}:{environ['PATH']}"
    yield {**environ, "PATH": path, "BOOTCAMP_ENGINE_STATE": str(state), "TMPDIR": str(tmp_path)}
    os.kill(int((state / "lives").read_text()), signal.SIGKILL)


def test_whoever_reads_what_it_says_does_not_wait_for_the_daemon_to_end(engine_to_start: dict[str, str]) -> None:
    """``ensure`` reads both streams to their end, as ``make demo | tee`` does."""
    done = ensure(engine_to_start)
    assert (done.returncode, done.stdout) == (0, "") and "starting dockerd" in done.stderr


def test_pids_left_by_a_killed_engine_are_forgotten_and_live_ones_kept(engine_to_start: dict[str, str]) -> None:
    state = Path(engine_to_start["BOOTCAMP_ENGINE_STATE"])
    containerd = state / "exec/containerd/containerd.pid"
    containerd.parent.mkdir(parents=True)
    (state / "docker.pid").write_text(str(os.getpid()))  # by now of another program
    program = state / "containerd"
    shutil.copy("/bin/sleep", program)
    with subprocess.Popen([program, "60"]) as living:
        containerd.write_text(str(living.pid))
        assert ensure(engine_to_start).returncode == 0
        living.kill()
    assert not (state / "docker.pid").exists() and containerd.exists()


def test_the_script_is_plain_posix_shell() -> None:
    assert subprocess.run(["/bin/sh", "-n", str(SCRIPT)], check=False).returncode == 0
    assert os.access(SCRIPT, os.X_OK)
