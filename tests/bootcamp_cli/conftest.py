"""Runs the real command in a process of its own, in a folder of its own, with a clean environment."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def bootcamp(tmp_path: Path) -> Run:
    """``bootcamp("runs", code=0)``: the finished process; asserts the exit code and that no traceback was shown."""
    place = tmp_path / "place"
    place.mkdir()
    clean = {
        key: value for key, value in os.environ.items() if not key.startswith("BOOTCAMP_") and "API_KEY" not in key
    }
    clean |= {"BOOTCAMP_STATE": str(tmp_path / "state"), "HOME": str(tmp_path)}

    def run(*arguments: str, code: int = 0, cwd: Path = place, **environment: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-m", "bootcamp_cli", *arguments],
            cwd=cwd,
            env=clean | environment,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=120,
            check=False,
        )
        assert done.returncode == code, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr
        return done

    return run
