"""A box: one candidate's function server, which outlives the containers that die under it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType

from bootcamp_kit.errors import InternalError, MachineError
from sandbox.calls import Call, JobOutcome, Observation
from sandbox.faults import EngineGone, InfrastructureFault
from sandbox.job import Job
from sandbox.limits import JobLimits
from sandbox.pool import Pool
from sandbox.server import Launch, Server

Progress = Callable[[int, int], None]
"""Told (calls done, calls in all)."""

IDLE_DEATHS = 3
ENGINE_BACK_S = 30.0
_RECYCLE = {JobOutcome.TIMEOUT, JobOutcome.OUT_OF_MEMORY, JobOutcome.PROTOCOL, JobOutcome.OUTPUT_LIMIT}


class Box:
    """One candidate's code behind a function server. Use it from one thread at a time; boxes are independent.

    Faults of our machinery are retried in a new container. A call that meets ``retries + 1`` of them is observed as
    ``infrastructure``; an engine that starts no container any more is a ``MachineError``.
    """

    def __init__(
        self, launch: Launch, files: Mapping[str, bytes], limits: JobLimits, pool: Pool, *, retries: int
    ) -> None:
        self._launch, self._files, self.limits = launch, files, limits
        self._pool, self._retries = pool, retries
        self._container: Server | None = None
        self._job: Job | None = None
        self._closed = False

    def __enter__(self) -> Box:
        self._running()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    @property
    def hash_seed(self) -> int:
        """``PYTHONHASHSEED`` of its containers."""
        return self._launch.hash_seed

    @property
    def container_id(self) -> str:
        """The engine's id of the container that serves it now; "" when there is none."""
        return self._container.id if self._container else ""

    def close(self) -> None:
        """Remove its container; it answers nothing any more."""
        self._closed = True
        self._discard()

    def fresh(self, call: Call) -> Observation:
        """One call in a process of its own."""
        for attempt in range(self._retries + 1):
            try:
                self._end_job()
                observation, end = Job(self._running(), self.limits).once(call)
            except InfrastructureFault as fault:
                self._discard()
                message = f"after {attempt + 1} containers: {fault}"
                continue
            except BaseException:  # Ctrl-C, a bad call: an answer may be under way that nobody will read
                self._discard()
                raise
            self._recycle_after(end.outcome)
            return observation
        return Observation(call, JobOutcome.INFRASTRUCTURE, error=message[:2000])

    def batch(self, calls: Sequence[Call], *, progress: Progress | None = None) -> list[Observation]:
        """All calls in one process, or in as many as it takes when calls kill it; one observation each, in order."""
        with self.session() as session:
            return session.batch(calls, progress=progress)

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A process that keeps its state between calls, for callers that decide the next call by the last answer."""
        try:
            yield Session(self)
        finally:
            try:
                self._end_job()
            except InfrastructureFault:
                self._discard()

    def _running(self) -> Server:
        """The live container; a new one where there is none, it is worn out or about to leave for idleness.

        Raises:
            MachineError: the engine starts none.
        """
        if self._closed:
            raise InternalError("using a sandbox box", "it is closed", "call it inside its `with` block")
        container = self._container
        limits = self._launch.limits
        if container and not self._job:
            idle = time.monotonic() - container.last_used > max(1.0, limits.idle_s - 5)
            if idle or container.jobs >= limits.jobs:
                self._discard()
        if self._container is None:
            self._container = self._start()
        return self._container

    def _start(self) -> Server:
        attempt, patience = 0, time.monotonic() + ENGINE_BACK_S
        while attempt <= self._retries:
            if attempt:
                time.sleep(0.25 * 2**attempt)
            container = None
            try:
                container = self._pool.obtain(self._launch, waiting=not attempt)
                container.reseed(self._launch)
                container.use(self._files)
                return container
            except InfrastructureFault as error:
                fault = error
                if container:
                    self._pool.retire(container)
                if isinstance(error, EngineGone) and time.monotonic() < patience:
                    attempt = max(attempt, 1)  # a restart is waited for, once for a fault
                    continue
                attempt += 1
        raise MachineError(
            "starting a sandbox container",
            f"{self._retries + 1} attempts failed, the last with: {fault}",
            "check the engine with `bootcamp doctor`",
        ) from fault

    def _open_job(self) -> Job:
        if self._job is None:
            self._job = Job(self._running(), self.limits)
        return self._job

    def _end_job(self) -> None:
        job, self._job = self._job, None
        if job and job.in_step:
            self._recycle_after(job.close().outcome)
        elif job:
            self._discard()

    def _forget_job(self) -> None:
        self._job = None

    def _discard(self) -> None:
        self._job = None
        if self._container:
            container, self._container = self._container, None
            self._pool.retire(container)

    def _recycle_after(self, outcome: JobOutcome) -> None:
        if outcome in _RECYCLE:
            self._discard()


class Session:
    """Calls that share one process; it is replaced when a call kills it."""

    def __init__(self, box: Box) -> None:
        self._box = box

    def call(self, call: Call) -> Observation:
        """One call, answered before the next is asked."""
        return self.batch([call])[0]

    def batch(self, calls: Sequence[Call], *, progress: Progress | None = None) -> list[Observation]:
        """All calls, streamed; one observation each, in order."""
        seen: list[Observation] = []

        def take(observation: Observation) -> None:
            seen.append(observation)
            if progress:
                progress(len(seen), len(calls))

        faults = idle_deaths = 0
        while len(seen) < len(calls):
            before = len(seen)
            try:
                end = self._box._open_job().stream(calls[before:], take)
            except InfrastructureFault as fault:
                self._box._discard()
                faults = 1 if len(seen) > before else faults + 1
                if faults > self._box._retries:
                    error = f"after {faults} containers: {fault}"[:2000]
                    take(Observation(calls[len(seen)], JobOutcome.INFRASTRUCTURE, error=error))
                    faults = 0
                continue
            if end is None:
                continue
            self._box._forget_job()
            self._box._recycle_after(end.outcome)
            idle_deaths = 1 if len(seen) > before else idle_deaths + 1
            if end.call is None and idle_deaths >= IDLE_DEATHS and len(seen) < len(calls):
                take(end.observation(calls[len(seen)]))  # it dies again and again before this call begins
                idle_deaths = 0
        return seen
