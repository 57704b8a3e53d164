"""``bootcamp runs``: the authoring runs of the state folder, one of them closer, its report, and going on with it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bootcamp_cli.groups import group, require_none_before
from bootcamp_cli.output import JsonFlag, print_json, say, shown, stdout, table
from bootcamp_cli.settings import load_settings
from bootcamp_kit.counted import counted
from bootcamp_kit.errors import MachineError, UsageError

if TYPE_CHECKING:
    from authoring.reporting.facts import RunFacts
    from authoring.runs import RunFolder, RunInfo
    from bootcamp_cli.settings_model import Settings

AGENT = "agent:"
"""Begins the author of a run that a coding agent drives."""
Run = Annotated[str, typer.Argument(help="A run's id, or `last`.")]
PricesFlag = Annotated[Path | None, typer.Option(help="TOML file with a price per model.")]


def build_app() -> typer.Typer:
    """The verbs of runs; without one they are listed."""
    app = group("The authoring runs of the state folder; without a verb: list them.", no_args_is_help=False)
    app.callback(invoke_without_command=True)(_runs)
    app.command("list")(list_)
    app.command("show")(show)
    app.command("report")(report)
    app.command("resume")(resume)
    return app


def _runs(context: typer.Context, as_json: JsonFlag = False) -> None:
    """The authoring runs of the state folder; without a verb: list them."""
    require_none_before(context.invoked_subcommand, "bootcamp runs", as_json=as_json)
    if context.invoked_subcommand is None:
        list_(as_json=as_json)


def list_(as_json: JsonFlag = False) -> None:
    """List authoring runs, oldest first; resume one with `bootcamp runs resume RUN`."""
    from dataclasses import asdict

    from authoring.runs import list_runs

    settings = load_settings()
    found = list_runs(settings.state_dir)
    if as_json:
        print_json(
            [{**asdict(info), "counts": {str(key): value for key, value in info.counts.items()}} for info in found]
        )
        return
    rows = [
        (
            info.run_id,
            info.created,
            info.author,
            info.state,
            str(info.briefs),
            ", ".join(f"{count} {kind}" for kind, count in info.counts.items() if count),
        )
        for info in found
    ]
    table(
        f"{counted(len(found), 'run')} in {settings.state_dir}",
        ("run", "started", "author", "state", "briefs", "outcomes"),
        rows,
    )
    if any(info.state == "unfinished" for info in found):
        say("resume one with: bootcamp runs resume RUN")


def show(run: Run, as_json: JsonFlag = False) -> None:
    """Every brief of a run: how it ended, after how many turns, and why."""
    from dataclasses import asdict

    settings = load_settings()
    facts = _facts(settings, _opened(settings, run))
    if as_json:
        print_json({"run": facts.run_id, "state": facts.state, "briefs": [asdict(ending) for ending in facts.endings]})
        return
    rows = [
        (ending.brief_id, ending.kind, ending.origin, str(ending.turns), ending.reason[:300])
        for ending in facts.endings
    ]
    table(f"run {facts.run_id}, {facts.state}", ("brief", "outcome", "source", "turns", "why"), rows)


def report(
    run: Run,
    html: Annotated[Path | None, typer.Option(help="Write the report with pictures as one HTML file.")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown (the default off a terminal).")] = False,
    prices: PricesFlag = None,
    as_json: JsonFlag = False,
) -> None:
    """What a run came to: funnel by stage, yield by source, cost, why briefs were refused, repairs, time.

    Also for a run that is under way.
    """
    from authoring.reporting.json_form import to_json
    from authoring.reporting.page import page
    from authoring.reporting.words import markdown as in_markdown

    settings = load_settings(prices=prices)
    facts = _facts(settings, _opened(settings, run))
    if html is not None:
        _write(html, page(facts))
        say(f"written: {html}")
    if as_json:
        print_json(to_json(facts))
    elif html is None and stdout().is_terminal and not markdown:
        from rich.markdown import Markdown

        stdout().print(Markdown(shown(in_markdown(facts))))
    elif html is None or markdown:
        typer.echo(shown(in_markdown(facts)), nl=False)


def resume(run: Run, as_json: JsonFlag = False) -> None:
    """Go on with a run that was killed, interrupted or stopped; the same as `bootcamp author --resume RUN`."""
    from authoring.runs import list_runs
    from bootcamp_cli.commands.author import author

    settings = load_settings()
    if run == "last":
        names = [info.run_id for info in list_runs(settings.state_dir) if _waits(info)]
        if not names:
            raise UsageError("runs resume last", "no unfinished run", "see `bootcamp runs`")
        run = names[-1]
    found = _opened(settings, run)
    if str(found.record["author"]).startswith(AGENT):
        raise UsageError(f"resuming run {run}", "a coding agent drives it", f"register: bootcamp mcp --resume {run}")
    author(resume=run, as_json=as_json)


def _waits(info: RunInfo) -> bool:
    return info.state == "unfinished" and bool(info.briefs) and not info.author.startswith(AGENT)


def _opened(settings: Settings, name: str) -> RunFolder:
    from authoring.runs import RunFolder, list_runs

    if name != "last":
        return RunFolder.open(settings.state_dir, name)
    found = [info.run_id for info in list_runs(settings.state_dir)]
    if not found:
        raise UsageError("run last", f"no run in {settings.state_dir}", "start one: bootcamp author BRIEF…")
    return RunFolder.open(settings.state_dir, found[-1])


def _facts(settings: Settings, run: RunFolder) -> RunFacts:
    from contextlib import closing

    from authoring.reporting.facts import read_run
    from bootcamp_cli.authors import open_ledger

    recorded = run.config.get("prices")
    if settings.prices is None and isinstance(recorded, str) and Path(recorded).is_file():
        settings = settings.model_copy(update={"prices": Path(recorded)})
    with closing(open_ledger(settings, run.run_id)) as ledger:
        return read_run(run, ledger.summary())


def _write(path: Path, text: str) -> None:
    """Whole or not at all."""
    building = path.with_name(f".{path.name}.writing")
    try:
        building.write_text(text, "utf-8")
        building.replace(path)
    except OSError as error:
        raise MachineError(f"writing {path}", str(error.strerror or error), "choose another place") from error
