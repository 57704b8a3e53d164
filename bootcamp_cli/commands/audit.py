"""``bootcamp audit``: the deeper tier on folders, queue items or merged tasks; writes certificates."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bootcamp_cli.commands.check import WeakFlag
from bootcamp_cli.foreign import audit_foreign, replay_in
from bootcamp_cli.machine import open_sandbox
from bootcamp_cli.output import NO, JsonFlag, print_json, say, table
from bootcamp_cli.settings import load_settings
from bootcamp_cli.targets import Target, resolve
from bootcamp_kit.errors import UsageError
from bootcamp_kit.report import Severity, to_json

if TYPE_CHECKING:
    from bootcamp_cli.settings_model import Settings
    from sandbox.audit.rows import RowFile
    from sandbox.service import Sandbox


class FailOn(StrEnum):
    """The lightest finding that makes the command say no."""

    BLOCKER = "blocker"
    MAJOR = "major"
    MINOR = "minor"
    NOTE = "note"
    NEVER = "never"


ROWS = "audit.jsonl"


def audit(
    targets: Annotated[
        list[str] | None, typer.Argument(help="Task folders, queue items or task ids; with --foreign, its tasks.")
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
    changed: Annotated[
        str | None, typer.Option("--changed", help="The library's tasks that differ from this git branch or commit.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Measure also what the folder has a row of.")] = False,
    allow_weak_sandbox: WeakFlag = None,
    as_json: JsonFlag = False,
) -> None:
    """Measure tasks deeply and write a certificate for each. Exit 0 when all hold, 1 when one does not."""
    settings = load_settings(allow_weak_sandbox=allow_weak_sandbox)
    if replay is not None:
        if foreign is None:
            raise UsageError(
                "audit --replay", "--foreign is not given", "for tasks of ours: bootcamp check TASK --replay"
            )
        if not replay_in(settings, foreign, replay, out, as_json=as_json):
            raise typer.Exit(NO)
        return
    if foreign is not None:
        found_rows = audit_foreign(settings, foreign, targets or [], out, again=again, as_json=as_json)
        if any(not _row_holds(item, fail_on) for item in found_rows):
            raise typer.Exit(NO)
        return
    gone: tuple[str, ...] = ()
    if changed is not None:
        targets, gone = _changed(settings, changed, targets)
    if not targets and changed is None:
        raise UsageError("audit", "no task is named", "name a folder, a queue item or a task id")
    found = [resolve(settings, name) for name in targets or []]
    folder = out or settings.state_dir / "audits"
    made = _audit_all(settings, found, folder, again=again, as_json=as_json) if found else []
    if sarif is not None:
        _write_sarif(sarif, made)
    if as_json:
        print_json(made)
    if gone or any(not _holds(item, fail_on) for item in made):
        raise typer.Exit(NO)


def _changed(settings: Settings, base: str, targets: list[str] | None) -> tuple[list[str], tuple[str, ...]]:
    """The tasks of the library that differ from a commit, and those that are gone."""
    from bootcamp_cli.commands.library import open_library
    from review.changed import changed_tasks

    if targets:
        raise UsageError("audit --changed", "tasks are named as well", "leave them out")
    found = changed_tasks(open_library(settings.library).root, base)
    say(f"{len(found.tasks)} tasks differ from {base}")
    for name in found.gone:
        say(f"{name} is gone: somebody may have pinned it; take it out of use with `bootcamp review retire`")
    return [str(path) for path in found.tasks], found.gone


def _audit_all(
    settings: Settings, found: list[Target], folder: Path, *, again: bool, as_json: bool
) -> list[dict[str, Any]]:
    """Certificates in the order of the targets; each is on the disk before the next task is begun."""
    from sandbox.audit.rows import RowFile

    rows = RowFile(folder / ROWS)
    done = {} if again else rows.done()
    made: list[dict[str, Any]] = []
    with open_sandbox(settings) as sandbox:
        for target in found:
            stored = _stored(folder, target, done)
            if stored is not None:
                say(f"{target.name}: measured before; --again measures it again")
            certificate = stored or _measure(settings, sandbox, target, folder, rows)
            made.append(certificate)
            if not as_json:
                _print(target, certificate, folder)
    return made


def _key(target: Target) -> str:
    from bootcamp_kit.jsondata import digest
    from sandbox.audit.certificate import SCHEMA
    from sandbox.audit.plan import AuditPlan
    from sandbox.audit.rules import audit_policy

    return f"{target.folder.content_hash[:32]}-{digest(f'{SCHEMA} {audit_policy()} {AuditPlan()}'.encode())[:16]}"


def _stored(folder: Path, target: Target, done: Mapping[str, Any]) -> dict[str, Any] | None:
    if _key(target) not in done:
        return None
    try:
        certificate: dict[str, Any] = json.loads(_path(folder, target, "certificate.json").read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return certificate


def _path(folder: Path, target: Target, name: str) -> Path:
    return folder / target.folder.content_hash[:16] / name


def _measure(settings: Settings, sandbox: Sandbox, target: Target, folder: Path, rows: RowFile) -> dict[str, Any]:
    from bootcamp_cli.progress import spinner
    from sandbox.audit.audit import run_audit
    from sandbox.audit.certificate import certificate
    from sandbox.audit.page import page
    from sandbox.audit.rows import row
    from sandbox.counterexamples import CounterexampleStore

    store = CounterexampleStore(settings.state_dir / "counterexamples")
    with spinner(f"auditing {target.name}") as tell:
        measured = run_audit(sandbox, target.folder, counterexamples=store, progress=tell)
    made = certificate(measured, target.name)
    report = json.dumps(to_json(measured.report), indent=1, sort_keys=True)
    for name, text in (
        ("report.json", report),
        ("certificate.json", json.dumps(made, indent=1, sort_keys=True, ensure_ascii=False)),
        ("certificate.html", page(made)),
    ):
        path = _path(folder, target, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    rows.add(
        row(
            target.name,
            _key(target),
            made["verdict"],
            findings=made["findings"],
            skipped=made["not_measured"],
            figures=_figures(made),
            seconds=made["run"]["seconds"].get("all", 0.0),
        )
    )
    return made


def _figures(certificate: Mapping[str, Any]) -> dict[str, Any]:
    mutation = {key: certificate["mutation"].get(key) for key in ("score", "killed", "surviving", "not_distinguished")}
    if "all_levels" not in certificate:
        return {"mutation": mutation}
    measured = certificate["all_levels"]
    return {
        "mutation": mutation,
        "false_accept_worst": measured["false_accept"]["worst"],
        "false_reject_worst": measured["false_reject"]["worst"],
        "floor": measured["floor"]["best"][:1],
        "cases": measured["cases"],
    }


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


def _print(target: Target, certificate: Mapping[str, Any], folder: Path) -> None:
    from sandbox.audit.summary import lines

    table(f"{target.name}  {certificate['verdict']}", ("figure", "value", "sampling and bound"), lines(certificate))
    path = _path(folder, target, "report.json")
    for item in certificate["findings"]:
        say(f"{item['id']}  {item['severity']:8} {item['code']}: {item['message']}")
        if Severity(item["severity"]).rank >= Severity.MAJOR.rank:
            say(f"            replay: bootcamp check {target.name} --replay {item['id']} --report {path}")
    say(f"certificate: {path.with_name('certificate.html')}")
