"""``bootcamp export``: cases of merged tasks as training or evaluation data."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bootcamp_cli.commands.library import LibraryOption, chosen, open_library
from bootcamp_cli.foreign_tasks import UNKNOWN, ForeignOption, LicenceOption, open_foreign
from bootcamp_cli.output import NO, JsonFlag, print_json, say, table
from bootcamp_cli.progress import spinner
from bootcamp_cli.settings import load_settings
from bootcamp_kit.counted import counted
from bootcamp_kit.errors import UsageError
from bootcamp_kit.library import ENVIRONMENT_KEY, Library

if TYPE_CHECKING:
    from bootcamp_cli.settings_model import Settings
    from bootcamp_kit.library import Task
    from evaluation.export.items import Counts
    from evaluation.export.run import Order

STDOUT = "-"


def export(
    tasks: Annotated[list[str] | None, typer.Argument(help="Task ids, families, or `all`.")] = None,
    to: Annotated[str, typer.Option("--to", help="Format; `--to list` shows them.")] = "jsonl",
    out: Annotated[str | None, typer.Option("--out", help="Folder of the shards; `-` streams to stdout.")] = None,
    levels: Annotated[str | None, typer.Option(help="E.g. 1-3 or 1,4; default: all of a task.")] = None,
    seeds: Annotated[
        str | None, typer.Option(help="START:END, a number, or START: for no end; default 0:1000.")
    ] = None,
    mix: Annotated[Path | None, typer.Option(help="Draw cases as this file says (docs/training.md).")] = None,
    rows: Annotated[int | None, typer.Option(help="With --mix: so many rows.", min=1)] = None,
    mix_state: Annotated[
        Path | None, typer.Option(help="With --mix: go on from this file and keep it; see `bootcamp mix`.")
    ] = None,
    per_level: Annotated[int | None, typer.Option(help="Stop a level after so many distinct cases.", min=1)] = None,
    split: Annotated[str, typer.Option(help="Written into every row.")] = "train",
    exclude: Annotated[
        list[Path] | None, typer.Option(help="Exports or benchmarks whose cases must not appear (repeat).")
    ] = None,
    rows_per_shard: Annotated[int, typer.Option(help="Rows of a shard.", min=1)] = 50_000,
    allow_licence: Annotated[list[str] | None, typer.Option(help="Export this refused licence after all.")] = None,
    foreign: ForeignOption = None,
    foreign_licence: LicenceOption = UNKNOWN,
    library: LibraryOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Write distinct cases with prompt, licence and lineage; every seed asked for is accounted for.

    Exit 0 when no seed failed and no level came up short, else 1.
    """
    if to == "list":
        _list_formats(as_json=as_json)
        return
    if out is None:
        raise UsageError("export", "no place is named", "add --out FOLDER, or --out - to stream")
    with ExitStack() as stack:
        settings = load_settings(library=library)
        if foreign is None:
            loaded = load_tasks(open_library(settings.library), tasks or [])
        else:
            loaded = _sandboxed(stack, settings, foreign, foreign_licence, tasks or [])
        order = _order(to, levels, seeds, per_level, split, exclude or [], rows_per_shard, allow_licence or [])
        if mix is not None or rows is not None or mix_state is not None:
            order = _mixed(order, loaded, mix, rows, mix_state, seeds)
        if out == STDOUT:
            if mix_state is not None:
                raise UsageError("export --mix-state", "--out - as well", "a stream may be broken off: give a folder")
            _leave(_stream(loaded, order), order.selection.end)
            return
        from evaluation.export.formats import find_format
        from evaluation.export.items import Counts
        from evaluation.export.run import export as write

        with spinner(f"exporting {counted(len(loaded), 'task')} to {to}") as tell:
            try:
                manifest = write(loaded, order, Path(out), lambda counts: tell(counted(counts.written, "row")))
            except KeyboardInterrupt as error:
                say("\n".join(getattr(error, "__notes__", ["nothing was exported"])))
                raise
        _keep(order, loaded, mix_state)
        counts = Counts(**manifest["counts"])
        if as_json:
            print_json({"out": out, **manifest})
        else:
            table(f"export to {out}", ("shard", "rows", "sha256"), [_cells(shard) for shard in manifest["shards"]])
            if hint := find_format(to).hint:
                say(f"use it: {hint.replace('PATH', out)}")
            if foreign is None and (needed := _library_to_name(settings)):
                say(f"where responses are scored: export {needed} (bootcamp.toml is read by commands only)")
        _leave(counts, order.selection.end)


def _library_to_name(settings: Settings) -> str:
    """What Python that scores has to be told, where it would look into another library; or ""."""
    used = open_library(settings.library).root.resolve()
    try:
        same = Library.default().root.resolve() == used
    except UsageError:  # none is installed
        same = False
    return "" if same else f"{ENVIRONMENT_KEY}={shlex.quote(str(used))}"


