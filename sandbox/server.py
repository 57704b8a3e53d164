"""A function server as the rest of the package sees it, whatever confines it: started, greeted, given a task, asked."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Protocol

from sandbox.faults import InfrastructureFault
from sandbox.guest.frames import Frame
from sandbox.limits import ContainerLimits

HELLO_S = 30.0
SEND_S = 30.0
AGENT = ["python3", "-sP", "-m", "sandbox.guest.agent"]


def agent_environment(hash_seed: int, limits: ContainerLimits, preload: str) -> dict[str, str]:
    """What the agent is told by its environment."""
    return {
        "PYTHONHASHSEED": str(hash_seed),
        "PYTHONDONTWRITEBYTECODE": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "BOOTCAMP_IDLE_S": f"{limits.idle_s:g}",
        **({"BOOTCAMP_PRELOAD": preload} if preload else {}),
    }


class Channel(Protocol):
    """A stream of frames."""

    def send(self, *frames: Frame, timeout_s: float) -> None:
        """Send frames in one go."""

    def receive(self, timeout_s: float) -> Frame:
        """The agent's next frame."""

    def is_open(self) -> bool:
        """Whether the other end has not closed it."""

    def close(self) -> None:
        """Let go of it. Never raises."""


class Launch(Protocol):
    """Everything that a server is started from; a replacement is started from the same."""

    @property
    def limits(self) -> ContainerLimits:
        """Of the whole container."""

    @property
    def hash_seed(self) -> int:
        """``PYTHONHASHSEED`` of its process."""

    @property
    def allow_weak(self) -> bool:
        """Whether a server without all restrictions will do."""

    @property
    def key(self) -> tuple[object, ...]:
        """What two launches must have in common for one's server to serve the other; not the hash seed."""

    def start(self) -> Server:
        """Start one.

        Raises:
            InfrastructureFault: it does not start; nothing is left behind.
        """


class Server:
    """A live agent. Not thread-safe. Subclasses set ``_channel`` and ``id`` and know how to remove it."""

    def __init__(self) -> None:
        self.id = ""
        self.jobs = 0
        self.last_used = time.monotonic()
        self.hash_seed = 0
        self.hello: Frame
        self._channel: Channel | None = None

    def _greet(self, hash_seed: int, *, allow_weak: bool) -> None:
        self.hash_seed = hash_seed
        self.hello = self.receive(HELLO_S)
        if self.hello.kind != "hello":
            raise InfrastructureFault(f"the agent began with {self.hello.kind}, not hello")
        if self.hello.header.get("seccomp") is not True and not allow_weak:
            raise InfrastructureFault(f"no system call filter on {self.hello.header.get('machine')}")
        if self.hello.header.get("own_user") is not True and not allow_weak:
            raise InfrastructureFault("jobs would share the agent's user id")
        lacking = self.hello.header.get("unlimited")
        if lacking and not allow_weak:
            raise InfrastructureFault(f"its control group has no limit where one was asked for: {lacking}"[:300])
        open_folders = self.hello.header.get("writable")
        if open_folders and not allow_weak:
            raise InfrastructureFault(f"its jobs could leave files for each other in {open_folders}"[:300])

    def reseed(self, launch: Launch) -> None:
        """Have the agent begin again with the hash seed of ``launch``; before it has a task.

        Raises:
            InfrastructureFault: it does not come back.
        """
        if self.hash_seed != launch.hash_seed:
            self.send(Frame("reseed", {"hash_seed": launch.hash_seed}))
            self._greet(launch.hash_seed, allow_weak=launch.allow_weak)

    def use(self, files: Mapping[str, bytes]) -> None:
        """Put a task's files in its agent's memory; once, before the first job.

        Raises:
            InfrastructureFault: it does not take them.
        """
        manifest = [[path, len(data)] for path, data in files.items()]
        self.send(Frame("files", {"files": manifest}, b"".join(files.values())))

    def is_alive(self) -> bool:
        """Whether its stream is open, as far as this end knows."""
        return self._channel is not None and self._channel.is_open()

    def send(self, *frames: Frame) -> None:
        """Send frames to the agent.

        Raises:
            InfrastructureFault: it does not take them.
        """
        if self._channel is None:
            raise InfrastructureFault("the container is closed")
        self.last_used = time.monotonic()
        self._channel.send(*frames, timeout_s=SEND_S)

    def receive(self, timeout_s: float) -> Frame:
        """The agent's next frame.

        Raises:
            InfrastructureFault: none within ``timeout_s`` seconds, or the container is gone.
        """
        if self._channel is None:
            raise InfrastructureFault("the container is closed")
        frame = self._channel.receive(timeout_s)
        self.last_used = time.monotonic()
        return frame

    def hang_up(self) -> None:
        """Close its stream: it answers nothing any more, and its agent ends when it is between calls. Never raises."""
        if self._channel is not None:
            self._channel.close()
            self._channel = None

    def close(self) -> None:
        """Remove it; never raises."""
        raise NotImplementedError
