"""Ask a model for every rollout of a plan, score each response, store each result; resumable at any moment.

Cases are made task by task, questions are on their way side by side, scoring runs behind them in batches. Between the
stages are bounded queues, so memory does not grow with the plan. A budget or an endpoint that refuses ends the run
early: what was answered is scored and stored first.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bootcamp_kit.errors import BootcampError, BudgetError, ProviderError
from chat_models.errors import EndpointRefused
from chat_models.protocol import ChatModel, ChatReply, ChatRequest, Message
from evaluation.boxes import Boxes
from evaluation.concurrency import AdaptiveLimit
from evaluation.plan import CaseRef, EvaluationPlan, PlannedTask
from evaluation.scoring import Judgement, MadeCase, Unscored, judge, make_cases
from evaluation.store import Rollout, RunStore, rollout_id

CASES_AT_ONCE = 256
SCORED_AT_ONCE = 64
WAITING = 512
MOST_FAILURES = 12
"""Failed calls in a row, none answered between them, after which the provider counts as down."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is. ``already`` were stored before it was resumed."""

    total: int
    already: int
    done: int
    correct: int
    scored: int
    unscored: int
    under_way: int
    input_tokens: int
    output_tokens: int


Listener = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class _Todo:
    task: PlannedTask
    ref: CaseRef
    made: MadeCase | Judgement
    sample: int


@dataclass(frozen=True, slots=True)
class _Answered:
    todo: _Todo
    reply: ChatReply | None
    failure: str
    latency_s: float


async def run(
    store: RunStore,
    model: ChatModel,
    boxes: Boxes,
    *,
    most: int = 32,
    listener: Listener = lambda progress: None,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> BootcampError | None:
    """Do what of the plan is not done yet.

    Returns:
        None when every rollout of the plan is stored; else what ended the run early (budget, refusing endpoint,
        provider down). All that was answered is stored in either case.

    Raises:
        MachineError: the sandbox or the disk failed.
    """
    work = _Run(store, model, boxes, AdaptiveLimit(most, clock=time.monotonic), listener, clock)
    return await work.finish()


class _Run:
    def __init__(
        self,
        store: RunStore,
        model: ChatModel,
        boxes: Boxes,
        limit: AdaptiveLimit,
        listener: Listener,
        clock: Callable[[], datetime],
    ) -> None:
        self.store, self.model, self.boxes, self.limit, self.listener = store, model, boxes, limit, listener
        self.clock = clock
        self.plan: EvaluationPlan = store.plan
        self.stop: BootcampError | None = None
        self.failures = 0
        self.to_ask: asyncio.Queue[_Todo | None] = asyncio.Queue(WAITING)
        self.to_score: asyncio.Queue[_Answered | None] = asyncio.Queue(WAITING)
        lines = [line for line in store.lines if not _again(line.unscored)]
        self.done = {line.id for line in lines}
        self.already = len(lines)
        self.counts = {
            "correct": sum(line.outcome == "correct" for line in lines),
            "unscored": sum(bool(line.unscored) for line in lines),
            "input": sum(line.input_tokens for line in lines),
            "output": sum(line.output_tokens for line in lines),
        }
        self.stored = self.already

    async def finish(self) -> BootcampError | None:
        self._tell()
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._make())
                group.create_task(self._ask())
                group.create_task(self._score())
        except BaseExceptionGroup as failed:
            raise _first(failed) from failed
        return self.stop

    async def _make(self) -> None:
        async for todo in self._todo():
            await self.to_ask.put(todo)
            if self.stop:
                break
        await self.to_ask.put(None)

    async def _todo(self) -> AsyncIterator[_Todo]:
        for task in self.plan.tasks:
            missing = [
                (ref, samples)
                for ref in task.cases
                if (
                    samples := [
                        sample
                        for sample in range(self.plan.samples)
                        if rollout_id(task.task_id, ref.level, ref.seed, sample) not in self.done
                    ]
                )
            ]
            for start in range(0, len(missing), CASES_AT_ONCE):
                part = missing[start : start + CASES_AT_ONCE]
                made = await asyncio.to_thread(self._make_cases, task, [ref for ref, _ in part])
                for (ref, samples), item in zip(part, made, strict=True):
                    for sample in samples:
                        yield _Todo(task, ref, item, sample)

    def _make_cases(self, task: PlannedTask, refs: Sequence[CaseRef]) -> list[MadeCase | Judgement]:
        card = self.boxes.folder(task.task_id).card
        return make_cases(self.boxes.asker(task.task_id), task.task_id, card.difficulty.params, refs)

    async def _ask(self) -> None:
        async with asyncio.TaskGroup() as group:
            while (todo := await self.to_ask.get()) is not None:
                if self.stop:
                    continue  # drain, so that the maker can end
                if isinstance(todo.made, Judgement):
                    await self.to_score.put(_Answered(todo, None, "", 0.0))
                    continue
                await self.limit.enter()
                group.create_task(self._ask_one(todo))
        await self.to_score.put(None)

    async def _ask_one(self, todo: _Todo) -> None:
        try:
            answered = await self._reply(todo)
        finally:
            await self.limit.leave()
        if answered:
            await self.to_score.put(answered)

    async def _reply(self, todo: _Todo) -> _Answered | None:
        assert isinstance(todo.made, MadeCase)
        if self.stop:
            return None
        began = time.monotonic()
        try:
            reply = await self.model.chat(self._request(todo.made, todo.sample))
        except (BudgetError, EndpointRefused) as error:
            self.stop = self.stop or error
            return None
        except ProviderError as error:
            self.limit.failed()
            self.failures += 1
            if self.failures >= MOST_FAILURES:
                found = f"{self.failures} calls failed in a row, the last with: {error.found}"
                self.stop = self.stop or ProviderError(error.asked, found, error.do)
            return _Answered(todo, None, str(error), time.monotonic() - began)
        self.failures = 0
        self.limit.answered()
        return _Answered(todo, reply, "", time.monotonic() - began)

    def _request(self, made: MadeCase, sample: int) -> ChatRequest:
        sampling = self.plan.sampling
        system = (Message("system", sampling.system),) if sampling.system else ()
        return ChatRequest(
            (*system, Message("user", made.prompt)), sampling.max_tokens, sampling.temperature, nonce=sample
        )

    async def _score(self) -> None:
        ended = False
        while not ended:
            item = await self.to_score.get()
            batch = []
            while item is not None:
                batch.append(item)
                if len(batch) >= SCORED_AT_ONCE or self.to_score.empty():
                    break
                item = self.to_score.get_nowait()
            ended = item is None
            await asyncio.to_thread(self._score_batch, batch)
            self._tell()

    def _score_batch(self, batch: Sequence[_Answered]) -> None:
        by_task: dict[str, list[_Answered]] = {}
        for item in batch:
            by_task.setdefault(item.todo.task.task_id, []).append(item)
        for task_id, items in by_task.items():
            asked = [item for item in items if item.reply is not None and isinstance(item.todo.made, MadeCase)]
            pairs = [(item.todo.made.case, item.reply.text) for item in asked]  # type: ignore[union-attr]
            found = dict(zip(map(id, asked), judge(self.boxes.asker(task_id), pairs) if pairs else [], strict=True))
            for item in items:
                self._store(item, found.get(id(item)) or _without_reply(item))

    def _store(self, item: _Answered, judgement: Judgement) -> None:
        rollout = _rollout(item, judgement, self.model.name, self.clock())
        if isinstance(item.todo.made, MadeCase):
            self.store.keep_prompt(rollout.prompt_hash, item.todo.made.prompt)
        self.store.append(rollout)
        self.stored += 1
        self.counts["correct"] += rollout.outcome == "correct"
        self.counts["unscored"] += bool(rollout.unscored)
        self.counts["input"] += rollout.input_tokens
        self.counts["output"] += rollout.output_tokens

    def _tell(self) -> None:
        counts = self.counts
        self.listener(
            Progress(
                self.plan.total,
                self.already,
                self.stored,
                counts["correct"],
                self.stored - counts["unscored"],
                counts["unscored"],
                self.limit.limit,
                counts["input"],
                counts["output"],
            )
        )


