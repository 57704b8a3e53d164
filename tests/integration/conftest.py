"""The whole line through the real command: state, library repository and git identity of their own."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.wire_servers.fixtures import anthropic_server, openai_server

__all__ = ["anthropic_server", "openai_server"]

ROOT = Path(__file__).parents[2]
BRIEFS = ROOT / "examples" / "briefs"
REVIEWER = "Ada Example <ada@example.org>"


@dataclass(frozen=True)
class Place:
    """A user's machine: home, state folder and a library that is a git repository."""

    home: Path

    @property
    def library(self) -> Path:
        return self.home / "library" / "tasks"

    @property
    def state(self) -> Path:
        return self.home / "state"

    @property
    def environment(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("BOOTCAMP_", "GIT_")) and "API_KEY" not in k}
        return kept | {
            "HOME": str(self.home),
            "GIT_CONFIG_NOSYSTEM": "1",
            "BOOTCAMP_STATE": str(self.state),
            "BOOTCAMP_LIBRARY": str(self.library),
            "BOOTCAMP_STAGES": "none",  # tests of one author's line; those of opponents and panel switch stages on
        }

    def popen(self, *arguments: str, **environment: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "bootcamp_cli", *arguments],
            cwd=self.home,
            env=self.environment | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def bootcamp(self, *arguments: str, code: int = 0, **environment: str) -> str:
        """Run to the end; what it said on stdout."""
        process = self.popen(*arguments, **environment)
        out, err = process.communicate(timeout=900)
        assert process.returncode == code, f"exit {process.returncode}\n{out}\n{err}"
        assert "Traceback" not in err
        return out

    def json(self, *arguments: str, code: int = 0, **environment: str) -> Any:
        return json.loads(self.bootcamp(*arguments, "--json", code=code, **environment))

    def approve(self, ref: str, *options: str) -> None:
        """As a reviewer does: nothing is approved that was not opened."""
        who = options[options.index("--reviewer") + 1] if "--reviewer" in options else "Ada Example <ada@example.org>"
        self.bootcamp("review", "show", ref, "--no-cases", BOOTCAMP_REVIEWER=who)
        self.bootcamp("review", "approve", ref, *options)

    def git(self, *arguments: str) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=self.library, env=self.environment, capture_output=True, text=True, check=True
        )
        return done.stdout


@pytest.fixture
def place(tmp_path: Path) -> Place:
    found = Place(tmp_path)
    found.library.mkdir(parents=True)
    (tmp_path / ".gitconfig").write_text(
        "[user]\nname = Ada Example\nemail = ada@example.org\n[init]\ndefaultBranch = main\n"
    )
    found.git("init", "-q", "..")
    (found.library / "README.md").write_text("# Tasks\n")
    found.git("add", "-A")
    found.git("commit", "-q", "-m", "Start the library")
    return found
