"""Drives a run: one LangGraph thread per brief, a few at once, resumable after kill -9 at any moment.

What makes that hold: nodes are idempotent, artefacts are stored whole by content hash before the state names them,
checkpoints are written before the next step starts, answered model calls come from the response cache, and the queue
knows a candidate by its content.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from authoring.context import AuthoringContext
from authoring.outcomes import BriefOutcome, OutcomeKind, RunSummary
from authoring.runs import RunFolder, WorkItem
from bootcamp_kit.brief import Brief
from bootcamp_kit.counted import counted
from bootcamp_kit.decision import RepairOrder
from bootcamp_kit.errors import MachineError, UsageError

if TYPE_CHECKING:
    import aiosqlite
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver


async def author(briefs: Iterable[Brief], context: AuthoringContext) -> RunSummary:
    """Make candidates from briefs and queue those that pass the gate.

    Equal briefs are done once. A brief with the id of an earlier, different one is refused. Errors that would meet
    every brief (a rejected key, a full disk, a spent budget, failures in a row) end the run early: ``stopped_by``.

    Raises:
        UsageError: another process drives this run.
        MachineError: the run folder cannot be written.
    """
    with context.run.beginning(), context.run.lock(_owner()):
        context.run.store_work(tuple(_take_in(briefs, context)))
        return await _drive(context)


async def resume(context: AuthoringContext) -> RunSummary:
    """Go on with a run that was killed, interrupted or stopped; takes up failed briefs again.

    Raises:
        UsageError: another process drives this run, or it never got its briefs.
        MachineError: the run folder cannot be read or written.
    """
    with context.run.lock(_owner()):
        context.run.artefacts.sweep()
        context.run.work()
        return await _drive(context)


async def repair(order: RepairOrder, context: AuthoringContext) -> BriefOutcome:
    """Have one candidate mended; see :func:`repair_all`.

    Raises:
        BootcampError: what ended the run early; resume it.
    """
    summary = await repair_all([order], context)
    if summary.stopped_by is not None:
        raise summary.stopped_by
    return summary.outcomes[0]


async def repair_all(orders: Sequence[RepairOrder], context: AuthoringContext) -> RunSummary:
    """Have candidates mended: the same workflow, entered at ``repair``. Resumed like any run.

    Raises:
        UsageError: another process drives this run; or two orders are about one brief.
        MachineError: the run folder cannot be written.
    """
    twice = [name for name, count in Counter(order.brief.hash for order in orders).items() if count > 1]
    if twice:
        task = next(order.brief.id for order in orders if order.brief.hash == twice[0])
        raise UsageError("repairing", f"{task} is named twice", "one order for each task")
    with context.run.beginning(), context.run.lock(_owner()):
        put = context.run.artefacts.put_order
        context.run.store_work(tuple(WorkItem(order.brief.hash, order.brief.id, put(order)) for order in orders))
        return await _drive(context)


def _owner() -> str:
    return f"process {os.getpid()}"


def _take_in(briefs: Iterable[Brief], context: AuthoringContext) -> Iterator[WorkItem]:
    ids: dict[str, str] = {}
    hashes: set[str] = set()
    for brief in briefs:
        name = context.run.artefacts.put_brief(brief)
        if name in hashes:
            context.tell(brief.id, None, "brief", "skipped", "the same brief was given before")
            continue
        hashes.add(name)
        if brief.id in ids:
            reason = f"the id {brief.id} belongs to another brief of this run"
            context.run.put_outcome(BriefOutcome(brief.id, name, OutcomeKind.REFUSED, reason))
            context.tell(brief.id, None, "brief", OutcomeKind.REFUSED, reason)
        ids.setdefault(brief.id, name)
        yield WorkItem(name, brief.id)


async def _drive(context: AuthoringContext) -> RunSummary:
    items = context.run.work()
    known = [context.run.outcome(item.brief) for item in items]
    done = sum(outcome is not None and outcome.kind.final for outcome in known)
    context.tell("", None, "run", "started", counted(len(items), "brief"), {"briefs": len(items), "done": done})
    async with _checkpoints(context) as saver:
        from authoring.driver import Driver

        driver = Driver(context, saver)
        try:
            await driver.work_through(items)
        finally:
            await asyncio.to_thread(context.close_boxes)
            await context.author.close()
            if context.roles is not None:
                await context.roles.close()
    outcomes = tuple(driver.outcome(item) for item in items)
    summary = RunSummary(context.run.run_id, outcomes, context.stop.error, context.stop.why)
    context.run.put_summary(summary)
    context.tell("", None, "run", "stopped" if summary.stopped_why else "finished", summary.stopped_why)
    return summary


async def _require_own(connection: aiosqlite.Connection, run: RunFolder) -> None:
    """Mark the checkpoints as of this program.

    Raises:
        UsageError: there are some of another version, whose nodes and states are not these.
    """
    from authoring.graph import checkpoint_version

    async with connection.execute("PRAGMA user_version") as rows:
        written = (await rows.fetchone() or (0,))[0]
    async with connection.execute("SELECT EXISTS (SELECT 1 FROM checkpoints)") as rows:
        kept = (await rows.fetchone() or (0,))[0]
    version = checkpoint_version()
    if kept and written != version:
        raise UsageError(
            f"resuming run {run.run_id}",
            "another version of this program wrote where its unfinished briefs stand",
            f"resume it with that version; or remove {run.root / 'checkpoints.sqlite'}: those briefs then start over, "
            "and what is asked in the same words again is not paid for twice",
        )
    await connection.execute(f"PRAGMA user_version = {version}")


@asynccontextmanager
async def _checkpoints(context: AuthoringContext) -> AsyncIterator[AsyncSqliteSaver]:
    import aiosqlite
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    from authoring.state import serializer

    path = context.run.root / "checkpoints.sqlite"
    try:
        async with aiosqlite.connect(path) as connection:
            # A process killed loses nothing this way; only a power cut may take the last steps, which then run again.
            await connection.execute("PRAGMA synchronous=NORMAL")
            saver = AsyncSqliteSaver(connection, serde=serializer())
            await saver.setup()
            await _require_own(connection, context.run)
            yield saver
    except sqlite3.Error as error:
        do = "free some space if the disk is full; if the file is damaged remove it; then resume the run"
        raise MachineError("keeping checkpoints", f"{path}: {error}", do) from error
