"""Work that waits for a lane. What waits for the same task is scored in one batch; no task holds up the others.

Requests come from the event loop, batches run in a few threads. Each task's work is served in order, tasks take turns.
A task gets a second lane only when its work has waited while the first one was busy, which a verifier that hangs does.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Condition, Thread
from typing import Any

from bootcamp_kit.case import Case
from bootcamp_kit.errors import MachineError
from evaluation.plan import CaseRef
from evaluation.scoring import Judgement, MadeCase, Unscored, judge, make_cases
from evaluation.service.lanes import Lanes
from evaluation.service.limits import Refused, ServiceLimits

BATCH = 64
"""Responses scored in one go: a client waits for those that share its batch."""
JOIN_S = 0.05
"""Waited so long, work gets a further lane of its task."""
TIDY_S = 2.0
FAILING_S = 30.0
"""Not ready for so long after the machine failed, unless a batch succeeds sooner."""
LONGEST_RETRY_S = 60


@dataclass(eq=False, slots=True)
class _Job:
    task_id: str
    work: Sequence[tuple[Case, str]] | Sequence[CaseRef]
    future: asyncio.Future[Any]
    answers: bool = False
    sampling: bool = False
    at: float = field(default_factory=time.monotonic)
    dropped: bool = False


class WorkQueue:
    """Scores and samples. Made and closed inside a running event loop.

    Args:
        lanes: Where task code runs.
        limits: How much may wait, how many threads.
        params: (task id, level) → the level's parameters.
        seen: Told of each batch: responses in it, seconds it took.
    """

    def __init__(
        self,
        lanes: Lanes,
        limits: ServiceLimits,
        params: Callable[[str, int], Any],
        seen: Callable[[int, float], None] = lambda items, seconds: None,
    ) -> None:
        self._lanes, self._limits, self._params, self._seen = lanes, limits, params, seen
        self._loop = asyncio.get_running_loop()
        self._changed = Condition()
        self._waiting: OrderedDict[str, deque[_Job]] = OrderedDict()
        self._active: dict[str, int] = {}
        self._closed = False
        self.load = 0
        self._failed_at = -math.inf
        self._rate = 1_000.0
        self._threads = [
            Thread(target=self._serve, name=f"scoring-{number}", daemon=True) for number in range(limits.workers)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def well(self) -> bool:
        """Whether the machine did not fail lately: one that is asked no more could not show that it works again."""
        return time.monotonic() - self._failed_at > FAILING_S

    async def score(self, task_id: str, pairs: Sequence[tuple[Case, str]], *, answers: bool = False) -> list[Judgement]:
        """Judge responses to cases of one task, in order.

        Raises:
            Refused: too much is waiting, it took too long, or the service is stopping. Nothing was scored.
        """
        found: list[Judgement] = await self._wait(
            [
                _Job(task_id, pairs[start : start + BATCH], self._loop.create_future(), answers)
                for start in range(0, len(pairs), BATCH)
            ]
        )
        return found

    async def sample(self, task_id: str, refs: Sequence[CaseRef]) -> list[MadeCase | Judgement]:
        """Make cases, in order.

        Raises:
            Refused: as :meth:`score`.
        """
        found: list[MadeCase | Judgement] = await self._wait(
            [
                _Job(task_id, refs[start : start + BATCH], self._loop.create_future(), sampling=True)
                for start in range(0, len(refs), BATCH)
            ]
        )
        return found

    async def close(self) -> None:
        """Stop: what is under way is cut off, what waits is refused."""
        with self._changed:
            self._closed = True
            waiting = [job for jobs in self._waiting.values() for job in jobs]
            self._waiting.clear()
            self._changed.notify_all()
        self._deliver([(job, _stopping()) for job in waiting])
        await asyncio.to_thread(self._lanes.close)
        for thread in self._threads:
            await asyncio.to_thread(thread.join, self._limits.grace_s)

    async def _wait(self, jobs: Sequence[_Job]) -> list[Any]:
        size = sum(len(job.work) for job in jobs)
        self._put(jobs, size)
        try:
            async with asyncio.timeout(self._limits.timeout_s):
                parts = await asyncio.gather(*(job.future for job in jobs))
        except TimeoutError:
            found = f"not done after {self._limits.timeout_s:g} s"
            raise self._busy("timeout", found, "ask again, or for fewer at once") from None
        finally:
            for job in jobs:
                job.dropped = True
                job.future.cancel()
            self.load -= size
        return [item for part in parts for item in part]

    def _put(self, jobs: Sequence[_Job], size: int) -> None:
        if self.load + size > self._limits.waiting:
            raise self._busy("overloaded", f"{self.load} responses or cases are waiting", "ask again later")
        with self._changed:
            if self._closed:
                raise _stopping()
            self.load += size
            for job in jobs:
                self._waiting.setdefault(job.task_id, deque()).append(job)
            self._changed.notify(len(jobs))

    def _busy(self, code: str, found: str, do: str) -> Refused:
        after = min(LONGEST_RETRY_S, max(1, math.ceil(self.load / self._rate)))
        return Refused(503, code, "scoring", found, do, retry_after_s=after)

    def _serve(self) -> None:
        while (batch := self._next()) is not None:
            if not batch:
                self._lanes.tidy()
                continue
            began, size = time.monotonic(), sum(len(job.work) for job in batch)
            outcome = self._run(batch)
            seconds = time.monotonic() - began
            with self._changed:
                self._active[batch[0].task_id] -= 1
                self._rate += 0.2 * (size / max(seconds, 1e-4) - self._rate)
                self._changed.notify()
            self._seen(size, seconds)
            self._deliver(outcome)

    def _next(self) -> list[_Job] | None:
        """The next batch; empty when nothing was to do for a while; None at the end."""
        with self._changed:
            while not self._closed:
                name = self._eligible()
                if name:
                    return self._cut(name)
                if not self._changed.wait(JOIN_S if self._waiting else TIDY_S) and not self._waiting:
                    return []
            return None

    def _eligible(self) -> str | None:
        now, most = time.monotonic(), max(1, self._limits.workers - 1)
        for name, jobs in list(self._waiting.items()):
            while jobs and jobs[0].dropped:
                jobs.popleft()
            if not jobs:
                del self._waiting[name]
                continue
            active = self._active.get(name, 0)
            if not active or (active < most and now - jobs[0].at > JOIN_S):
                return name
        return None

    def _cut(self, name: str) -> list[_Job]:
        jobs = self._waiting.pop(name)
        batch = [jobs.popleft()]
        size = len(batch[0].work)
        while jobs and not batch[0].sampling and not jobs[0].sampling and size + len(jobs[0].work) <= BATCH:
            job = jobs.popleft()
            if not job.dropped:
                batch.append(job)
                size += len(job.work)
        if jobs:
            self._waiting[name] = jobs  # at the end: tasks take turns
        self._active[name] = self._active.get(name, 0) + 1
        return batch

    def _run(self, batch: Sequence[_Job]) -> list[tuple[_Job, Any]]:
        """Each job's result, or what to raise for it."""
        try:
            with self._lanes.use(batch[0].task_id) as lane:
                found = _work(lane.ask, batch, self._params)
            self._failed_at = -math.inf
            return list(zip(batch, found, strict=True))
        except Exception as error:  # noqa: BLE001  (a thread's boundary: the request that waits must hear of it)
            if self._closed:
                return [(job, _stopping()) for job in batch]
            if not isinstance(error, MachineError):
                if len(batch) > 1:  # whoever sent what cannot be sent on is told so, not those it was batched with
                    return [pair for job in batch for pair in self._run([job])]
                return [(job, error) for job in batch]
            self._failed_at = time.monotonic()
            lost = Judgement(None, Unscored.MACHINE, str(error)[:500])
            return [(job, [lost] * len(job.work)) for job in batch]

    def _deliver(self, outcome: Sequence[tuple[_Job, Any]]) -> None:
        self._loop.call_soon_threadsafe(_settle, outcome)


def _work(ask: Any, batch: Sequence[_Job], params: Callable[[str, int], Any]) -> list[list[Any]]:
    first = batch[0]
    if first.sampling:
        refs = [ref for ref in first.work if isinstance(ref, CaseRef)]
        return [list(make_cases(ask, first.task_id, lambda level: params(first.task_id, level), refs))]
    pairs = [pair for job in batch for pair in job.work if isinstance(pair, tuple)]
    judged = iter(judge(ask, pairs, answers=any(job.answers for job in batch)))
    return [[next(judged) for _ in job.work] for job in batch]


def _settle(outcome: Sequence[tuple[_Job, Any]]) -> None:
    for job, result in outcome:
        if job.future.done():
            continue
        if isinstance(result, Exception):
            job.future.set_exception(result)
        else:
            job.future.set_result(result)


def _stopping() -> Refused:
    return Refused(503, "stopping", "scoring", "the service is stopping", "ask again later", retry_after_s=5)
