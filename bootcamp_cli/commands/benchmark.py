"""``bootcamp benchmark build|verify|run``: a frozen set of cases, checked, and asked of a model."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bootcamp_cli.asking import (
    CONCURRENCY,
    RESPONSE_TOKENS,
    TIMEOUT_S,
    ConcurrencyOption,
    MaxTokensOption,
    MaxUsdOption,
    ModelOption,
    OutOption,
    PricesOption,
    ResponseTokensOption,
    SamplesOption,
    ScoreOption,
    SystemOption,
    TemperatureOption,
    TimeoutOption,
    WeakSandboxOption,
)
from bootcamp_cli.commands.export import load_tasks
from bootcamp_cli.commands.library import LibraryOption, open_library
from bootcamp_cli.evaluating import begin, find_tasks, open_boxes
from bootcamp_cli.groups import group
from bootcamp_cli.output import NO, JsonFlag, print_json, say, table
from bootcamp_cli.settings import load_settings
from bootcamp_kit import __version__
from bootcamp_kit.counted import counted
from bootcamp_kit.errors import UsageError

if TYPE_CHECKING:
    from bootcamp_cli.settings_model import Settings
    from bootcamp_kit.library import Task
    from evaluation.benchmark import Solve

BenchmarkArgument = Annotated[Path, typer.Argument(metavar="BENCHMARK", help="The benchmark's folder.")]


def build_app() -> typer.Typer:
    """The verb and its sub-verbs."""
    app = group("Build, verify and run a frozen benchmark.")
    app.command("build")(build)
    app.command("verify")(verify)
    app.command("run")(run)
    return app


def build(
    tasks: Annotated[list[str], typer.Argument(help="Task ids, families, or `all`.")],
    out: Annotated[Path, typer.Option("--out", help="The benchmark's folder.")],
    name: Annotated[str, typer.Option(help="Its name; letters, digits, - and _.")],
    version: Annotated[str, typer.Option(help="Its version.")] = "1.0.0",
    levels: Annotated[str | None, typer.Option(help="E.g. 1-3; default: all of a task.")] = None,
    per_level: Annotated[int, typer.Option(help="Items of each task at each level.", min=1)] = 10,
    weight: Annotated[list[str] | None, typer.Option(help="FAMILY=WEIGHT (repeat); default 1 each.")] = None,
    exclude: Annotated[list[Path] | None, typer.Option(help="Exports whose cases must not appear (repeat).")] = None,
    balance: Annotated[
        float | None, typer.Option(help="Largest share of one answer in a level, e.g. 0.5; needs the engine.")
    ] = None,
    allow_licence: Annotated[list[str] | None, typer.Option(help="Take this refused licence after all.")] = None,
    allow_weak_sandbox: WeakSandboxOption = None,
    library: LibraryOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Freeze cases: seeds, payload keys, prompts and hashes. The same library gives the same bytes anywhere."""
    import json

    from evaluation.benchmark import HEAD, Recipe, excluded_marks, write
    from evaluation.benchmark import build as make
    from evaluation.datasheet import seeds_in_words
    from evaluation.plan import parse_levels

    settings = load_settings(library=library, allow_weak_sandbox=allow_weak_sandbox)
    loaded = load_tasks(open_library(settings.library), tasks)
    chosen = tuple(parse_levels(levels)) if levels else None
    weights = dict(_weight(text) for text in weight or [])
    recipe = Recipe(name, version, chosen, per_level, weights, tuple(allow_licence or ()), balance)
    with ExitStack() as stack:
        solve = _solver(settings, loaded, stack) if balance is not None else None
        files = make(loaded, recipe, excluded_marks(exclude or []), solve)
    write(files, out)
    head = json.loads(files[HEAD])
    if as_json:
        print_json({"out": str(out), **head})
        return
    rows = [(task["task_id"], task["family"], str(task["items"]), task["content_hash"][:12]) for task in head["tasks"]]
    table(f"{name} {version}", ("task", "family", "items", "content"), rows)
    say(f"seeds tried: {seeds_in_words(head)}")
    say(f"{counted(head['items'], 'item')}, sha256 {head['items_sha256'][:16]}, in {out}")