def _sandboxed(stack: ExitStack, settings: Settings, foreign: str, licence: str, names: Sequence[str]) -> list[Any]:
    """Foreign tasks whose cases are made in the sandbox, for as long as the stack is open."""
    from evaluation.foreign import SandboxedTask

    found = stack.enter_context(open_foreign(settings, foreign, licence))
    folders = found.choose(names)
    boxes = stack.enter_context(found.boxes({folder.card.id: folder for folder in folders}))
    return [SandboxedTask(folder, boxes) for folder in folders]


def load_tasks(library: Library, names: Sequence[str]) -> list[Task]:
    """Approved tasks by id; ``all`` or a family's name stands for its tasks that are not retired.

    Raises:
        UsageError: nothing of that name, nothing but retired tasks in a group, or a task is not approved as it is.
    """
    found: dict[str, Task] = {}
    for meant in chosen(library, names):
        task_id = meant if isinstance(meant, str) else meant.card.id
        if task_id not in found:
            found[task_id] = library.load(task_id)
    return list(found.values())


def _order(
    to: str,
    levels: str | None,
    seeds: str | None,
    per_level: int | None,
    split: str,
    exclude: Sequence[Path],
    rows_per_shard: int,
    allowed: Sequence[str],
) -> Order:
    from evaluation.benchmark import excluded_marks
    from evaluation.export.items import Selection
    from evaluation.export.run import Order
    from evaluation.plan import parse_levels, parse_seeds

    start, end = parse_seeds(seeds if seeds is not None else "0:1000", open_end=True)
    chosen = tuple(parse_levels(levels)) if levels else None
    selection = Selection(chosen, start, end, per_level, frozenset(excluded_marks(exclude)))
    return Order(to, selection, split, tuple(allowed), rows_per_shard)


def _mixed(
    order: Order, tasks: Sequence[Task], mix: Path | None, rows: int | None, state: Path | None, seeds: str | None
) -> Order:
    from dataclasses import replace

    from evaluation.curriculum import Mix
    from evaluation.mixing import open_curriculum
    from evaluation.plan import parse_seeds

    if mix is None:
        raise UsageError("export", "--rows or --mix-state without --mix", "add --mix FILE")
    if order.selection.levels is not None or order.selection.per_level is not None:
        raise UsageError("export --mix", "--levels or --per-level as well", "levels are the mix's: leave them out")
    start, end = parse_seeds(seeds if seeds is not None else "0:", open_end=True)
    if end is not None:
        raise UsageError("export --mix", "the seeds have an end", "give START: and --rows N")
    curriculum = open_curriculum(state, [task.card for task in tasks], Mix.read(mix), first_seed=start)
    return replace(order, selection=replace(order.selection, start=start, end=None), mix=curriculum, rows=rows)


def _keep(order: Order, tasks: Sequence[Task], state: Path | None) -> None:
    """A mix goes on from here; not after an export that was broken off, whose draws are then made again."""
    from evaluation.mixing import save

    if order.mix is not None and state is not None:
        save(state, order.mix, [task.card.id for task in tasks], first_seed=order.selection.start)


def _stream(tasks: Sequence[Task], order: Order) -> Counts:
    from evaluation.export.items import Counts
    from evaluation.export.run import stream

    counts = Counts()
    try:
        with os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=1 << 20) as pipe:
            stream(tasks, order, pipe, counts)
    except BrokenPipeError:
        say("the reader closed the pipe; of the rows counted here it may have missed the last megabyte")
    except (OSError, KeyboardInterrupt):
        say(f"{counts.words}; of these rows the last megabyte may be missing")
        raise
    return counts


def _leave(counts: Counts, end: int | None) -> None:
    failed = sum(counts.failed.values())
    say(counts.words)
    for name, number in sorted(counts.failed.items()):
        say(f"failed: {number} × {name}")
    for name, number in sorted(counts.short.items()):
        say(f"short: {name} has {number} distinct cases too few{f' below seed {end}' if end is not None else ''}")
    if failed or counts.short:
        raise typer.Exit(NO)


def _cells(shard: dict[str, Any]) -> tuple[str, str, str]:
    return shard["name"], str(shard["rows"]), shard["sha256"]


def _list_formats(*, as_json: bool) -> None:
    from evaluation.export.formats import MODULES, find_format

    found = {name: find_format(name) for name in MODULES}
    if as_json:
        print_json({name: {"rewards": dict(form.mapping), "hint": form.hint} for name, form in found.items()})
        return
    words = ("correct", "partial", "wrong", "malformed", "unscored")
    rows = [(name, form.opener.suffix, *(form.mapping.get(word, "") for word in words)) for name, form in found.items()]
    table("formats, and what the trainer gets", ("format", "file", *words), rows)
