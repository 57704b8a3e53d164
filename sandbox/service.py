"""The sandbox as the rest of the product sees it: settings in, boxes out."""

from __future__ import annotations

import threading
import uuid
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from bootcamp_kit.errors import InternalError, UsageError
from bootcamp_kit.identity import kit_version
from bootcamp_kit.report import Environment
from sandbox.backends import NAMES, BubbleBackend, DockerBackend, profile_of
from sandbox.box import Box
from sandbox.engine import Engine
from sandbox.image.build import ImageInfo
from sandbox.image.libraries import PLAIN
from sandbox.limits import ContainerLimits, JobLimits
from sandbox.pool import Pool
from sandbox.server import Launch


@dataclass(frozen=True, slots=True)
class SandboxSettings:
    """How to reach and use an engine.

    Attributes:
        docker_host: The engine's address; None looks in the usual places.
        allow_weak: Go on with an engine that cannot enforce every limit; the report then says so.
        container: Limits of each container.
        retries: How often a fault of our machinery is retried in a new container.
        warm_mb: Memory that waiting containers may use in all; 0 keeps none waiting.
        backend: ``docker``, or ``bubblewrap`` where no engine runs.
        runtime: The engine's name of a stronger runtime, for instance runsc; "" for its usual one.
        cache: Where bubblewrap's root is kept; None for the user's cache folder.
        base_image: An image with Python ≥ 3.11 to build on; "" packs the local interpreter.
        run_id: Labels this run's containers.
    """

    docker_host: str | None = None
    allow_weak: bool = False
    container: ContainerLimits = field(default_factory=ContainerLimits)
    retries: int = 2
    warm_mb: int = 256
    backend: str = "docker"
    runtime: str = ""
    cache: Path | None = None
    base_image: str = ""
    run_id: str = field(default_factory=lambda: uuid.uuid4().hex[:12])


class Sandbox:
    """A connected engine with the image on it; hands out boxes and leaves no container behind."""

    def __init__(self, settings: SandboxSettings, *, progress: Callable[[str], None] | None = None) -> None:
        self.settings = settings
        self._progress = progress
        self._backend: DockerBackend | BubbleBackend | None = None
        self._pool = Pool(settings.warm_mb)
        self._lock = threading.Lock()
        self._boxes: weakref.WeakSet[Box] = weakref.WeakSet()

    def __enter__(self) -> Sandbox:
        """Connect, check the limits, sweep, make sure of the plain image.

        Raises:
            UsageError: no backend of that name.
            MachineError: no engine, a limit it cannot enforce, or no image.
        """
        settings = self.settings
        if settings.backend not in NAMES:
            raise UsageError("sandbox backend", f"{settings.backend[:40]!r}", f"use one of {', '.join(NAMES)}")
        if settings.backend == "docker":
            self._backend = DockerBackend(
                settings.docker_host,
                allow_weak=settings.allow_weak,
                base_image=settings.base_image,
                runtime=settings.runtime,
                run_id=settings.run_id,
                progress=self._progress,
            )
        else:
            self._backend = BubbleBackend(settings.cache, allow_weak=settings.allow_weak, progress=self._progress)
        self._backend.image(PLAIN)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        with self._lock:
            boxes = list(self._boxes)
        for box in boxes:
            box.close()
        self._pool.close()
        self.backend.close()

    @property
    def backend(self) -> DockerBackend | BubbleBackend:
        """What confines the jobs."""
        if self._backend is None:
            raise InternalError("using the sandbox", "it is not entered", "use `with Sandbox(settings) as sandbox:`")
        return self._backend

    @property
    def engine(self) -> Engine:
        """The engine in use.

        Raises:
            InternalError: the backend is not an engine.
        """
        if not isinstance(self.backend, DockerBackend):
            raise InternalError("asking for the engine", f"the backend is {self.settings.backend}", "ask the backend")
        return self.backend.engine

    @property
    def image(self) -> ImageInfo:
        """The plain image."""
        return self.backend.image(PLAIN)

    @property
    def environment(self) -> Environment:
        """What a report on a plain task was measured on; the policy version is the caller's to fill in."""
        return self.environment_of(PLAIN)

    def environment_of(self, profile: str) -> Environment:
        """What a report on a task of this library profile was measured on.

        Raises:
            UsageError: there is no such profile.
        """
        image = self.backend.image(profile)
        return Environment(
            image_digest=image.digest,
            backend=self.settings.backend,
            engine=str(self.backend),
            kit_version=kit_version(),
            policy_version="",
            python=image.python,
            limits=self.settings.container.to_json(),
            weak=self.backend.weak,
        )

    def box(
        self,
        files: Mapping[str, bytes],
        limits: JobLimits | None = None,
        *,
        hash_seed: int = 0,
        profile: str | None = None,
    ) -> Box:
        """A box for one candidate; enter it to start its container.

        Args:
            files: The task's files, relative path → bytes; may be empty for ``program`` calls.
            limits: Of each call.
            hash_seed: ``PYTHONHASHSEED`` of its process: 0 (off) to 4294967295.
            profile: Which libraries there are; None asks the card among the files.

        Raises:
            UsageError: there is no such profile.
            MachineError: the profile's image cannot be built.
        """
        limits = limits or JobLimits()
        launch = self._launch(hash_seed, profile or profile_of(files))
        box = self._new_box(launch, dict(files), limits)
        with self._lock:
            self._boxes.add(box)
        return box

    def warm(self, count: int = 1, *, profile: str = PLAIN) -> None:
        """Start containers in the background, so that the next boxes are ready at once; at most two wait.

        Containers of a kind that was asked for twice are kept waiting without being told to.
        """
        for _ in range(count):
            self._pool.warm(self._launch(0, profile))

    def warm_count(self, *, profile: str = PLAIN) -> int:
        """How many containers of this profile are waiting."""
        return self._pool.count(self._launch(0, profile))

    def _new_box(self, launch: Launch, files: Mapping[str, bytes], limits: JobLimits) -> Box:
        return Box(launch, files, limits, self._pool, retries=self.settings.retries)

    def _launch(self, hash_seed: int, profile: str = PLAIN) -> Launch:
        return self.backend.launch(profile, self.settings.container, hash_seed)
