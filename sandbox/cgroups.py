"""Control groups that this process may make below its own, for the bubblewrap backend: version 2, or 1 as root."""

from __future__ import annotations

import contextlib
import os
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sandbox.limits import ContainerLimits

MOUNT = Path("/sys/fs/cgroup")
CONTROLLERS = {"memory": "memory limit", "pids": "process count limit", "cpu": "CPU quota"}
_PREFIX = "bootcamp-sandbox-"
_PERIOD_US = 100_000


@dataclass(frozen=True, slots=True)
class Delegation:
    """Where groups may be made: the parent folder for each controller."""

    version: int
    parents: Mapping[str, Path] = field(default_factory=dict)

    @property
    def missing(self) -> tuple[str, ...]:
        """The limits nobody enforces."""
        return tuple(text for name, text in CONTROLLERS.items() if name not in self.parents)

    def make(self, limits: ContainerLimits) -> Group | None:
        """A new group with these limits; None where none may be made.

        Raises:
            OSError: it failed after all.
        """
        if not self.parents:
            return None
        name = _PREFIX + uuid.uuid4().hex[:12]
        group = Group(tuple(dict.fromkeys(parent / name for parent in self.parents.values())))
        try:
            for folder in group.folders:
                folder.mkdir()
            for controller, parent in self.parents.items():
                for file, value in _settings(self.version, controller, limits):
                    path = parent / name / file
                    if path.exists():  # without swap accounting there is no swap limit to set
                        path.write_text(value)
        except OSError:
            group.remove()
            raise
        return group

    def sweep(self) -> None:
        """Remove the groups that dead runs left; those with processes stay."""
        for parent in self.parents.values():
            for folder in parent.glob(f"{_PREFIX}*"):
                with contextlib.suppress(OSError):
                    folder.rmdir()


@dataclass(frozen=True, slots=True)
class Group:
    """One group: a folder in each hierarchy."""

    folders: tuple[Path, ...]

    @property
    def oom_file(self) -> Path | None:
        """The file with its count of OOM kills."""
        known = (folder / name for folder in self.folders for name in ("memory.events", "memory.oom_control"))
        return next((path for path in known if path.exists()), None)

    def add(self, pid: int) -> None:
        """Put a process into it; those it forks from now on are in it too.

        Raises:
            OSError: not allowed, or there is no such process.
        """
        for folder in self.folders:
            (folder / "cgroup.procs").write_text(str(pid))

    def remove(self) -> None:
        """Remove it, once its processes are gone. Never raises."""
        for folder in self.folders:
            for _ in range(50):
                with contextlib.suppress(FileNotFoundError):
                    try:
                        folder.rmdir()
                    except OSError:
                        time.sleep(0.02)  # the kernel is still burying its processes
                        continue
                break


def delegated(mount: Path = MOUNT, own: Path = Path("/proc/self/cgroup")) -> Delegation:
    """What this process may do."""
    try:
        lines = [line.split(":", 2) for line in own.read_text("ascii").splitlines()]
    except (OSError, ValueError):
        return Delegation(0)
    if (mount / "cgroup.controllers").exists():
        place = mount / next((path for number, _, path in lines if number == "0"), "/").lstrip("/")
        for parent in [place, *place.parents]:
            usable = os.access(parent, os.W_OK) and os.access(parent / "cgroup.procs", os.W_OK)
            if not usable or not parent.is_relative_to(mount):
                break  # what is above is not ours either
            enabled = (parent / "cgroup.subtree_control").read_text("ascii").split()
            if "memory" in enabled:
                return Delegation(2, {name: parent for name in CONTROLLERS if name in enabled})
        return Delegation(2)
    places = {name: path for _, names, path in lines for name in names.split(",")}
    parents = {name: mount / name / places[name].lstrip("/") for name in CONTROLLERS if name in places}
    return Delegation(1, {name: parent for name, parent in parents.items() if os.access(parent, os.W_OK)})


def _settings(version: int, controller: str, limits: ContainerLimits) -> list[tuple[str, str]]:
    memory, quota = str(limits.memory_mb << 20), int(limits.cpus * _PERIOD_US)
    if version == 2:
        return {
            "memory": [("memory.max", memory), ("memory.swap.max", "0"), ("memory.oom.group", "0")],
            "pids": [("pids.max", str(limits.pids))],
            "cpu": [("cpu.max", f"{quota} {_PERIOD_US}")],
        }[controller]
    return {
        "memory": [("memory.limit_in_bytes", memory), ("memory.memsw.limit_in_bytes", memory)],
        "pids": [("pids.max", str(limits.pids))],
        "cpu": [("cpu.cfs_period_us", str(_PERIOD_US)), ("cpu.cfs_quota_us", str(quota))],
    }[controller]
