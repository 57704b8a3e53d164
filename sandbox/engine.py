"""Finds a Docker engine and checks that it can enforce the limits the sandbox relies on.

Order: the explicit address, ``DOCKER_HOST``, the docker CLI's current context, the usual sockets (rootless, Desktop,
podman). An address that was named and does not answer is an error; it is never passed over for another.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bootcamp_kit.errors import MachineError

if TYPE_CHECKING:
    from docker import DockerClient
    from docker.tls import TLSConfig

CONNECT_S = 10
REQUEST_S = 60
OLDEST_API = "1.41"
"""Docker 20.10's; only for asking which version to speak."""
FILTERED_MACHINES = ("x86_64", "aarch64", "arm64", "amd64")
_HOW = "start one: sandbox/ensure_engine.sh (Debian, Ubuntu) or Docker Desktop; `bootcamp doctor` shows what is found"


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine that answered, and what it said of itself.

    Attributes:
        url: Its address.
        api_version: Fixed at the first connection, so that later clients need no round trip.
        version: The engine's version.
        machine: Its architecture.
        cgroup: ``1`` or ``2``.
        missing: Limits it cannot enforce; not empty only where weak engines are allowed.
        weak: What is weaker than the design, in words, for the report.
        runtimes: The names of the runtimes it knows.
    """

    url: str
    api_version: str
    version: str
    machine: str
    cgroup: str
    missing: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    runtimes: tuple[str, ...] = ()
    tls: TLSConfig | None = field(default=None, repr=False, compare=False)

    def connect(self) -> DockerClient:
        """A new client; the SDK's are not thread-safe, so each thread and box takes its own and closes it."""
        return _client(self.url, self.tls, self.api_version)

    def knock(self) -> None:
        """Fail early where nobody answers at a local address: the SDK would leave its end of a dead socket open.

        Raises:
            OSError: nobody does.
        """
        _knock(self.url)

    def __str__(self) -> str:
        return f"{self.version} (linux/{self.machine}, cgroup v{self.cgroup})"


@dataclass(frozen=True, slots=True)
class _Address:
    url: str
    named_by: str
    tls: TLSConfig | None = None


def find_engine(
    docker_host: str | None = None,
    *,
    allow_weak: bool = False,
    runtime: str = "",
    environ: Mapping[str, str] = os.environ,
) -> Engine:
    """Connect to the first engine that answers and check its limits.

    Raises:
        MachineError: none answers; the named one does not answer; it lacks a limit and ``allow_weak`` is not set.
    """
    tried = []
    for address in _addresses(docker_host, environ):
        try:
            engine = _ask(address)
        except Exception as error:  # noqa: BLE001 - the SDK lets urllib3, requests and ssl errors through
            tried.append(f"{address.url} ({address.named_by}): {type(error).__name__}: {str(error)[:160]}")
            continue
        if engine.missing and not allow_weak:
            raise MachineError(
                f"using the Docker engine at {engine.url}",
                f"it cannot enforce: {', '.join(engine.missing)}",
                "enable these (cgroup controllers, seccomp), use another engine, or allow a weak sandbox explicitly",
            )
        if runtime and runtime not in engine.runtimes:
            raise MachineError(
                f"using the runtime {runtime[:40]!r}",
                f"the engine at {engine.url} has {', '.join(engine.runtimes) or 'none that it names'}",
                "install it and name it to the engine (daemon.json, key runtimes), or unset the setting",
            )
        return engine
    raise MachineError("finding a Docker engine", "; ".join(tried) or "no usual socket exists", _HOW)


def _addresses(docker_host: str | None, environ: Mapping[str, str]) -> list[_Address]:
    if docker_host:
        return [_Address(docker_host, "named in the settings")]
    if environ.get("DOCKER_HOST"):
        from docker.utils import kwargs_from_env

        known = kwargs_from_env(environment=dict(environ))
        return [_Address(known["base_url"], "DOCKER_HOST", known.get("tls") or None)]
    context = _context(environ)
    return [context] if context else [_Address(f"unix://{path}", "usual socket") for path in _usual_sockets(environ)]