def _first(failed: BaseExceptionGroup[BaseException]) -> BaseException:
    first = failed.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first


def _again(unscored: str) -> bool:
    return bool(unscored) and Unscored(unscored).passing


def _without_reply(item: _Answered) -> Judgement:
    if isinstance(item.todo.made, Judgement):
        return item.todo.made
    return Judgement(None, Unscored.PROVIDER, item.failure)


def _rollout(item: _Answered, judgement: Judgement, model: str, now: datetime) -> Rollout:
    made, reply, score = item.todo.made, item.reply, judgement.score
    known = isinstance(made, MadeCase)
    return Rollout(
        task_id=item.todo.task.task_id,
        content_hash=item.todo.task.content_hash,
        level=item.todo.ref.level,
        seed=item.todo.ref.seed,
        sample=item.todo.sample,
        key=made.case.key if isinstance(made, MadeCase) else "",
        prompt_hash=made.prompt_hash if isinstance(made, MadeCase) else "",
        model=reply.model if reply else (model if known else ""),
        response=reply.text if reply else None,
        stop=reply.stop.value if reply else "",
        answer=judgement.answer,
        value=score.value if score else None,
        outcome=score.outcome.value if score else "",
        reason=score.reason if score else "",
        unscored=judgement.unscored.value if judgement.unscored else "",
        detail=judgement.detail,
        input_tokens=reply.usage.input_tokens if reply else 0,
        output_tokens=reply.usage.output_tokens if reply else 0,
        latency_s=round(item.latency_s, 4),
        at=now.isoformat(timespec="milliseconds"),
    )