def verify(
    benchmark: BenchmarkArgument,
    against: Annotated[list[Path] | None, typer.Option(help="Exports to look for its cases in (repeat).")] = None,
    library: LibraryOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Make every item again and compare; look for its cases in exports. Exit 1 when something differs."""
    from evaluation.benchmark import read
    from evaluation.benchmark_check import verify as differences

    head, items = read(benchmark)
    settings = load_settings(library=library)
    shelf = open_library(settings.library)
    known = {entry.card.id for entry in shelf.scan()[0]}
    tasks = {name: shelf.load(name) for task in head["tasks"] if (name := task["task_id"]) in known}
    found = differences(head, items, tasks, against or [])
    made = [item for item in items if item["task_id"] in tasks]
    ids = {item["id"] for item in items}
    differing = len({item.what for item in found} & ids)
    others = sum(item.what not in ids for item in found)
    if as_json:
        print_json(
            {
                "items": len(items),
                "made_again": len(made),
                "items_that_differ": differing,
                "exports": len(against or []),
                "differences": [{"what": item.what, "found": item.found} for item in found],
            }
        )
    else:
        for item in found:
            typer.echo(f"{item.what}: {item.found}")
        words = (
            f"{len(made)} of {counted(len(items), 'item')} made again, {counted(differing, 'item')} with a difference"
        )
        words += f"; {counted(others, 'difference')} of kit or tasks" if others else ""
        say(f"{head['name']} {head['version']}: {words}")
    if found:
        raise typer.Exit(NO)


def run(
    benchmark: BenchmarkArgument,
    model: ModelOption = None,
    samples: SamplesOption = 1,
    response_tokens: ResponseTokensOption = RESPONSE_TOKENS,
    temperature: TemperatureOption = None,
    system: SystemOption = "",
    score: ScoreOption = "sandbox",
    out: OutOption = None,
    concurrency: ConcurrencyOption = CONCURRENCY,
    timeout: TimeoutOption = TIMEOUT_S,
    max_tokens: MaxTokensOption = None,
    max_usd: MaxUsdOption = None,
    prices: PricesOption = None,
    allow_weak_sandbox: WeakSandboxOption = None,
    library: LibraryOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Ask a model for every item; goes on with `bootcamp evaluate --resume`. Items that changed are not asked."""
    from evaluation.benchmark import benchmark_plan, read
    from evaluation.plan import Sampling

    if model is None:
        raise UsageError("benchmark run", "no model is named", "add --model PROVIDER:MODEL")
    settings = load_settings(
        max_tokens=max_tokens,
        max_usd=max_usd,
        prices=prices,
        library=library,
        allow_weak_sandbox=allow_weak_sandbox,
    )
    head, items = read(benchmark)
    if head["kit_version"] != __version__:
        say(f"built with {head['kit_version']}, this is {__version__}: an item that is made otherwise now is not asked")
    sampling = Sampling(response_tokens, temperature, system)
    plan = benchmark_plan(head, items, model, samples=samples, sampling=sampling, scorer=score)
    folders = find_tasks(settings, [task.task_id for task in plan.tasks])
    for planned, folder in zip(plan.tasks, folders, strict=True):
        if folder.content_hash != planned.content_hash:
            found = f"the library holds {folder.content_hash[:12]}, the benchmark {planned.content_hash[:12]}"
            raise UsageError(f"task {planned.task_id}", found, "use the library the benchmark was built from")
    begin(settings, plan, folders, out=out, timeout_s=timeout, most=concurrency, as_json=as_json)


def _weight(text: str) -> tuple[str, float]:
    family, _, number = text.partition("=")
    try:
        return family, float(number)
    except ValueError as error:
        raise UsageError("--weight", f"{text[:60]!r}", "write FAMILY=NUMBER") from error


def _solver(settings: Settings, tasks: list[Task], stack: ExitStack) -> Solve:
    from bootcamp_kit.jsondata import canonical
    from evaluation.scoring import oracle_answer

    folders = {folder.card.id: folder for folder in find_tasks(settings, [task.card.id for task in tasks])}
    boxes = stack.enter_context(open_boxes(settings, folders, "sandbox"))

    def solve(task: Any, level: int, seed: int) -> str:
        return canonical(oracle_answer(boxes.asker(task.card.id), task.case(level, seed))).decode()

    return solve