def _context(environ: Mapping[str, str]) -> _Address | None:
    """The docker CLI's current context, unless it is the default one."""
    from docker.context import ContextAPI
    from docker.context.config import get_current_context_name
    from docker.errors import DockerException

    try:
        name = environ.get("DOCKER_CONTEXT") or get_current_context_name()
        if name == "default":
            return None
        context = ContextAPI.get_context(name)
    except (DockerException, OSError, ValueError) as error:
        raise MachineError("reading the docker context", str(error), "check `docker context ls`") from error
    if context is None or not context.Host:
        raise MachineError("reading the docker context", f"there is no context {name!r}", "check `docker context ls`")
    return _Address(context.Host, f"context {name}", context.TLSConfig)


def _usual_sockets(environ: Mapping[str, str]) -> list[Path]:
    home = Path(environ.get("HOME", "/"))
    runtime = Path(environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}")
    places = [
        Path("/var/run/docker.sock"),
        runtime / "docker.sock",
        home / ".docker/run/docker.sock",
        home / ".docker/desktop/docker.sock",
        home / ".colima/default/docker.sock",
        runtime / "podman/podman.sock",
        Path("/run/podman/podman.sock"),
    ]
    return [path for path in places if path.exists()]


def _client(url: str, tls: TLSConfig | None, version: str, timeout: int = REQUEST_S) -> DockerClient:
    import docker

    return docker.DockerClient(base_url=url, tls=tls or False, version=version, timeout=timeout)


def _knock(url: str) -> None:
    if url.startswith("unix://"):
        with socket.socket(socket.AF_UNIX) as knocking:
            knocking.settimeout(CONNECT_S)
            knocking.connect(url.removeprefix("unix://"))


def _ask(address: _Address) -> Engine:
    _knock(address.url)
    with closing(_client(address.url, address.tls, OLDEST_API, CONNECT_S)) as client:
        api_version = str(client.api.version(api_version=False)["ApiVersion"])
    with closing(_client(address.url, address.tls, api_version)) as client:  # podman takes its time for this one
        info = client.info()
    return Engine(
        url=address.url,
        api_version=api_version,
        version=str(info.get("ServerVersion", "?")),
        machine=str(info.get("Architecture", "?")),
        cgroup=str(info.get("CgroupVersion") or "1"),
        missing=missing_limits(info),
        weak=weaknesses(info),
        runtimes=tuple(sorted(info.get("Runtimes") or ())),
        tls=address.tls,
    )


def missing_limits(info: Mapping[str, Any]) -> tuple[str, ...]:
    """Which limits the engine says it cannot enforce, from its ``/info``.

    Every container's agent looks at its own control group too (:func:`sandbox.guest.cgroup.unlimited`).
    """
    needed = {
        "memory limit": info.get("MemoryLimit"),
        "CPU quota": info.get("CpuCfsQuota") or _says_no_and_does(info),
        "process count limit": info.get("PidsLimit"),
        "seccomp profile": any("seccomp" in option for option in info.get("SecurityOptions") or ()),
        "Linux containers": info.get("OSType") == "linux",
    }
    return tuple(name for name, there in needed.items() if not there)


def weaknesses(info: Mapping[str, Any]) -> tuple[str, ...]:
    """What is weaker than the design on this engine, missing limits included."""
    found = [f"no {name}" for name in missing_limits(info)]
    if not info.get("SwapLimit") and not _says_no_and_does(info):
        found.append("no swap limit: a job may push its memory to swap")
    if info.get("Architecture") not in FILTERED_MACHINES:
        found.append(f"no system call filter for {info.get('Architecture')}: the engine's profile alone")
    return tuple(found)


def _says_no_and_does(info: Mapping[str, Any]) -> bool:
    """Podman on cgroup v2: its answer about CPU and swap is of version 1's files (seen with 4.3.1)."""
    return "BuildahVersion" in info and str(info.get("CgroupVersion")) == "2"
