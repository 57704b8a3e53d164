"""What `evaluate` and `benchmark run` share: tasks by name, runs by name, a run with its progress, its tables."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from bootcamp_cli.authors import open_ledger
from bootcamp_cli.commands.library import chosen, open_library
from bootcamp_cli.foreign_tasks import open_foreign
from bootcamp_cli.machine import open_sandbox
from bootcamp_cli.output import NO, print_json, say, stderr, table
from bootcamp_cli.roles import model_options
from bootcamp_cli.targets import resolve
from bootcamp_cli.tracing import traced_model
from bootcamp_kit.counted import counted
from bootcamp_kit.errors import BootcampError, MachineError, UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.library import approved_hash

if TYPE_CHECKING:
    from bootcamp_cli.settings_model import Settings
    from chat_models.protocol import ChatModel
    from evaluation.boxes import Boxes
    from evaluation.plan import EvaluationPlan
    from evaluation.rollouts import Progress
    from evaluation.store import IndexLine, RunStore
    from evaluation.summary import Row, Summary

MAX_DETAIL = 300
EVERY_S = 10.0
"""Seconds between two lines of progress off a terminal."""


def find_tasks(settings: Settings, names: Sequence[str]) -> list[TaskFolder]:
    """Tasks by id, folder or queue item; ``all`` or a family's name stands for its tasks that are not retired.

    Raises:
        UsageError: nothing of that name, or nothing but retired tasks in a group.
    """
    found: list[TaskFolder] = []
    for meant in chosen(open_library(settings.library), names, paths_first=True):
        # A candidate that waits under a merged task's id is meant by its reference, never by the bare id.
        found.append(resolve(settings, meant).folder if isinstance(meant, str) else TaskFolder.read(meant.path))
    return found


def require_approved(settings: Settings, folders: Sequence[TaskFolder]) -> None:
    """Only bytes that a person approved may run outside the sandbox.

    Raises:
        UsageError: one is not merged, or differs from what was approved.
    """
    entries = {entry.card.id: entry for entry in open_library(settings.library).scan()[0]}
    for folder in folders:
        entry = entries.get(folder.card.id)
        if entry is None or approved_hash(entry.path) != folder.content_hash:
            raise UsageError(
                f"task {folder.card.id} outside the sandbox",
                "these bytes are not approved in the library",
                "use --score sandbox, or have it reviewed and merged",
            )


def find_run(settings: Settings, name: str) -> Path:
    """A run's folder: a path, an id under the state folder, or ``last``.

    Raises:
        UsageError: there is none.
    """
    shelf = settings.state_dir / "evaluations"
    if name == "last":
        runs = sorted(path for path in shelf.glob("*") if (path / "plan.json").exists())
        if not runs:
            raise UsageError("run last", f"no run in {shelf}", "make one: bootcamp evaluate TASK --model SPEC")
        return runs[-1]
    for path in (Path(name), shelf / name):
        if (path / "plan.json").exists():
            return path
    found = f"not a run's folder, and none of that name in {shelf}"
    raise UsageError(f"run {name[:100]!r}", found, "name a run's folder, a name of one in there, or `last`")


def new_run(settings: Settings, plan: EvaluationPlan, out: Path | None) -> Path:
    """Where a new run goes."""
    name = f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{plan.hash[:6]}"
    return out if out is not None else settings.state_dir / "evaluations" / name


@contextmanager
def open_boxes(settings: Settings, folders: Mapping[str, TaskFolder], scorer: str, origin: str = "") -> Iterator[Boxes]:
    """Where the tasks' code runs.

    Raises:
        UsageError: ``process``, and a task is not approved; or a foreign library that is another one now.
        MachineError: ``sandbox``, and there is no engine.
    """
    from evaluation.boxes import Boxes
    from evaluation.plan import FOREIGN

    if origin.startswith(FOREIGN):
        with open_foreign(settings, origin.removeprefix(FOREIGN)) as library, library.boxes(folders) as boxes:
            yield boxes
        return
    if scorer == "process":
        require_approved(settings, list(folders.values()))
        with Boxes(folders, None) as boxes:
            yield boxes
        return
    with open_sandbox(settings) as sandbox, Boxes(folders, sandbox) as boxes:
        yield boxes


def named_model(settings: Settings, spec: str, timeout_s: float) -> ChatModel:
    """The model of a spec; opened before a run is made, so that a bad spec leaves none behind.

    Raises:
        UsageError: no such provider, its key is missing, or a time-out is out of range.
    """
    from chat_models.providers import open_model

    return open_model(spec, environ=os.environ, options=replace(model_options(settings), deadline_s=timeout_s))


def begin(
    settings: Settings,
    plan: EvaluationPlan,
    folders: Sequence[TaskFolder],
    *,
    out: Path | None,
    timeout_s: float,
    most: int,
    as_json: bool,
    boxes: Boxes | None = None,
) -> None:
    """Make a new run of a plan and do it; nothing is left behind when the plan cannot be run.

    Raises:
        UsageError: scored outside the sandbox and not approved; no such model.
    """
    from evaluation.store import RunStore

    if plan.scorer == "process":
        require_approved(settings, folders)
    asked = named_model(settings, plan.model, timeout_s)
    with RunStore.create(new_run(settings, plan, out), plan) as store:
        store.keep_tasks({folder.card.id: folder for folder in folders})
        execute(settings, store, asked, most=most, as_json=as_json, boxes=boxes)


def execute(
    settings: Settings, store: RunStore, model: ChatModel, *, most: int, as_json: bool, boxes: Boxes | None = None
) -> None:
    """Do what is left of a run; write its page; print its tables; leave with its exit code."""
    import asyncio

    from chat_models.cache import CachedModel
    from evaluation.rollouts import run

    say(f"run {store.folder.name} · {counted(store.plan.total, 'rollout')} · {store.plan.model} · {store.folder}")
    say(f"if it is stopped, go on with: bootcamp evaluate --resume {store.folder}")
    with closing(open_ledger(settings, store.folder.name)) as ledger:

        async def drive() -> BootcampError | None:
            address = str(getattr(model, "address", ""))  # two servers may call different models alike
            asked = CachedModel(traced_model(model, settings), ledger, role="evaluate", address=address)
            try:
                with ExitStack() as stack:
                    plan = store.plan
                    opened = boxes or stack.enter_context(open_boxes(settings, store.tasks(), plan.scorer, plan.origin))
                    listener = stack.enter_context(progress())
                    return await run(store, asked, opened, most=most, listener=listener)
            finally:
                await asked.close()

        try:
            stopped = asyncio.run(drive())
        except KeyboardInterrupt:
            say(f"{len(store.lines)} of {store.plan.total} rollouts are stored")
            raise
        except OSError as error:
            found = f"{error.strerror or error}; {len(store.lines)} of {store.plan.total} rollouts are stored"
            do = f"mend it, then: bootcamp evaluate --resume {store.folder}"
            raise MachineError(f"run {store.folder.name}", found, do) from error
        spent = ledger.summary()
    summary = finish(store)
    if as_json:
        print_json({"run": str(store.folder), "spent": spent.to_json(), **summary.to_json()})
    else:
        print_summary(store, summary)
        cost = f", ${spent.usd:.4f}" if spent.usd else ""
        kept = f", {spent.cached_calls} answered from what the same server said before" if spent.cached_calls else ""
        say(f"{counted(spent.paid_calls, 'paid call')}, {spent.tokens} tokens{cost}{kept}")
    if stopped:
        raise stopped
    if summary.total.unscored:
        raise typer.Exit(NO)


def finish(store: RunStore) -> Summary:
    """Write ``report.html`` and ``summary.json`` of a run."""
    import json

    from evaluation.page import run_page, write_page
    from evaluation.summary import summarise

    lines = store.lines
    summary = summarise(store.plan, lines)
    chosen: dict[tuple[str, str], IndexLine] = {}
    for line in lines:
        chosen.setdefault((line.task_id, line.outcome or line.unscored), line)
    samples = [store.read(line) for line in list(chosen.values())[:24]]
    wanted = {item.prompt_hash for item in samples}
    prompts = {known: prompt for known, prompt in store.prompts() if known in wanted}
    page = run_page(summary, [(item, prompts.get(item.prompt_hash, "")) for item in samples])
    write_page(store.folder / "report.html", page)
    write_page(store.folder / "summary.json", json.dumps(summary.to_json(), indent=1, sort_keys=True) + "\n")
    return summary


def print_summary(store: RunStore, summary: Summary) -> None:
    """The tables of a run on stdout."""
    from evaluation.scoring import Unscored

    columns = ("task", "score", "95 %", "correct", "partial", "wrong", "malformed", "unscored", "missing", "cases")
    rows = [_cells(row) for row in (*summary.tasks, summary.total)]
    table(f"run {store.folder.name}", columns, rows)
    if len(summary.levels) > 1:
        table("by level", ("level", *columns[1:]), [_cells(row) for row in summary.levels])
    if len(summary.families) > 1:
        table("by family", ("family", *columns[1:]), [_cells(row) for row in summary.families])
    total = summary.total
    if summary.weighted is not None:
        say(f"weighted by family: {summary.weighted:.4f}")
    if total.passes:
        say(", ".join(f"pass@{k} {value:.3f}" for k, value in total.passes.items()))
    in_all = total.scored + sum(total.unscored.values()) + total.missing
    parts = [f"{total.scored} scored", *(f"{count} unscored: {why}" for why, count in total.unscored.items())]
    say(f"{total.planned} planned = {' + '.join([*parts, f'{total.missing} missing'])} (sum {in_all})")
    for why in total.unscored:
        first = next(line for line in store.lines if line.unscored == why)
        say(f"unscored, {why}: {first.id}: {store.read(first).detail.partition(chr(10))[0][:MAX_DETAIL]}")
    if any(Unscored(why).passing for why in total.unscored):
        say(f"to ask again where provider or machine failed: bootcamp evaluate --resume {store.folder}")
    say(f"page: {store.folder / 'report.html'}")


def _cells(row: Row) -> tuple[str, ...]:
    value = row.score.value
    return (
        row.name,
        f"{value:.3f}" if value == value else "–",
        f"{row.score.low:.3f}–{row.score.high:.3f}",
        *map(str, row.outcomes.values()),
        str(sum(row.unscored.values())),
        str(row.missing),
        str(row.cases),
    )


@contextmanager
def progress() -> Iterator[Callable[[Progress], None]]:
    """A live bar on a terminal; a plain line now and then elsewhere."""
    if not sys.stderr.isatty():
        yield _Plain()
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns: list[Any] = [TextColumn("rollouts"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
    with Bar(*columns, TextColumn("{task.fields[words]}"), console=stderr()) as bar:
        task = bar.add_task("", total=None, words="")
        yield lambda now: bar.update(task, total=now.total, completed=now.done, words=_words(now))


class _Plain:
    def __init__(self) -> None:
        self.last = time.monotonic()
        self.ended = False

    def __call__(self, now: Progress) -> None:
        ended = now.done == now.total and now.done > now.already and not self.ended
        if ended or time.monotonic() - self.last >= EVERY_S:
            self.last, self.ended = time.monotonic(), ended
            say(f"{now.done}/{now.total} rollouts · {_words(now)}")


def _words(now: Progress) -> str:
    share = f"{now.correct / now.scored:.1%} right" if now.scored else "none scored"
    return f"{share} · {now.unscored} unscored · {now.under_way} at once · {now.output_tokens:,} tokens out"
