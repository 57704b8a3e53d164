"""``bootcamp author``: briefs in, measured candidates into the review queue."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bootcamp_cli.authors import require_usable
from bootcamp_cli.dry_run import show_briefs, show_formats
from bootcamp_cli.interrupts import INTERRUPTED, leaving_at_once
from bootcamp_cli.machine import open_queue, open_sandbox
from bootcamp_cli.output import NO, JsonFlag, print_json, say, table, tell_error
from bootcamp_cli.reading import read_paths
from bootcamp_cli.replacing import tell_licences, tell_versions
from bootcamp_cli.roles import read_roles, specs_of
from bootcamp_cli.settings import load_settings
from bootcamp_kit.brief import Brief
from bootcamp_kit.counted import counted
from bootcamp_kit.errors import MachineError, UsageError

if TYPE_CHECKING:
    from authoring.outcomes import RunSummary
    from authoring.runs import RunFolder
    from authoring.sources.read import Problem
    from bootcamp_cli.settings_model import Settings
    from bootcamp_kit.report import Report
    from sandbox.service import Sandbox

AuthorFlag = Annotated[
    str | None,
    typer.Option("--author", help="compiler | openai:MODEL | anthropic:MODEL | local:URL#MODEL. Default: compiler."),
]


def author(
    briefs: Annotated[
        list[Path] | None, typer.Argument(help="Files, folders or packages of briefs; see authoring/sources/README.md.")
    ] = None,
    author: AuthorFlag = None,
    assist: Annotated[
        str | None, typer.Option(help="A model that writes input formats which the compiler cannot read.")
    ] = None,
    resume: Annotated[str | None, typer.Option(help="Go on with this run (`last`: the newest unfinished one).")] = None,
    replaces: Annotated[
        str | None, typer.Option(help="The task of the library that the one brief is a new version of.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what was read; make nothing.")] = False,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Show how the compiler reads each input (--json: the format); make nothing."),
    ] = False,
    candidates: Annotated[int | None, typer.Option(help="Parallel candidates per brief (model authors).")] = None,
    temperature: Annotated[
        list[float] | None, typer.Option(help="Of drafts, 0 to 2; given several times, in turn over the candidates.")
    ] = None,
    repairs: Annotated[int | None, typer.Option(help="Repair rounds per candidate.")] = None,
    parallel: Annotated[int | None, typer.Option(help="Briefs in work at once.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Stop when the run has used this many tokens.")] = None,
    max_usd: Annotated[float | None, typer.Option(help="Stop when the run has cost this much; needs --prices.")] = None,
    max_minutes: Annotated[float | None, typer.Option(help="Stop when this many minutes are over.")] = None,
    prices: Annotated[Path | None, typer.Option(help="TOML file with a price per model.")] = None,
    role: Annotated[
        list[str] | None,
        typer.Option(help="ROLE=MODEL for analyst, opponent, attacker, solver or author; default: the author's model."),
    ] = None,
    stages: Annotated[
        str | None, typer.Option(help="all, none, or some of analyse,oppose,calibrate,compare (model authors).")
    ] = None,
    calibration_cases: Annotated[int | None, typer.Option(help="Cases of each level for the solver panel.")] = None,
    band: Annotated[str | None, typer.Option(help="Pass rates a task is kept between, LOW:HIGH.")] = None,
    allow_weak_sandbox: Annotated[bool | None, typer.Option("--allow-weak-sandbox", help="See `check`.")] = None,
    outcomes: Annotated[
        Path | None, typer.Option(help="JSON Lines to write, a row a brief: brief, outcome, stage, reason, seconds.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Turn briefs into candidates, measure them, and queue those that pass the gate for review.

    A brief whose id the library has makes a new version of that task; so does --replaces ID, whatever the brief's id.
    With a model, the optional stages are on: an analyst before the draft, opponents and solvers after the gate.
    Exit 0 when every brief was queued, 1 when one was not, 3 when machine or provider failed one (--resume takes it up
    again). A run that was killed or interrupted goes on with --resume.
    """
    _import_workflow()
    if outcomes is not None and not outcomes.parent.is_dir():
        raise UsageError(f"author --outcomes {outcomes}", "its folder does not exist", "name a file in one that does")
    settings = load_settings(
        author=author,
        assist=assist,
        candidates=candidates,
        temperatures=temperature or None,
        repairs=repairs,
        parallel=parallel,
        max_tokens=max_tokens,
        max_usd=max_usd,
        max_minutes=max_minutes,
        prices=prices,
        roles=read_roles(role),
        stages=stages,
        calibration_cases=calibration_cases,
        band=band,
        allow_weak_sandbox=allow_weak_sandbox,
    )
    if resume is not None:
        if briefs:
            raise UsageError("author --resume", "briefs are named as well", "a run knows its briefs: leave them out")
        if author is not None:
            raise UsageError(
                "author --resume", "--author is given as well", "a run keeps the author it was started with"
            )
        run = _find_run(settings, resume)
        limits = {"max_tokens": max_tokens, "max_usd": max_usd, "max_minutes": max_minutes, "prices": prices}
        raised = {key: value for key, value in limits.items() if value is not None}
        settings = settings.model_copy(update=_recorded(run) | raised)
        with open_sandbox(settings) as sandbox:
            summary = _execute(settings, run, sandbox, briefs=None)
        _write_outcomes(outcomes, summary, run)
        finish(summary, settings, [], as_json=as_json)
        return
    if role and settings.author == "compiler":
        raise UsageError("author --role", "the compiler asks no model", "name a model with --author, or leave it out")
    found, problems = read_paths(briefs or [])
    if replaces is not None:
        found = _as_version_of(settings, replaces, found)
    if explain:
        show_formats(found, as_json=as_json)
        _tell(problems)
        if problems:
            raise typer.Exit(NO)
        return
    if dry_run:
        show_briefs(found, problems, settings, as_json=as_json)
        tell_versions(settings, found)
        tell_licences(found)
        if problems:
            _tell(problems)
            raise typer.Exit(NO)
        return
    for spec in (*specs_of(settings), *([settings.assist] if settings.assist else [])):
        require_usable(spec)
    if not found:
        _tell(problems)
        raise UsageError("author", "no usable brief", "mend what is named above")
    tell_versions(settings, found)
    tell_licences(found)
    with open_sandbox(settings) as sandbox:  # before there is a run: without an engine there is nothing to resume
        summary = _execute(settings, run := new_run(settings), sandbox, briefs=found)
    _write_outcomes(outcomes, summary, run)
    finish(summary, settings, problems, as_json=as_json)


