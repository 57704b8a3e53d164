"""One hardened container with a live agent in it."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sandbox.channel import Channel
from sandbox.engine import Engine
from sandbox.faults import EngineGone, InfrastructureFault
from sandbox.limits import ContainerLimits
from sandbox.server import AGENT, Server, agent_environment

if TYPE_CHECKING:
    from docker import DockerClient

_CLOSED = dict.fromkeys(("/tmp", "/dev/shm"), "ro,noexec,nosuid,nodev,size=4k,mode=555")
"""Laid over the folders that a stronger runtime would make for itself, for all to write to."""


@dataclass(frozen=True, slots=True)
class DockerLaunch:
    """Everything that a container is started from; ``runtime`` is the engine's name of a stronger one, "" its own."""

    engine: Engine
    image: str
    limits: ContainerLimits
    hash_seed: int
    labels: Mapping[str, str]
    allow_weak: bool = False
    runtime: str = ""
    preload: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """All but labels and hash seed."""
        return (self.engine.url, self.image, self.limits, self.allow_weak, self.runtime)

    def start(self) -> Container:
        """Start one.

        Raises:
            InfrastructureFault: the engine or the agent failed; nothing is left behind.
        """
        return Container(self)

    def options(self) -> dict[str, Any]:
        """The arguments of ``containers.create``: every restriction the design names."""
        from docker.types import LogConfig, Ulimit

        memory = f"{self.limits.memory_mb}m"
        return {
            "image": self.image,
            "command": AGENT,
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
                Ulimit(name="msgqueue", soft=0, hard=0),
                Ulimit(name="nproc", soft=4096, hard=4096),  # else podman asks for more than its own
                Ulimit(name="nofile", soft=256, hard=256),
                Ulimit(name="fsize", soft=1 << 20, hard=1 << 20),
            ],
            "environment": agent_environment(self.hash_seed, self.limits, self.preload),
            **({"runtime": self.runtime, "tmpfs": _CLOSED} if self.runtime else {}),
            "labels": dict(self.labels),
        }


class Container(Server):
    """A container of an engine; owns its engine client."""

    def __init__(self, launch: DockerLaunch) -> None:
        super().__init__()
        self._engine = launch.engine
        self._client: DockerClient = launch.engine.connect()
        try:
            self._start(launch)
        except BaseException as error:  # also Ctrl-C: nothing may stay behind
            self.close()
            if isinstance(error, Exception) and not isinstance(error, InfrastructureFault):
                kind = EngineGone if _is_connection_lost(error) else InfrastructureFault
                raise kind(f"starting a container: {type(error).__name__}: {error}"[:500]) from error
            raise

    def _start(self, launch: DockerLaunch) -> None:
        self._engine.knock()
        self.id = str(self._client.containers.create(**launch.options()).id)
        # Attach before the start, so that no byte of the agent is lost.
        self._channel = Channel(self._client, self.id)
        self._client.api.start(self.id)
        self._greet(launch.hash_seed, allow_weak=launch.allow_weak)

    def close(self) -> None:
        """Remove it. Failures are left to the sweep: an engine that is down must not hide the caller's exception."""
        self.hang_up()
        if self.id:
            with contextlib.suppress(Exception):
                self._engine.knock()
                self._client.api.remove_container(self.id, force=True, v=True)
            self.id = ""
        self._client.close()


def _is_connection_lost(error: Exception) -> bool:
    """Whether the engine is not there, in the words of the libraries below the SDK, or is going down."""
    import requests
    from docker.errors import APIError

    if isinstance(error, APIError):
        return error.status_code == 503
    return isinstance(error, (requests.exceptions.ConnectionError, requests.exceptions.ChunkedEncodingError, OSError))
