"""``bootcamp check``: run the gate on folders, queue items or merged tasks; replay the witness of a finding."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bootcamp_cli.machine import gate, open_sandbox, read_report, report_path, store_report
from bootcamp_cli.output import NO, JsonFlag, print_json, say, table
from bootcamp_cli.settings import load_settings
from bootcamp_cli.targets import Target, resolve
from bootcamp_kit.counted import counted
from bootcamp_kit.errors import UsageError
from bootcamp_kit.report import Report, Verdict, to_json

if TYPE_CHECKING:
    from bootcamp_cli.settings_model import Settings
    from bootcamp_kit.report import Finding
    from sandbox.service import Sandbox

WeakFlag = Annotated[
    bool | None, typer.Option("--allow-weak-sandbox", help="Run although the engine cannot give every limit.")
]


def check(
    targets: Annotated[list[str], typer.Argument(help="Task folders, queue items or task ids.")],
    replay: Annotated[str | None, typer.Option(help="Re-run the witness of this finding (F-…) and show it.")] = None,
    report: Annotated[Path | None, typer.Option(help="Take the finding from this report file.")] = None,
    allow_weak_sandbox: WeakFlag = None,
    as_json: JsonFlag = False,
) -> None:
    """Measure tasks in the sandbox: every check of the gate. Exit 0 when all pass, 1 when one does not."""
    settings = load_settings(allow_weak_sandbox=allow_weak_sandbox)
    found = [resolve(settings, name) for name in targets]
    if replay is not None:
        if len(found) != 1:
            raise UsageError("replaying a finding", f"{len(found)} tasks are named", "name the one it was found in")
        _replay(settings, found[0], replay, report, as_json=as_json)
        return
    if report is not None:
        raise UsageError("check", "--report without --replay", "add --replay F-…")
    with open_sandbox(settings) as sandbox:
        reports = [_measure(settings, sandbox, target, as_json=as_json) for target in found]
    if as_json:
        print_json([{**to_json(item), "verdict": item.verdict.value, "hash": item.hash} for item in reports])
    if any(item.verdict is not Verdict.PASS for item in reports):
        raise typer.Exit(NO)


def _measure(settings: Settings, sandbox: Sandbox, target: Target, *, as_json: bool) -> Report:
    from bootcamp_cli.progress import spinner

    with spinner(f"checking {target.name}") as tell:
        report = gate(settings, sandbox, progress=tell)(target.folder)
    if target.known and target.report is not None:
        report = as_shown(target.report, report)
        store_report(settings, report)
    if not as_json:
        _print(target, report)
    return report


def as_shown(kept: Report, measured: Report) -> Report:
    """The queue's report of an item that measures reviewers, in the form of one that was measured now.

    The gate's checks alone, as a check of any other item has them, without what authoring added; made where and when it
    is asked for.
    """
    checks = {result.check for result in measured.results}
    results = tuple(result for result in kept.results if result.check in checks)
    return replace(kept, results=results, environment=measured.environment, seconds=measured.seconds)


def _print(target: Target, report: Report) -> None:
    from review.measures import outcome
    from sandbox.replay import reproduce_command

    rows = [
        (
            result.check,
            outcome(result),
            str(len(result.findings)) if result.findings else "",
            result.reason or _figures(result.figures),
        )
        for result in report.results
    ]
    table(f"{target.name}  {report.verdict.value}", ("check", "status", "findings", "measured"), rows)
    for finding in report.findings:
        say(f"{finding.id}  {finding.severity.value:8} {finding.code}: {finding.message}")
        if finding.hint:
            say(f"            hint: {finding.hint}")
        if finding.witness is not None:
            say(f"            replay: {reproduce_command(target.name, finding)}")
    total = report.seconds.get("total")
    took = f" in {total:.1f} s" if total else ""
    counts = f"{counted(len(report.findings), 'finding')}, {counted(len(report.results), 'check')}"
    say(f"{target.name}: {report.verdict.value}, {counts}{took}")
    say(f"content {report.content_hash[:12]}  report {report.hash[:12]}  image {report.environment.image_digest[:19]}")


def _figures(figures: Any) -> str:
    if not figures:
        return ""
    shown = [f"{key} {_short(value)}" for key, value in figures.items() if not isinstance(value, list | dict)]
    return ", ".join(shown)


def _short(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _replay(settings: Settings, target: Target, finding_id: str, report: Path | None, *, as_json: bool) -> None:
    from sandbox.replay import replay

    path = report or report_path(settings, target.folder.content_hash)
    of_queue = target.report if report is None else None
    stored = of_queue or read_report(path)
    finding = next((item for item in stored.findings if item.id == finding_id), None)
    if finding is None and of_queue is not None and path.exists():
        stored = read_report(path)  # a check made since it was queued
        finding = next((item for item in stored.findings if item.id == finding_id), None)
    if finding is None:
        known = ", ".join(item.id for item in stored.findings) or "none"
        raise UsageError(f"finding {finding_id[:40]!r}", f"not in {path.name}; it holds: {known}", "name one of these")
    if target.blind:
        _refuse_opinion(target, finding)
    if stored.content_hash != target.folder.content_hash:
        say("note: the report is about other bytes than these; replaying on these")
    with open_sandbox(settings) as sandbox:
        result = replay(sandbox, target.folder, finding)
    if as_json:
        print_json(
            {
                "finding": finding_id,
                "reproduced": result.reproduced,
                "words": result.words,
                "steps": [list(step) for step in result.steps],
            }
        )
    else:
        for label, text in result.steps:
            typer.echo(f"{label}:")
            typer.echo("\n".join("    " + line for line in text.splitlines()) or "    (empty)")
        typer.echo(result.words)
    if result.reproduced is False:
        raise typer.Exit(NO)


def _refuse_opinion(target: Target, finding: Finding) -> None:
    """What one model said and nothing confirmed is told after a person has judged for themselves."""
    from review.opinions import UNTIL, is_opinion

    if is_opinion(finding):
        raise UsageError(f"finding {finding.id}", f"a model's opinion: {UNTIL}", f"bootcamp review judge {target.name}")
