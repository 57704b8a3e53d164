"""``bootcamp repair``: a task or candidate goes back into the workflow with what was found, said or reported."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bootcamp_cli.authors import COMPILER, require_usable
from bootcamp_cli.commands.author import AuthorFlag, finish, new_run
from bootcamp_cli.machine import open_queue, open_sandbox
from bootcamp_cli.output import NO, JsonFlag, print_json, say
from bootcamp_cli.settings import load_settings
from bootcamp_kit.errors import ReviewRuleError, UsageError

if TYPE_CHECKING:
    from authoring.outcomes import RunSummary
    from bootcamp_cli.repairing import Skipped
    from bootcamp_cli.settings_model import Settings
    from bootcamp_kit.decision import RepairOrder
    from review.bug_report import BugReport
    from review.subjects import Subject
    from sandbox.service import Sandbox


def repair(
    target: Annotated[
        str | None, typer.Argument(help="A task of the library by its id, or a queue item: hash or task_id@hash.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Every task of the library that the audit of --from found something against.")
    ] = False,
    from_audit: Annotated[
        Path | None, typer.Option("--from", help="audit.jsonl, certificate.json or report.json of `bootcamp audit`.")
    ] = None,
    report: Annotated[str | None, typer.Option(help="A bug report: what is wrong, in words; or a file.")] = None,
    case: Annotated[
        str | None, typer.Option(help='Where it fails: {"level": 2, "seed": 7} or with a "payload"; or a file.')
    ] = None,
    response: Annotated[
        str | None,
        typer.Option(help="The response that is judged wrongly; default: the reference solver's. Or a file."),
    ] = None,
    expected: Annotated[str | None, typer.Option(help="What it should get: correct, wrong or malformed.")] = None,
    author: AuthorFlag = None,
    candidates: Annotated[int | None, typer.Option(help="Parallel candidates per task.")] = None,
    repairs: Annotated[int | None, typer.Option(help="Repair rounds.")] = None,
    parallel: Annotated[int | None, typer.Option(help="Tasks in work at once.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Stop when the run has used this many tokens.")] = None,
    max_usd: Annotated[float | None, typer.Option(help="Stop when the run has cost this much; needs --prices.")] = None,
    prices: Annotated[Path | None, typer.Option(help="TOML file with a price per model.")] = None,
    allow_weak_sandbox: Annotated[bool | None, typer.Option("--allow-weak-sandbox", help="See `check`.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Have tasks mended by a model; what passes the gate is queued, with what it changes and no more.

    Of a returned candidate, of an audit (--from), or of a bug report (--report --case). A report's case is first shown
    to fail, also where no model is named, and stays as an example of the task; exit 1 when it does not fail. A run goes
    on with author --resume.
    """
    settings = load_settings(
        author=author,
        candidates=candidates,
        repairs=repairs,
        parallel=parallel,
        max_tokens=max_tokens,
        max_usd=max_usd,
        prices=prices,
        allow_weak_sandbox=allow_weak_sandbox,
    )
    told = _told(report, case, response, expected)
    _require_one_way(target, everything=everything, from_audit=from_audit, told=told)
    if told is None or settings.author != COMPILER:
        _require_model(settings, target or "")
    orders, skipped = _orders(settings, target, from_audit, everything=everything) if told is None else ([], [])
    for item in skipped:
        say(f"passed over: {item.name}: {item.reason}")
    if not orders and told is None:
        say("nothing to repair")
        raise typer.Exit(NO)
    meant = _subject(settings, target or "") if told is not None else None
    with open_sandbox(settings) as sandbox:
        if told is not None and meant is not None:
            orders = [_shown(sandbox, meant, told, as_json=as_json)]
            _require_model(settings, target or "")
        summary = _execute(settings, sandbox, orders)
    finish(summary, settings, [], as_json=as_json)


