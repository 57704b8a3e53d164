"""A function server confined by bubblewrap, for machines where no engine runs. See docs/sandbox.md for what it lacks.

The same root file system, agent, protocol and system call filter as in a container; namespaces for users (where we are
not root), mounts, processes, network, IPC, host name and control groups; limits by control groups where we may make
some. Chosen by name, never a fall-back.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bootcamp_kit.errors import MachineError
from sandbox.cgroups import Group, delegated
from sandbox.channel import SocketChannel
from sandbox.escaping import escaped
from sandbox.faults import InfrastructureFault
from sandbox.image.build import ENVIRONMENT
from sandbox.limits import ContainerLimits
from sandbox.server import AGENT, Server, agent_environment

DEVICES = ("null", "zero", "full", "random", "urandom")
OOM_FILES = {
    "memory.events": "/sys/fs/cgroup/memory.events",
    "memory.oom_control": "/sys/fs/cgroup/memory/memory.oom_control",
}
"""Where the agent looks for them; mount points in the unpacked root."""
OLDEST = (0, 5)
_COMPLAINT_BYTES = 4_000


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """The program, and what it can do on this machine.

    Attributes:
        path: Of ``bwrap``.
        version: Its version.
        root: Whether we are root: jobs then get user ids of their own, else they share ours.
        missing: Limits that nobody enforces here, in words.
    """

    path: str
    version: str
    root: bool
    missing: tuple[str, ...]

    def __str__(self) -> str:
        return f"bubblewrap {self.version} ({'root' if self.root else 'an ordinary user'})"


def find_bubblewrap(*, allow_weak: bool = False) -> Bubblewrap:
    """Look for it and for control groups.

    Raises:
        MachineError: it is not installed, too old, cannot make namespaces, or no group limits memory and processes and
            ``allow_weak`` is not set.
    """
    path = shutil.which("bwrap")
    if path is None:
        raise MachineError("finding bubblewrap", "there is no bwrap on the PATH", "install the package bubblewrap")
    told = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout.split()
    version = told[-1] if told else "?"
    if tuple(int(part) for part in version.split(".")[:2] if part.isdecimal()) < OLDEST:
        raise MachineError("using bubblewrap", f"version {version} is too old", "install 0.5 or newer")
    trial = [path, "--unshare-all", "--ro-bind", "/", "/", "--", "true"]
    tried = subprocess.run(trial, capture_output=True, text=True, check=False)
    if tried.returncode:
        raise MachineError(
            "using bubblewrap",
            f"it cannot make namespaces: {escaped(tried.stderr.strip(), 300)}",
            "allow user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone), use an engine",
        )
    root = os.geteuid() == 0
    missing = [f"no {name} of the whole container" for name in delegated().missing]
    if not root:
        missing.append("jobs share one user id with the agent")
    if missing and not allow_weak:
        raise MachineError(
            "using bubblewrap",
            "; ".join(missing),
            "delegate a control group (docs/sandbox.md), use an engine, or allow a weak sandbox explicitly",
        )
    return Bubblewrap(path, version, root, tuple(missing))


@dataclass(frozen=True, slots=True)
class BubbleLaunch:
    """Everything that one is started from."""

    program: Bubblewrap
    rootfs: Path
    limits: ContainerLimits
    hash_seed: int
    allow_weak: bool = False
    preload: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """All but the hash seed."""
        return (self.program.path, self.rootfs, self.limits, self.allow_weak)

    def start(self) -> Bubble:
        """Start one.

        Raises:
            InfrastructureFault: bubblewrap or the agent failed; nothing is left behind.
        """
        return Bubble(self)

    def command(self, told: int, environment: Mapping[str, str], group: Group | None) -> list[str]:
        """The command line; ``told`` is the descriptor on which bubblewrap tells the agent's process id."""
        words = [self.program.path, *(f"--unshare-{kind}" for kind in ("pid", "net", "ipc", "uts", "cgroup-try"))]
        words += ["--hostname", "sandbox", "--as-pid-1", "--new-session", "--cap-drop", "ALL"]
        if not self.program.root:  # as root, a namespace of users would leave the jobs no user of their own
            words += ["--unshare-user", "--uid", "0", "--gid", "0"]
        for name in ("SETUID", "SETGID", "KILL"):
            words += ["--cap-add", f"CAP_{name}"]
        words += ["--ro-bind", str(self.rootfs), "/", "--proc", "/proc"]
        for name in DEVICES:
            words += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
        if group and group.oom_file:
            words += ["--ro-bind", str(group.oom_file), OOM_FILES[group.oom_file.name]]
        words += ["--remount-ro", "/", "--chdir", "/", "--clearenv"]
        for name, value in environment.items():
            words += ["--setenv", name, value]
        return [*words, "--info-fd", str(told), "--", *AGENT]


class Bubble(Server):
    """A bubblewrap process tree; the agent is its PID 1."""

    def __init__(self, launch: BubbleLaunch) -> None:
        super().__init__()
        self._agent = 0
        self._outer: subprocess.Popen[bytes] | None = None
        self._group: Group | None = None
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the server
        try:
            self._start(launch)
        except BaseException as error:  # also Ctrl-C: nothing may stay behind
            complaint = self._complaint()
            self.close()
            if isinstance(error, Exception):
                said = f"{type(error).__name__}: {error}{complaint}"[:800]
                raise InfrastructureFault(f"starting bubblewrap: {said}") from error
            raise

    def _start(self, launch: BubbleLaunch) -> None:
        self._group = delegated().make(launch.limits)
        environment = {**ENVIRONMENT, **agent_environment(launch.hash_seed, launch.limits, launch.preload)}
        ours, theirs = socket.socketpair()
        reading, told = os.pipe()
        self._channel = SocketChannel(ours)
        try:
            self._outer = subprocess.Popen(
                launch.command(told, environment, self._group),
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                stderr=self._stderr,
                pass_fds=(told,),
                env={},
                start_new_session=True,  # the terminal's Ctrl-C is for us
            )
        finally:
            theirs.close()
            os.close(told)
            with os.fdopen(reading, "rb") as telling:
                self._agent = _agent_pid(telling.read() if self._outer else b"")
        self.id = f"bubblewrap-{self._agent}"
        self._greet(launch.hash_seed, allow_weak=launch.allow_weak)
        if self._group:
            self._group.add(self._agent)  # it has no child yet

    def close(self) -> None:
        """Kill it all: the processes in the agent's namespace die with the agent. Never raises."""
        self.hang_up()
        if self._outer:
            for pid in (self._agent, self._outer.pid):
                with contextlib.suppress(OSError):
                    if pid:
                        os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(Exception):
                self._outer.wait(10)
            self._outer, self._agent = None, 0
        if self._group:
            self._group.remove()
            self._group = None
        self._stderr.close()
        self.id = ""

    def _complaint(self) -> str:
        with contextlib.suppress(OSError, ValueError):
            self._stderr.seek(0)
            said = escaped(self._stderr.read(_COMPLAINT_BYTES).decode("utf-8", "replace"), _COMPLAINT_BYTES).strip()
            return f"; it said: {said}" if said else ""
        return ""


def _agent_pid(told: bytes) -> int:
    try:
        return int(json.loads(told)["child-pid"])
    except (ValueError, KeyError, TypeError):
        return 0
