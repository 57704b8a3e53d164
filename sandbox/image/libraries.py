"""Library profiles: what a task may import besides the standard library, pinned in ``profiles/NAME.lock``.

The wheels come from whatever index pip is configured with; the lock file's hashes decide what is accepted. Nothing is
built from source and no package's code runs on the host.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bootcamp_kit.errors import MachineError, UsageError
from sandbox.image.rootfs import Entry, package_entries

PLAIN = "plain"
# What the agent imports before it forks.
_PRELOADED = {PLAIN: "", "numerical": "numpy networkx sympy", "solver": "z3 ortools.sat.python.cp_model"}
_LOCKS = Path(__file__).parent / "profiles"
_INSTALL_S = 600


@dataclass(frozen=True, slots=True)
class Profile:
    """A profile that exists: its name, its pinned wheels ("" for none), what is preloaded."""

    name: str
    lock: str
    preload: str

    @contextmanager
    def entries(self) -> Iterator[list[Entry]]:
        """Its files, as long as the block lasts; none for the plain profile.

        Raises:
            MachineError: pip is missing, offline, or was offered other bytes than the lock file names.
        """
        if not self.lock:
            yield []
            return
        with tempfile.TemporaryDirectory(prefix="bootcamp-profile-") as folder:
            _install(self, Path(folder))
            yield package_entries(Path(folder))


def known_profiles() -> tuple[str, ...]:
    """The names of all that exist here."""
    return tuple(_PRELOADED)


def find_profile(name: str) -> Profile:
    """A profile by its name.

    Raises:
        UsageError: there is none.
    """
    if name not in _PRELOADED:
        raise UsageError(f"library profile {name[:40]!r}", "it does not exist", f"use {' or '.join(_PRELOADED)}")
    lock = "" if name == PLAIN else (_LOCKS / f"{name}.lock").read_text("ascii")
    return Profile(name, lock, _PRELOADED[name])


def _install(profile: Profile, target: Path) -> None:
    command = [
        sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--no-deps",
        "--no-compile", "--only-binary", ":all:", "--require-hashes", "--target", str(target),
        "--requirement", str(_LOCKS / f"{profile.name}.lock"),
    ]  # fmt: skip
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_INSTALL_S)
    except subprocess.TimeoutExpired as error:
        raise MachineError(
            f"fetching the wheels of profile {profile.name}", f"pip took more than {_INSTALL_S} s", "try again"
        ) from error
    if done.returncode:
        raise MachineError(
            f"fetching the wheels of profile {profile.name}",
            done.stderr.strip()[-500:],
            "check that pip is installed and reaches an index with wheels for this Python",
        )