def _import_workflow() -> None:
    """Import what takes long before anything is open."""
    with leaving_at_once():
        import sandbox.service  # noqa: F401


def _as_version_of(settings: Settings, task_id: str, found: Sequence[Brief]) -> list[Brief]:
    """The one brief under the id and family of the task it replaces.

    Raises:
        UsageError: no such task, or not exactly one brief.
    """
    import dataclasses

    from bootcamp_cli.commands.library import open_library

    card = open_library(settings.library).entry(task_id).card
    if len(found) != 1:
        raise UsageError(f"author --replaces {task_id}", f"{len(found)} usable briefs", "name one brief")
    return [dataclasses.replace(found[0], id=card.id, family=card.family)]


def new_run(settings: Settings) -> RunFolder:
    """A fresh run folder that records what is needed to resume it; no secrets."""
    from authoring.runs import RunFolder, new_run_id
    from bootcamp_cli.authors import authoring_settings

    now = datetime.now(UTC)
    config = settings.model_dump(mode="json", include=set(RECORDED))
    return RunFolder.create(
        settings.state_dir,
        new_run_id(now, random.Random()),
        author=settings.author,
        settings=authoring_settings(settings),
        created=now.isoformat(timespec="seconds"),
        config=config,
    )


RECORDED = (
    *(
        "author",
        "assist",
        "candidates",
        "temperatures",
        "repairs",
        "parallel",
        "max_tokens",
        "max_usd",
        "max_minutes",
        "prices",
    ),
    *("roles", "stages", "max_reply_tokens", "calibration_cases", "band", "allow_weak_sandbox"),
)


def _recorded(run: RunFolder) -> dict[str, Any]:
    config = dict(run.config)
    if isinstance(config.get("prices"), str):
        config["prices"] = Path(config["prices"])
    return {key: value for key, value in config.items() if key in RECORDED}


def _find_run(settings: Settings, name: str) -> RunFolder:
    from authoring.runs import RunFolder, list_runs

    if name != "last":
        return RunFolder.open(settings.state_dir, name)
    unfinished = [info.run_id for info in list_runs(settings.state_dir) if info.state == "unfinished" and info.briefs]
    if not unfinished:
        raise UsageError("author --resume last", "no unfinished run", "see `bootcamp runs`")
    return RunFolder.open(settings.state_dir, unfinished[-1])


