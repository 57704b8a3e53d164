"""``bootcamp audit``: the deeper tier on folders, decided queue items or merged tasks; writes certificates."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bootcamp_cli.asking import MaxTokensOption, MaxUsdOption, PricesOption
from bootcamp_cli.auditing import Order, audit_all
from bootcamp_cli.commands.check import WeakFlag
from bootcamp_cli.foreign import audit_foreign, replay_in
from bootcamp_cli.opponents import Opponents
from bootcamp_cli.output import NO, JsonFlag, print_json, say
from bootcamp_cli.settings import load_settings
from bootcamp_cli.targets import Target, resolve
from bootcamp_kit.counted import counted
from bootcamp_kit.errors import ReviewRuleError, UsageError
from bootcamp_kit.report import Severity

if TYPE_CHECKING:
    from bootcamp_cli.settings_model import Settings
    from sandbox.audit.plan import AuditPlan


class FailOn(StrEnum):
    """The lightest finding that makes the command say no."""

    BLOCKER = "blocker"
    MAJOR = "major"
    MINOR = "minor"
    NOTE = "note"
    NEVER = "never"


def audit(
    targets: Annotated[
        list[str] | None,
        typer.Argument(help="Folders, decided queue items or task ids; with --foreign, its tasks."),
    ] = None,
    fail_on: Annotated[
        FailOn, typer.Option("--fail-on", help="Exit 1 from this severity on: blocker, major, minor, note, never.")
    ] = FailOn.BLOCKER,
    sarif: Annotated[Path | None, typer.Option("--sarif", help="Write all findings to this file as SARIF.")] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Folder for rows and certificates; default: audits in the state folder."),
    ] = None,
    foreign: Annotated[
        str | None,
        typer.Option(
            help="Audit another library: reasoning_gym[:SITE-PACKAGES], internbootcamp:CHECKOUT[:PACKAGES], "
            "callable:FILE.py[:PACKAGES] or verifiers:FOLDER[:PACKAGES]."
        ),
    ] = None,
    replay: Annotated[
        str | None, typer.Option(help="With --foreign: repeat the witness of this finding (F-…) of the rows in --out.")
    ] = None,
    deep: Annotated[
        bool, typer.Option("--deep", help="With --foreign: the whole battery, with more cases and more time for each.")
    ] = False,
    changed: Annotated[
        str | None, typer.Option("--changed", help="The library's tasks that differ from this git branch or commit.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Measure also what the folder has a row of.")] = False,
    adversary_calls: Annotated[
        int | None, typer.Option(min=0, help="Scores the search for exploits may ask for (6000); 0: no search.")
    ] = None,
    adversary_seconds: Annotated[
        float | None, typer.Option(min=0.0, help="CPU seconds it may take, for each task (30).")
    ] = None,
    attacker: Annotated[
        str | None, typer.Option(help="Ask this model for exploits: from cases alone, then with the source.")
    ] = None,
    solver: Annotated[str | None, typer.Option(help="Let this model solve cases from their prompts alone.")] = None,
    max_tokens: MaxTokensOption = None,
    max_usd: MaxUsdOption = None,
    max_minutes: Annotated[float | None, typer.Option(min=0.0, help="Of models, for each task.")] = None,
    prices: PricesOption = None,
    allow_weak_sandbox: WeakFlag = None,
    as_json: JsonFlag = False,
) -> None:
    """Measure tasks deeply and write a certificate for each. Exit 0 when all hold, 1 when one does not."""
    settings = load_settings(
        max_tokens=max_tokens, max_usd=max_usd, prices=prices, allow_weak_sandbox=allow_weak_sandbox
    )
    opponents = Opponents(attacker, solver, max_minutes)
    opponents.require_usable()
    if replay is not None:
        if foreign is None:
            raise UsageError(
                "audit --replay", "--foreign is not given", "for tasks of ours: bootcamp check TASK --replay"
            )
        if not replay_in(settings, foreign, replay, out, as_json=as_json):
            raise typer.Exit(NO)
        return
    if foreign is not None:
        found_rows = audit_foreign(settings, foreign, targets or [], out, again=again, as_json=as_json, deep=deep)
        if any(not _row_holds(item, fail_on) for item in found_rows):
            raise typer.Exit(NO)
        return
    gone: tuple[str, ...] = ()
    if changed is not None:
        targets, gone = _changed(settings, changed, targets)
    if not targets and changed is None:
        raise UsageError("audit", "no task is named", "name a folder, a queue item or a task id")
    found = [_decided(resolve(settings, name)) for name in targets or []]
    folder = out or settings.state_dir / "audits"
    plan = _plan(adversary_calls, adversary_seconds)
    made = audit_all(Order(settings, folder, plan, opponents, again=again, as_json=as_json), found) if found else []
    if sarif is not None:
        _write_sarif(sarif, made)
    if as_json:
        print_json(made)
    if gone or any(not _holds(item, fail_on) for item in made):
        raise typer.Exit(NO)


def _decided(target: Target) -> Target:
    """The same, unless it waits: what reviewers are measured by must not be answered by a machine beforehand."""
    if target.waits:
        raise ReviewRuleError(
            f"auditing {target.name}",
            "it waits for a reviewer, whose own judgement comes first",
            "decide it; between the approval and the merge audit it, and return it where the audit finds a fault",
        )
    return target


def _plan(calls: int | None, seconds: float | None) -> AuditPlan:
    from dataclasses import replace

    from sandbox.audit.plan import AuditPlan

    plan = AuditPlan()
    asked = plan.adversary
    asked = replace(asked, calls=asked.calls if calls is None else calls)
    asked = replace(asked, seconds=asked.seconds if seconds is None else seconds)
    return replace(plan, adversary=asked)


def _changed(settings: Settings, base: str, targets: list[str] | None) -> tuple[list[str], tuple[str, ...]]:
    """The tasks of the library that differ from a commit, and those that are gone."""
    from bootcamp_cli.commands.library import open_library
    from review.changed import changed_tasks

    if targets:
        raise UsageError("audit --changed", "tasks are named as well", "leave them out")
    found = changed_tasks(open_library(settings.library).root, base)
    say(f"{counted(len(found.tasks), 'task differs', 'tasks differ')} from {base}")
    for name in found.gone:
        say(f"{name} is gone: somebody may have pinned it; take it out of use with `bootcamp review retire`")
    return [str(path) for path in found.tasks], found.gone


def _holds(certificate: Mapping[str, Any], fail_on: FailOn) -> bool:
    if certificate["verdict"] == "inconclusive":
        return False
    if fail_on is FailOn.NEVER:
        return True
    least = Severity(fail_on.value).rank
    return all(Severity(item["severity"]).rank < least for item in certificate["findings"])


def _row_holds(item: Mapping[str, Any], fail_on: FailOn) -> bool:
    if fail_on is FailOn.NEVER:
        return True
    least = Severity(fail_on.value).rank
    return all(Severity(found["severity"]).rank < least for found in item["findings"])


def _write_sarif(path: Path, made: list[dict[str, Any]]) -> None:
    from bootcamp_kit.report import finding_from_json
    from sandbox.audit.sarif import sarif

    tasks = [(item["task"]["name"], [finding_from_json(raw) for raw in item["findings"]]) for item in made]
    path.write_text(json.dumps(sarif(tasks), indent=1, sort_keys=True), "utf-8")
