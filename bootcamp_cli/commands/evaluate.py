"""``bootcamp evaluate``: ask a model, score, store; and ``rescore``, ``compare`` and ``show`` on what is stored."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
from bootcamp_cli.evaluating import (
    begin,
    execute,
    find_run,
    find_tasks,
    finish,
    named_model,
    new_run,
    open_boxes,
    print_summary,
)
from bootcamp_cli.foreign_tasks import ForeignOption, open_foreign
from bootcamp_cli.groups import VerbGroup, group
from bootcamp_cli.output import NO, JsonFlag, print_json, say, shown, table
from bootcamp_cli.settings import load_settings
from bootcamp_kit.errors import UsageError

if TYPE_CHECKING:
    from bootcamp_cli.settings_model import Settings
    from bootcamp_kit.folder import TaskFolder
    from evaluation.boxes import Boxes
    from evaluation.compare import Comparison
    from evaluation.store import RunStore


FLIPS_SHOWN = 50


class _RunByDefault(VerbGroup):
    """``evaluate TASK…`` is ``evaluate run TASK…``."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        if args and args[0] not in self.commands and args[0] != "--help":
            args = ["run", *args]
        return super().parse_args(ctx, args)


def build_app() -> typer.Typer:
    """The verb and its sub-verbs; a task's name in the place of a sub-verb runs it."""
    words = (
        "Evaluate a model: `evaluate TASK… --model SPEC` (its options: `evaluate run --help`), or look at stored runs."
    )
    app = group(words, cls=_RunByDefault)
    app.command("run")(run)
    app.command("rescore")(rescore)
    app.command("compare")(compare)
    app.command("show")(show)
    return app