def _require_model(settings: Settings, target: str) -> None:
    """What mends must be a model.

    Raises:
        UsageError: the author is the compiler, or a model that cannot be asked.
    """
    if settings.author == COMPILER:
        name = target.partition("@")[0] or "ID"
        ways = "name a model: --author PROVIDER:MODEL; without one, change the brief and author it again: "
        ways += f"bootcamp author BRIEF.md --replaces {name}"
        raise UsageError(f"repairing {name}", "no model is named, and the compiler makes the same task again", ways)
    require_usable(settings.author)


def _told(report: str | None, case: str | None, response: str | None, expected: str | None) -> BugReport | None:
    from bootcamp_cli.repairing import bug_report

    if report is None:
        if (case, response, expected) != (None, None, None):
            raise UsageError("repair", "--case, --response or --expected without --report", "add --report TEXT")
        return None
    if expected not in (None, "correct", "wrong", "malformed"):
        raise UsageError("repair --expected", f"{expected[:40]!r}", "correct, wrong or malformed")
    return bug_report(report, case, response, expected)


def _require_one_way(target: str | None, *, everything: bool, from_audit: Path | None, told: BugReport | None) -> None:
    if everything and (target or told or from_audit is None):
        raise UsageError("repair --all", "a task or a report as well, or no --from", "repair --all --from audit.jsonl")
    if not everything and target is None:
        raise UsageError("repair", "no task is named", "bootcamp repair TARGET; or --all --from audit.jsonl")
    if told and from_audit:
        raise UsageError("repair", "--report and --from", "one of them")


def _orders(
    settings: Settings, target: str | None, from_audit: Path | None, *, everything: bool
) -> tuple[list[RepairOrder], list[Skipped]]:
    from bootcamp_cli.repairing import order_from_audit, orders_from_audit, read_findings
    from bootcamp_cli.replacing import find_task
    from review.decide import repair_order

    if from_audit is not None:
        measured = read_findings(from_audit)
        return (
            orders_from_audit(settings, measured)
            if everything
            else ([order_from_audit(settings, target or "", measured)], [])
        )
    try:
        with open_queue(settings) as queue:
            return [repair_order(queue, target or "")], []
    except (UsageError, ReviewRuleError) as error:
        merged = (target or "").partition("@")[0]
        if not merged.isidentifier() or find_task(settings, merged) is None:
            raise
        ways = f"a merged task needs --report TEXT --case CASE, or --from audit.jsonl; a candidate: {error.do}"
        raise type(error)(error.asked, error.found, ways) from error


def _subject(settings: Settings, target: str) -> Subject:
    from bootcamp_cli.repairing import subject

    with open_queue(settings) as queue:
        return subject(settings, queue, target)


def _shown(sandbox: Sandbox, meant: Subject, told: BugReport, *, as_json: bool) -> RepairOrder:
    """The order of a report that was shown to fail; leaves with exit 1 when it does not."""
    from review.bug_report import show

    shown = show(sandbox, meant, told)
    if shown.order is None:
        say(f"{meant.name}: not shown to fail: expected {told.expected.value}, and it gets {shown.seen}")
        say("nothing was changed; look at level, seed or payload of the case, and at what was expected")
        if as_json:
            print_json({"task": meant.name, "fails": False, "expected": told.expected.value, "seen": shown.seen})
        raise typer.Exit(NO)
    say(f"{meant.name}: shown to fail: expected {told.expected.value}, and it gets {shown.seen}")
    return shown.order


def _execute(settings: Settings, sandbox: Sandbox, orders: list[RepairOrder]) -> RunSummary:
    import asyncio

    from authoring.workflow import repair_all
    from bootcamp_cli.running import surroundings

    run = new_run(settings)
    names = ", ".join(order.brief.id for order in orders[:5]) + (", …" if len(orders) > 5 else "")
    say(f"run {run.run_id} · author {settings.author} · repairing {names}")

    async def drive() -> RunSummary:
        with surroundings(settings, run, sandbox) as context:
            return await repair_all(orders, context)

    return asyncio.run(drive())
