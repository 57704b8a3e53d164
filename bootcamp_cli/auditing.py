"""Audits tasks one after the other: certificates on the disk, a row for each, what was measured before left alone."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bootcamp_cli.machine import open_sandbox
from bootcamp_cli.opponents import Opponents, oppose
from bootcamp_cli.output import say, table
from bootcamp_cli.targets import Target
from bootcamp_kit.report import Severity, to_json

if TYPE_CHECKING:
    from bootcamp_cli.settings_model import Settings
    from sandbox.audit.plan import AuditPlan
    from sandbox.audit.rows import RowFile
    from sandbox.service import Sandbox

ROWS = "audit.jsonl"
SEARCH_LOG = "adversary.jsonl"


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be measured, and where to.

    Attributes:
        folder: For rows and certificates.
        plan: How much.
        opponents: Models that are asked.
        again: Measure also what has a row.
        as_json: Print nothing beside the certificates.
    """

    settings: Settings
    folder: Path
    plan: AuditPlan
    opponents: Opponents
    again: bool = False
    as_json: bool = False


def audit_all(order: Order, found: list[Target]) -> list[dict[str, Any]]:
    """Certificates in the order of the targets; each is on the disk before the next task is begun."""
    from sandbox.audit.rows import RowFile

    rows = RowFile(order.folder / ROWS)
    done = {} if order.again else rows.done()
    made: list[dict[str, Any]] = []
    run_id = order.opponents.run_id([target.folder.content_hash for target in found])
    with open_sandbox(order.settings) as sandbox:
        for target in found:
            stored = _stored(order, target, done)
            if stored is not None:
                say(f"{target.name}: measured before; --again measures it again")
            certificate = stored or _measure(order, sandbox, target, rows, run_id)
            made.append(certificate)
            if not order.as_json:
                _print(target, certificate, order.folder)
    return made


def _key(order: Order, target: Target) -> str:
    from bootcamp_kit.jsondata import digest
    from sandbox.audit.certificate import SCHEMA
    from sandbox.audit.rules import audit_policy

    measured_by = f"{SCHEMA} {audit_policy()} {order.plan}{order.opponents.key}"
    return f"{target.folder.content_hash[:32]}-{digest(measured_by.encode())[:16]}"


def _stored(order: Order, target: Target, done: Mapping[str, Any]) -> dict[str, Any] | None:
    if _key(order, target) not in done:
        return None
    try:
        certificate: dict[str, Any] = json.loads(_path(order.folder, target, "certificate.json").read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return certificate


def _path(folder: Path, target: Target, name: str) -> Path:
    return folder / target.folder.content_hash[:16] / name


def _measure(order: Order, sandbox: Sandbox, target: Target, rows: RowFile, run_id: str) -> dict[str, Any]:
    from bootcamp_cli.progress import spinner
    from sandbox.audit.audit import run_audit
    from sandbox.audit.certificate import certificate
    from sandbox.audit.page import page
    from sandbox.audit.rows import row
    from sandbox.counterexamples import CounterexampleStore

    store = CounterexampleStore(order.settings.state_dir / "counterexamples")
    with spinner(f"auditing {target.name}") as tell:
        measured = run_audit(
            sandbox,
            target.folder,
            plan=order.plan,
            counterexamples=store,
            progress=tell,
            search_log=_path(order.folder, target, SEARCH_LOG),
        )
        measured = oppose(order.settings, sandbox, measured, order.opponents, run_id, tell)
    made = certificate(measured, target.name)
    report = json.dumps(to_json(measured.report), indent=1, sort_keys=True)
    for name, text in (
        ("report.json", report),
        ("certificate.json", json.dumps(made, indent=1, sort_keys=True, ensure_ascii=False)),
        ("certificate.html", page(made)),
    ):
        path = _path(order.folder, target, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    rows.add(
        row(
            target.name,
            _key(order, target),
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


def _print(target: Target, certificate: Mapping[str, Any], folder: Path) -> None:
    from sandbox.audit.summary import lines

    table(f"{target.name}  {certificate['verdict']}", ("figure", "value", "sampling and bound"), lines(certificate))
    path = _path(folder, target, "report.json")
    for item in certificate["findings"]:
        say(f"{item['id']}  {item['severity']:8} {item['code']}: {item['message']}")
        if Severity(item["severity"]).rank >= Severity.MAJOR.rank:
            say(f"            replay: bootcamp check {target.name} --replay {item['id']} --report {path}")
    say(f"certificate: {path.with_name('certificate.html')}")
