"""The script that `make demo` runs first. Installing and starting an engine is tried on fresh machines only."""

from __future__ import annotations

import os
import shutil
import subprocess
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


def test_the_script_is_plain_posix_shell() -> None:
    assert subprocess.run(["/bin/sh", "-n", str(SCRIPT)], check=False).returncode == 0
    assert os.access(SCRIPT, os.X_OK)
