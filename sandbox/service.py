"""The sandbox as the rest of the product sees it: settings in, boxes out."""

from __future__ import annotations

import threading
import time
import uuid
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType

from bootcamp_kit import __version__
from bootcamp_kit.errors import InternalError
from bootcamp_kit.report import Environment
from sandbox.box import Box
from sandbox.container import Launch
from sandbox.engine import Engine, find_engine
from sandbox.image.build import ImageInfo, ensure_image
from sandbox.limits import ContainerLimits, JobLimits
from sandbox.ownership import Owner
from sandbox.pool import Pool
from sandbox.sweep import sweep_orphans, sweep_run


@dataclass(frozen=True, slots=True)
class SandboxSettings:
    """How to reach and use an engine.

    Attributes:
        docker_host: The engine's address; None looks in the usual places.
        allow_weak: Go on with an engine that cannot enforce every limit; the report then says so.
        container: Limits of each container.
        retries: How often a fault of our machinery is retried in a new container.
        warm_mb: Memory that waiting containers may use in all; 0 keeps none waiting.
        base_image: An image with Python ≥ 3.11 to build on; "" packs the local interpreter.
        run_id: Labels this run's containers.
    """

    docker_host: str | None = None
    allow_weak: bool = False
    container: ContainerLimits = field(default_factory=ContainerLimits)
    retries: int = 2
    warm_mb: int = 256
    base_image: str = ""
    run_id: str = field(default_factory=lambda: uuid.uuid4().hex[:12])


class Sandbox:
    """A connected engine with the image on it; hands out boxes and leaves no container behind."""

    def __init__(self, settings: SandboxSettings, *, progress: Callable[[str], None] | None = None) -> None:
        self.settings = settings
        self._progress = progress
        self._engine: Engine | None = None
        self._image: ImageInfo | None = None
        self._owner = Owner.current()
        self._pool = Pool(settings.warm_mb)
        self._lock = threading.Lock()
        self._boxes: weakref.WeakSet[Box] = weakref.WeakSet()

    def __enter__(self) -> Sandbox:
        """Connect, check the limits, sweep, make sure of the image.

        Raises:
            MachineError: no engine, a limit it cannot enforce, or no image.
        """
        self._engine = find_engine(self.settings.docker_host, allow_weak=self.settings.allow_weak)
        client = self._engine.connect()
        try:
            sweep_orphans(client, self._owner, time.time())
            self._image = ensure_image(client, self._progress, base_image=self.settings.base_image)
        finally:
            client.close()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        with self._lock:
            boxes = list(self._boxes)
        for box in boxes:
            box.close()
        self._pool.close()
        client = self.engine.connect()
        try:
            sweep_run(client, self.settings.run_id)
        except OSError:  # the engine is gone: the next run's sweep finds them by their labels
            pass
        finally:
            client.close()

    @property
    def engine(self) -> Engine:
        """The engine in use."""
        if self._engine is None:
            raise InternalError("using the sandbox", "it is not entered", "use `with Sandbox(settings) as sandbox:`")
        return self._engine

    @property
    def image(self) -> ImageInfo:
        """The image in use."""
        if self._image is None:
            raise InternalError("using the sandbox", "it is not entered", "use `with Sandbox(settings) as sandbox:`")
        return self._image

    @property
    def environment(self) -> Environment:
        """What a report measured here was measured on; the policy version is the caller's to fill in."""
        return Environment(
            image_digest=self.image.digest,
            backend="docker",
            engine=str(self.engine),
            kit_version=__version__,
            policy_version="",
            python=self.image.python,
            limits=self.settings.container.to_json(),
            weak=self.engine.weak,
        )

    def box(self, files: Mapping[str, bytes], limits: JobLimits | None = None, *, hash_seed: int = 0) -> Box:
        """A box for one candidate; enter it to start its container.

        Args:
            files: The task's files, relative path → bytes; may be empty for ``program`` calls.
            limits: Of each call.
            hash_seed: ``PYTHONHASHSEED`` of its process: 0 (off) to 4294967295.
        """
        box = Box(
            self._launch(hash_seed), dict(files), limits or JobLimits(), self._pool, retries=self.settings.retries
        )
        with self._lock:
            self._boxes.add(box)
        return box

    def warm(self, *hash_seeds: int) -> None:
        """Start containers in the background, so that the next boxes with these hash seeds are ready at once.

        Containers of a kind that was asked for twice are kept waiting without being told to.
        """
        for hash_seed in hash_seeds:
            self._pool.warm(self._launch(hash_seed))

    def is_warm(self, hash_seed: int) -> bool:
        """Whether a container with this hash seed is waiting."""
        return self._pool.holds(self._launch(hash_seed))

    def _launch(self, hash_seed: int) -> Launch:
        return Launch(
            engine=self.engine,
            image=self.image.tag,
            limits=self.settings.container,
            hash_seed=hash_seed,
            labels=self._owner.labels(self.settings.run_id, time.time()),
            allow_weak=self.settings.allow_weak,
        )
