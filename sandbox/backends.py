"""What confines the jobs: a container engine, or bubblewrap. Chosen by name; neither falls back to the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from sandbox.bubble import BubbleLaunch, Bubblewrap, find_bubblewrap
from sandbox.cgroups import delegated
from sandbox.container import DockerLaunch
from sandbox.engine import Engine, find_engine
from sandbox.image.build import ImageInfo, ensure_image
from sandbox.image.libraries import find_profile
from sandbox.limits import ContainerLimits
from sandbox.ownership import Owner
from sandbox.server import Launch
from sandbox.sweep import sweep_orphans, sweep_run

Progress = Callable[[str], None]
NAMES = ("docker", "bubblewrap")


class Backend(Protocol):
    """Opened once; makes launches."""

    @property
    def weak(self) -> tuple[str, ...]:
        """What is weaker than the design, in words."""

    def image(self, profile: str) -> ImageInfo:
        """The image of a library profile; built when it is missing.

        Raises:
            UsageError: there is no such profile.
            MachineError: it cannot be built.
        """

    def launch(self, profile: str, limits: ContainerLimits, hash_seed: int) -> Launch:
        """What to start a server from."""

    def close(self) -> None:
        """Remove whatever this run started."""


class DockerBackend:
    """An engine with a Docker API."""

    def __init__(
        self,
        docker_host: str | None,
        *,
        allow_weak: bool,
        base_image: str,
        runtime: str,
        run_id: str,
        progress: Progress | None,
    ) -> None:
        """Connect, check the limits, sweep.

        Raises:
            MachineError: no engine, a limit it cannot enforce, or a runtime it does not have.
        """
        self._owner, self._run_id = Owner.current(), run_id
        self._allow_weak, self._base_image, self._runtime, self._progress = allow_weak, base_image, runtime, progress
        self._images: dict[str, ImageInfo] = {}
        self.engine: Engine = find_engine(docker_host, allow_weak=allow_weak, runtime=runtime)
        client = self.engine.connect()
        try:
            sweep_orphans(client, self._owner, time.time())
        finally:
            client.close()

    def __str__(self) -> str:
        return f"{self.engine}{f', runtime {self._runtime}' if self._runtime else ''}"

    @property
    def weak(self) -> tuple[str, ...]:
        """What the engine said of itself."""
        return self.engine.weak

    def image(self, profile: str) -> ImageInfo:
        """Looked up once, built when it is missing."""
        if profile not in self._images:
            client = self.engine.connect()
            try:
                self._images[profile] = ensure_image(
                    client, self._progress, base_image=self._base_image, profile=profile
                )
            finally:
                client.close()
        return self._images[profile]

    def launch(self, profile: str, limits: ContainerLimits, hash_seed: int) -> Launch:
        """A container of the profile's image."""
        return DockerLaunch(
            engine=self.engine,
            image=self.image(profile).tag,
            limits=limits,
            hash_seed=hash_seed,
            labels=self._owner.labels(self._run_id, time.time()),
            allow_weak=self._allow_weak,
            runtime=self._runtime,
            preload=find_profile(profile).preload,
        )

    def close(self) -> None:
        """Sweep what this run started; an engine that is gone leaves it to the next run's sweep."""
        client = self.engine.connect()
        try:
            sweep_run(client, self._run_id)
        except OSError:
            pass
        finally:
            client.close()


class BubbleBackend:
    """bubblewrap on this machine."""

    def __init__(self, cache: Path | None, *, allow_weak: bool, progress: Progress | None) -> None:
        """Look for it, try it, sweep control groups.

        Raises:
            MachineError: it is not there, cannot make namespaces, or a limit is missing.
        """
        from sandbox.image.unpacked import cache_folder

        self._cache, self._allow_weak, self._progress = cache or cache_folder(), allow_weak, progress
        self._roots: dict[str, tuple[ImageInfo, Path]] = {}
        self.program: Bubblewrap = find_bubblewrap(allow_weak=allow_weak)
        delegated().sweep()

    def __str__(self) -> str:
        return str(self.program)

    @property
    def weak(self) -> tuple[str, ...]:
        """What is missing on this machine, and what this backend never has."""
        return (*self.program.missing, "bubblewrap: our system call filter alone, no engine's profile under it")

    def image(self, profile: str) -> ImageInfo:
        """Unpacked when it is missing."""
        return self._root(profile)[0]

    def launch(self, profile: str, limits: ContainerLimits, hash_seed: int) -> Launch:
        """A process tree on the profile's root."""
        return BubbleLaunch(
            program=self.program,
            rootfs=self._root(profile)[1],
            limits=limits,
            hash_seed=hash_seed,
            allow_weak=self._allow_weak,
            preload=find_profile(profile).preload,
        )

    def close(self) -> None:
        """Everything ended with its server."""

    def _root(self, profile: str) -> tuple[ImageInfo, Path]:
        from sandbox.image.unpacked import ensure_root

        if profile not in self._roots:
            self._roots[profile] = ensure_root(self._cache, self._progress, profile=profile)
        return self._roots[profile]


def profile_of(files: Mapping[str, bytes]) -> str:
    """The library profile that a task's card asks for; plain where there is no card that can be read."""
    from bootcamp_kit.card import Card
    from bootcamp_kit.errors import UsageError

    try:
        return Card.parse(files["card.toml"]).limits.profile if "card.toml" in files else "plain"
    except UsageError:
        return "plain"  # the gate reports the card