def run(
    tasks: Annotated[list[str] | None, typer.Argument(help="Task ids, families, `all`, folders, queue items.")] = None,
    model: ModelOption = None,
    levels: Annotated[str | None, typer.Option(help="E.g. 1-3 or 1,4; default: all of a task.")] = None,
    seeds: Annotated[str, typer.Option(help="Cases per task and level: a number, or START:END.")] = "20",
    samples: SamplesOption = 1,
    response_tokens: ResponseTokensOption = RESPONSE_TOKENS,
    temperature: TemperatureOption = None,
    system: SystemOption = "",
    score: ScoreOption = "sandbox",
    foreign: ForeignOption = None,
    out: OutOption = None,
    resume: Annotated[str | None, typer.Option(help="Go on with this run: folder, id or `last`.")] = None,
    concurrency: ConcurrencyOption = CONCURRENCY,
    timeout: TimeoutOption = TIMEOUT_S,
    max_tokens: MaxTokensOption = None,
    max_usd: MaxUsdOption = None,
    prices: PricesOption = None,
    allow_weak_sandbox: WeakSandboxOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Ask a model for every case of tasks × levels × seeds, score each response, store all of it.

    Exit 0 when every rollout has a score, 1 when some are unscored. A killed run goes on with --resume; no answered
    call is paid twice.
    """
    from evaluation.plan import FOREIGN as ORIGIN
    from evaluation.plan import EvaluationPlan, Sampling, grid, parse_levels, parse_seeds
    from evaluation.store import RunStore

    settings = load_settings(
        max_tokens=max_tokens, max_usd=max_usd, prices=prices, allow_weak_sandbox=allow_weak_sandbox
    )
    if resume is not None:
        if tasks or model is not None:
            raise UsageError("evaluate --resume", "tasks or a model are named as well", "a run knows them: leave them")
        with RunStore.open(find_run(settings, resume), write=True) as store:
            asked = named_model(settings, store.plan.model, timeout)
            execute(settings, store, asked, most=concurrency, as_json=as_json)
        return
    if model is None:
        raise UsageError("evaluate", "no model is named", "add --model PROVIDER:MODEL")
    start, end = parse_seeds(seeds)
    sampling = Sampling(response_tokens, temperature, system)
    with ExitStack() as stack:
        boxes, origin = None, ""
        if foreign is None:
            folders = find_tasks(settings, tasks or [])
        else:
            library = stack.enter_context(open_foreign(settings, foreign))
            folders, origin = library.choose(tasks or []), f"{ORIGIN}{foreign}"
            boxes = stack.enter_context(library.boxes({folder.card.id: folder for folder in folders}))
        planned = grid(folders, parse_levels(levels) if levels else None, range(start, end or 0))
        plan = EvaluationPlan(planned, model, samples, sampling, score, origin=origin)
        begin(settings, plan, folders, out=out, timeout_s=timeout, most=concurrency, as_json=as_json, boxes=boxes)


def rescore(
    run_name: Annotated[str, typer.Argument(metavar="RUN", help="Folder, id or `last`.")],
    task: Annotated[list[str] | None, typer.Option(help="Use this folder or item in place of the merged task.")] = None,
    score: ScoreOption = "sandbox",
    foreign: ForeignOption = None,
    out: OutOption = None,
    allow_weak_sandbox: WeakSandboxOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Judge a run's stored responses with the tasks as they are now, into a new run; asks no model.

    A run over another library is judged by the folders it was made from, or by those that --foreign names now. Exit 0
    when every response has a score, 1 when some are unscored.
    """
    from evaluation.rescore import flips, rescore_plan
    from evaluation.rescore import rescore as rescore_run
    from evaluation.store import RunStore

    settings = load_settings(allow_weak_sandbox=allow_weak_sandbox)
    with RunStore.open(find_run(settings, run_name)) as old, ExitStack() as stack:
        folders, boxes, origin = _judges(settings, stack, old, foreign=foreign, tasks=task or [], score=score)
        plan = rescore_plan(old, folders, scorer=score, origin=origin)
        place = new_run(settings, plan, out)
        new = RunStore.open(place, write=True) if (place / "plan.json").exists() else RunStore.create(place, plan)
        store = stack.enter_context(new)
        if store.plan != plan:
            raise UsageError(f"rescoring into {place}", "it holds another run", "choose another --out")
        store.keep_tasks(folders)
        with boxes if boxes is not None else open_boxes(settings, folders, score) as judging:
            rescore_run(old, store, judging, lambda done, total: None)
        summary, changed = finish(store), flips(old, store)
        if as_json:
            print_json({"run": str(store.folder), **summary.to_json(), "flips": [asdict(flip) for flip in changed]})
        else:
            print_summary(store, summary)
            rows = [(flip.rollout, flip.before, flip.after) for flip in changed[:FLIPS_SHOWN]]
            table(f"{len(changed)} of {len(store.lines)} verdicts changed", ("rollout", "before", "now"), rows)
        say(f"against the old scores: bootcamp evaluate compare {old.folder} {place}")
    if summary.total.unscored:
        raise typer.Exit(NO)


def _judges(
    settings: Settings, stack: ExitStack, old: RunStore, *, foreign: str | None, tasks: list[str], score: str
) -> tuple[dict[str, TaskFolder], Boxes | None, str]:
    """The tasks of now for every task of a run; for a foreign run also what runs them, and the new run's origin."""
    from evaluation.plan import FOREIGN as ORIGIN

    wanted = [item.task_id for item in old.plan.tasks]
    if not old.plan.origin.startswith(ORIGIN):
        if foreign is not None:
            raise UsageError("rescore --foreign", "the run is over our own tasks", "leave it out, or use --task")
        given = {folder.card.id: folder for folder in find_tasks(settings, tasks)}
        missing = [name for name in wanted if name not in given]
        return {**given, **{folder.card.id: folder for folder in find_tasks(settings, missing)}}, None, ""
    if tasks or score != "sandbox":
        found = "--task names one of ours" if tasks else "its code never runs outside the sandbox"
        raise UsageError("rescore", f"the run is over a foreign library: {found}", "leave it out; see --foreign")
    asked = foreign or old.plan.origin.removeprefix(ORIGIN)
    library = stack.enter_context(open_foreign(settings, asked))
    folders = {folder.card.id: folder for folder in library.choose(wanted)}
    return folders, library.boxes(folders), f"{ORIGIN}{asked}"


def compare(
    a: Annotated[str, typer.Argument(help="Run A: folder, id or `last`.")],
    b: Annotated[str, typer.Argument(help="Run B.")],
    page: Annotated[Path | None, typer.Option(help="Write the page here as well.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Compare two runs on the cases that both scored: paired differences, intervals, McNemar's exact test."""
    from evaluation.compare import compare as compare_lines
    from evaluation.page import comparison_page, write_page
    from evaluation.store import RunStore

    settings = load_settings()
    with RunStore.open(find_run(settings, a)) as left, RunStore.open(find_run(settings, b)) as right:
        found = compare_lines(left.lines, right.lines)
        if page is not None:
            name_a, name_b = (f"{store.plan.model} ({store.folder.name})" for store in (left, right))
            write_page(page, comparison_page(name_a, name_b, found))
            say(f"page: {page}")
    if as_json:
        print_json(found.to_json())
    else:
        _print_comparison(found)


def _print_comparison(found: Comparison) -> None:
    from evaluation.compare import in_words

    rows = [
        (
            row.name,
            str(row.cases),
            f"{row.mean_a:.3f}",
            f"{row.mean_b:.3f}",
            f"{row.difference.value:+.3f}",
            in_words(row.difference),
        )
        for row in (*found.tasks, found.total)
    ]
    table("A against B", ("task", "cases", "A", "B", "B - A", "95 %"), rows)
    test = found.test
    say(f"McNemar: only A right {test.only_a}, only B right {test.only_b}, p = {test.p_value:.3g}")
    say(f"not compared: {found.only_in_a} only in A, {found.only_in_b} only in B, {found.changed} of other contents")


def show(
    run_name: Annotated[str, typer.Argument(metavar="RUN", help="Folder, id or `last`.")],
    rollout: Annotated[str | None, typer.Argument(help="TASK/LEVEL/SEED/SAMPLE.")] = None,
    outcome: Annotated[str | None, typer.Option(help="List rollouts of this outcome or unscored reason.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Show a run's tables, or one rollout whole."""
    from bootcamp_kit.case import Outcome
    from evaluation.scoring import Unscored
    from evaluation.store import RunStore
    from evaluation.summary import summarise

    known = [item.value for item in (*Outcome, *Unscored)]
    if outcome is not None and outcome not in known:
        raise UsageError("show --outcome", f"{outcome[:40]!r}", f"use one of {', '.join(known)}")
    settings = load_settings()
    with RunStore.open(find_run(settings, run_name)) as store:
        if rollout is not None:
            _show_rollout(store, rollout, as_json=as_json)
        elif outcome is not None:
            lines = [line for line in store.lines if outcome in (line.outcome, line.unscored)]
            if as_json:
                print_json([asdict(line) for line in lines])
            else:
                cells = [(line.id, str(line.value), line.outcome or line.unscored, line.stop) for line in lines]
                table(f"{len(lines)} {outcome}", ("rollout", "score", "outcome", "stop"), cells)
        else:
            summary = summarise(store.plan, store.lines)
            if as_json:
                print_json({"run": str(store.folder), **summary.to_json()})
            else:
                print_summary(store, summary)


def _show_rollout(store: RunStore, name: str, *, as_json: bool) -> None:
    line = store.find(name)
    if line is None:
        raise UsageError(
            f"rollout {name[:100]!r}", "not in the run", "TASK/LEVEL/SEED/SAMPLE; see `show RUN --outcome wrong`"
        )
    found = store.read(line)
    prompt = store.prompt(found.prompt_hash) or ""
    if as_json:
        print_json({**asdict(found), "prompt": prompt})
        return
    facts = {key: value for key, value in asdict(found).items() if key not in ("response", "answer")}
    table(found.id, ("key", "value"), [(key, str(value)) for key, value in {**facts, "answer": found.answer}.items()])
    response = "(none)" if found.response is None else found.response or "(empty)"
    for title, text in (("prompt", prompt), ("response", response)):
        typer.echo(shown(f"\n--- {title}\n{text.encode('utf-8', 'replace').decode()}"))
