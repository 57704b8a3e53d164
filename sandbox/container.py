"""One hardened container with a live agent in it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sandbox.channel import Channel
from sandbox.engine import Engine
from sandbox.faults import InfrastructureFault
from sandbox.guest.frames import Frame
from sandbox.limits import ContainerLimits

if TYPE_CHECKING:
    from docker import DockerClient

HELLO_S = 30.0
SEND_S = 30.0
_COMMAND = ["python3", "-sP", "-m", "sandbox.guest.agent"]


@dataclass(frozen=True, slots=True)
class Launch:
    """Everything that a container is started from; a replacement is started from the same."""

    engine: Engine
    image: str
    limits: ContainerLimits
    hash_seed: int
    labels: Mapping[str, str]
    allow_weak: bool = False

    @property
    def key(self) -> tuple[object, ...]:
        """What two launches must have in common for one's container to serve the other."""
        return (self.engine.url, self.image, self.limits, self.hash_seed, self.allow_weak)

    def options(self) -> dict[str, Any]:
        """The arguments of ``containers.create``: every restriction the design names."""
        from docker.types import LogConfig, Ulimit

        memory = f"{self.limits.memory_mb}m"
        return {
            "image": self.image,
            "command": _COMMAND,
            "user": "0:0",  # with three capabilities; each job drops to its own uid and none
            "stdin_open": True,
            "tty": False,
            "init": False,  # the agent is PID 1, whatever the engine's default
            "network_mode": "none",
            "read_only": True,
            "cap_drop": ["ALL"],
            "cap_add": ["SETUID", "SETGID", "KILL"],
            "security_opt": ["no-new-privileges"],
            "pids_limit": self.limits.pids,
            "mem_limit": memory,
            "memswap_limit": memory,
            "nano_cpus": int(self.limits.cpus * 1e9),
            "ipc_mode": "none",
            "log_config": LogConfig(type="none"),
            "ulimits": [
                Ulimit(name="core", soft=0, hard=0),
                Ulimit(name="nofile", soft=256, hard=256),
                Ulimit(name="fsize", soft=1 << 20, hard=1 << 20),
            ],
            "environment": {
                "PYTHONHASHSEED": str(self.hash_seed),
                "PYTHONDONTWRITEBYTECODE": "1",
                "OPENBLAS_NUM_THREADS": "1",
                "BOOTCAMP_IDLE_S": f"{self.limits.idle_s:g}",
            },
            "labels": dict(self.labels),
        }


class Container:
    """Started and greeted; :meth:`use` gives it a task. Not thread-safe; owns its engine client."""

    def __init__(self, launch: Launch) -> None:
        """Start it.

        Raises:
            InfrastructureFault: the engine or the agent failed; nothing is left behind.
        """
        self.jobs = 0
        self.last_used = time.monotonic()
        self.hello: Frame
        self._client: DockerClient = launch.engine.connect()
        self._id = ""
        self._channel: Channel | None = None
        try:
            self._start(launch)
        except BaseException as error:  # also Ctrl-C: nothing may stay behind
            self.close()
            if isinstance(error, Exception) and not isinstance(error, InfrastructureFault):
                raise InfrastructureFault(f"starting a container: {type(error).__name__}: {error}"[:500]) from error
            raise

    def _start(self, launch: Launch) -> None:
        self._id = str(self._client.containers.create(**launch.options()).id)
        # Attach before the start, so that no byte of the agent is lost.
        self._channel = Channel(self._client, self._id)
        self._client.api.start(self._id)
        self.hello = self._channel.receive(HELLO_S)
        if self.hello.kind != "hello":
            raise InfrastructureFault(f"the agent began with {self.hello.kind}, not hello")
        if self.hello.header.get("seccomp") is not True and not launch.allow_weak:
            raise InfrastructureFault(f"no system call filter on {self.hello.header.get('machine')}")

    @property
    def id(self) -> str:
        """The engine's id of it."""
        return self._id

    def use(self, files: Mapping[str, bytes]) -> None:
        """Put a task's files in its agent's memory; once, before the first job.

        Raises:
            InfrastructureFault: it does not take them.
            UsageError: more files than one header holds.
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
        """Remove it. Failures are left to the sweep: an engine that is down must not hide the caller's exception."""
        self.hang_up()
        if self._id:
            with contextlib.suppress(Exception):
                self._client.api.remove_container(self._id, force=True, v=True)
            self._id = ""
        self._client.close()