def _execute(settings: Settings, run: RunFolder, sandbox: Sandbox, *, briefs: Sequence[Brief] | None) -> RunSummary:
    import asyncio

    from authoring.workflow import author as author_briefs
    from authoring.workflow import resume
    from bootcamp_cli.running import surroundings

    say(f"run {run.run_id} · author {settings.author} · state {settings.state_dir}")

    async def drive() -> RunSummary:
        with surroundings(settings, run, sandbox) as context:
            return await (resume(context) if briefs is None else author_briefs(briefs, context))

    return asyncio.run(drive())


def _write_outcomes(path: Path | None, summary: RunSummary, run: RunFolder) -> None:
    """A row a brief, where the user asked for them.

    Raises:
        UsageError: the file cannot be written.
    """
    import json

    from authoring.reporting.rows import outcome_rows

    if path is None:
        return
    rows = outcome_rows(summary.outcomes, run.events.read())
    try:
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"author --outcomes {path}", error.strerror or str(error), "name a file in a folder that is there"
        ) from error


def finish(summary: RunSummary, settings: Settings, problems: Sequence[Problem], *, as_json: bool) -> None:
    """Print what became of a run and leave with its exit code."""
    from authoring.outcomes import OutcomeKind
    from bootcamp_cli.running import spent
    from review import since

    money = spent(settings, summary.run_id)
    standing, reports = _standing(settings, summary)
    if as_json:
        unread = [{"path": problem.path, "error": str(problem.error)} for problem in problems]
        changes = {name: since.figures(report) for name, report in reports.items() if since.figures(report)}
        print_json({**summary.to_json(), "spent": money.to_json(), "unread": unread, "changes": changes})
    else:
        rows = [
            (
                outcome.brief_id,
                outcome.kind.value,
                outcome.content_hash[:12],
                outcome.reason
                or standing.get(outcome.content_hash, "")
                or _replaced(reports.get(outcome.content_hash)),
            )
            for outcome in summary.outcomes
        ]
        table(f"run {summary.run_id}", ("brief", "outcome", "content", "note"), rows)
        _tell(problems)
        for outcome in summary.outcomes:
            if outcome.content_hash in reports:
                for label, text in since.lines(reports[outcome.content_hash]):
                    say(f"{outcome.brief_id}: {label}: {text}")
        counts = ", ".join(f"{count} {kind.value}" for kind, count in summary.counts.items() if count)
        cost = "" if not money.paid_calls else f"; {counted(money.paid_calls, 'model call')}, {money.tokens} tokens"
        cost += f", ${money.usd:.4f}" if money.usd and money.paid_calls else ""
        say(f"{counts}{cost}")
    if any(not outcome.kind.final for outcome in summary.outcomes):
        say(f"go on with: bootcamp author --resume {summary.run_id}")
    elif any(standing.get(outcome.content_hash) == "" for outcome in summary.outcomes):
        say("next: bootcamp review list")
    if summary.stopped_by is not None:
        raise typer.Exit(tell_error(summary.stopped_by))
    if summary.stopped_why:
        raise typer.Exit(INTERRUPTED)
    if any(outcome.kind is OutcomeKind.FAILED for outcome in summary.outcomes):
        raise typer.Exit(MachineError.exit_code)
    if problems or any(outcome.kind is not OutcomeKind.QUEUED for outcome in summary.outcomes):
        raise typer.Exit(NO)


def _standing(settings: Settings, summary: RunSummary) -> tuple[dict[str, str], dict[str, Report]]:
    """Content hash → what had become of the same candidate before, "" where it waits for a reviewer; and its report."""
    from authoring.outcomes import OutcomeKind

    queued = [outcome.content_hash for outcome in summary.outcomes if outcome.kind is OutcomeKind.QUEUED]
    if not queued:
        return {}, {}
    with open_queue(settings) as queue:
        items = {name: queue.item(name) for name in queued}
    before = {
        name: "" if item.state == "queued" else f"the same bytes were {item.state} before"
        for name, item in items.items()
    }
    return before, {name: item.report for name, item in items.items()}


def _replaced(report: Report | None) -> str:
    """Which version of a task of the library a candidate is to replace; "" for a new task."""
    from review import since

    found = since.figures(report) if report else None
    return f"a new version: replaces {report.task_id} {found['since']}" if report and found else ""


def _tell(problems: Sequence[Problem]) -> None:
    for problem in problems:
        say(f"not read: {problem.path}: {problem.error}")
