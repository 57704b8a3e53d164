"""Takes the briefs of a run through the graph, a few at once, and decides when the run has to stop."""

from __future__ import annotations

import asyncio
import sqlite3
import traceback
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.errors import GraphDrained
from langgraph.runtime import RunControl

from authoring.context import AuthoringContext
from authoring.graph import build_graph, recursion_limit
from authoring.outcomes import BriefOutcome, OutcomeKind
from authoring.runs import WorkItem
from authoring.signals import signals_to
from authoring.state import BriefState
from bootcamp_kit.errors import BootcampError, BudgetError, InternalError, MachineError
from sandbox.escaping import escaped

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig

MAX_FAULT_CHARS = 300


class Driver:
    """One run's briefs on their way."""

    def __init__(self, context: AuthoringContext, saver: AsyncSqliteSaver) -> None:
        self.context, self.saver = context, saver
        self.graph = build_graph(saver)
        self._interrupted: dict[str, BriefOutcome] = {}
        self._failed_in_a_row = 0

    async def work_through(self, items: Sequence[WorkItem]) -> None:
        """Take every brief that has no final outcome to its end, or until the run is asked to stop."""
        pending = iter(await self._to_do(items))
        count = self.context.settings.brief_parallelism
        workers = [asyncio.create_task(self._worker(pending)) for _ in range(count)]
        try:
            with self._signals(workers), self._time_limit():
                results = await asyncio.gather(*workers, return_exceptions=True)
        finally:
            for worker in workers:
                worker.cancel()
        for result in results:
            if isinstance(result, BaseException) and not isinstance(result, asyncio.CancelledError):
                raise result

    def outcome(self, item: WorkItem) -> BriefOutcome:
        """How a brief stands now."""
        known = self.context.run.outcome(item.brief) or self._interrupted.get(item.brief)
        return known or self._unfinished(item, "not begun")

    async def _to_do(self, items: Sequence[WorkItem]) -> list[WorkItem]:
        """New and half-done briefs first, then those that failed before, opened again."""
        fresh, failed = [], []
        for item in items:
            known = self.context.run.outcome(item.brief)
            if known is None:
                fresh.append(item)
            elif not known.kind.final:
                await self.saver.adelete_thread(item.brief)
                self.context.run.forget_outcome(item.brief)
                failed.append(item)
        return fresh + failed

    @contextmanager
    def _time_limit(self) -> Iterator[None]:
        """Stop in good order when the minutes are over: calls under way are waited for."""
        minutes = self.context.settings.max_minutes
        if not minutes:
            yield
            return

        def over() -> None:
            more = "raise the limit and resume the run; answered calls are not paid for twice"
            error = BudgetError("authoring", f"{minutes:g} minutes are over", more)
            self.context.stop.request(str(error), error)

        timer = asyncio.get_running_loop().call_later(minutes * 60, over)
        try:
            yield
        finally:
            timer.cancel()

    def _signals(self, workers: Sequence[asyncio.Task[None]]) -> AbstractContextManager[None]:
        if not self.context.handle_signals:
            return nullcontext()

        def first(name: str) -> None:
            self.context.stop.request(name)
            self.context.tell("", None, "run", "stopping", f"{name}: calls under way are finished; again stops at once")

        def second() -> None:
            for worker in workers:
                worker.cancel()

        return signals_to(first, second)

    async def _worker(self, pending: Iterator[WorkItem]) -> None:
        for item in pending:
            if self.context.stop.requested:
                return
            try:
                outcome = await self._ended(item)
            except BootcampError as error:
                self.context.stop.request(str(error), error)
                self._interrupted[item.brief] = self._unfinished(item, str(error))
            except BaseException:
                self._interrupted[item.brief] = self._unfinished(item, "broken off")
                self.context.stop.request("broken off")
                raise
            else:
                self._count(outcome)

    async def _ended(self, item: WorkItem) -> BriefOutcome:
        """One brief to its end; a fault of this program is that brief's alone, and is kept for whoever mends it.

        Raises:
            BootcampError: something that would meet the other briefs too.
        """
        try:
            return await self._brief(item)
        except BootcampError:
            raise
        except Exception as error:  # noqa: BLE001 - a night's run must not be lost to a bug that one brief meets
            where = self.context.run.put_fault(item.brief, "".join(traceback.format_exception(error)))
            what = escaped(f"{type(error).__name__}: {error}", MAX_FAULT_CHARS)
            reason = f"a fault of this program: {what} (report it with {where})"
            outcome = BriefOutcome(item.id, item.brief, OutcomeKind.FAILED, reason)
            self.context.run.put_outcome(outcome)
            await self.saver.adelete_thread(item.brief)
            self.context.tell(item.id, None, "brief", outcome.kind, outcome.reason)
            return outcome

    async def _brief(self, item: WorkItem) -> BriefOutcome:
        """One brief through the graph.

        Raises:
            BootcampError: something that would meet the other briefs too.
        """
        context, control = self.context, RunControl()
        config: RunnableConfig = {
            "configurable": {"thread_id": item.brief},
            "recursion_limit": recursion_limit(context.repairs),
        }
        context.stop.watch(control)
        try:
            begun = await self.saver.aget_tuple(config) is not None
            context.tell(item.id, None, "brief", "resumed" if begun else "started")
            final = await self.graph.ainvoke(
                None if begun else self._first_state(item),
                config,
                context=context,
                durability="sync",
                control=control,
            )
        except GraphDrained:
            halted = self._interrupted[item.brief] = self._unfinished(item, context.stop.why)
            context.tell(item.id, None, "brief", halted.kind, halted.reason)
            return halted
        except sqlite3.Error as error:
            do = "free some space if the disk is full, then resume the run"
            raise MachineError("keeping checkpoints", str(error), do) from error
        finally:
            context.stop.unwatch(control)
        outcome: BriefOutcome | None = final["outcome"]
        if outcome is None:
            raise InternalError(f"brief {item.id}", "the workflow ended without an outcome", "report this as a bug")
        context.run.put_outcome(outcome)
        await self.saver.adelete_thread(item.brief)
        return outcome

    def _first_state(self, item: WorkItem) -> BriefState:
        return BriefState(
            brief=item.brief,
            order=item.order,
            specification="",
            stages=self.context.stages,
            candidates=self.context.candidates,
            repairs=self.context.repairs,
            turns=[],
            outcome=None,
        )

    def _count(self, outcome: BriefOutcome) -> None:
        """Stop after failures in a row: with the engine or the provider down, every further brief would fail too."""
        if outcome.kind is not OutcomeKind.FAILED:
            self._failed_in_a_row = 0
            return
        self._failed_in_a_row += 1
        if self._failed_in_a_row >= self.context.settings.troubles_in_a_row:
            found = f"{self._failed_in_a_row} briefs in a row failed; the last one: {outcome.reason}"
            error = MachineError("authoring", found, "mend that, then resume the run")
            self.context.stop.request(str(error), error)

    def _unfinished(self, item: WorkItem, why: str) -> BriefOutcome:
        """A brief that has no end yet: a limit of the run was reached, or the run was ended otherwise."""
        over = isinstance(self.context.stop.error, BudgetError)
        return BriefOutcome(item.id, item.brief, OutcomeKind.OVER_BUDGET if over else OutcomeKind.INTERRUPTED, why)
