"""Repair orders out of what a person names: a returned item, an audit's findings, or a bug report."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bootcamp_cli.commands.library import open_library
from bootcamp_cli.machine import open_queue
from bootcamp_cli.replacing import find_task
from bootcamp_kit.errors import UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import strict_loads
from bootcamp_kit.report import Finding, Report, finding_from_json

if TYPE_CHECKING:
    from bootcamp_cli.settings_model import Settings
    from bootcamp_kit.decision import RepairOrder
    from review.bug_report import BugReport
    from review.queue import Queue
    from review.subjects import Subject

MAX_FILE_BYTES = 64 << 20


@dataclass(frozen=True, slots=True)
class Measured:
    """What an audit says of one task: its words for it, the first digits of its content hash, the findings."""

    name: str
    content: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A row that no order was made of, and why."""

    name: str
    reason: str


def read_findings(path: Path) -> list[Measured]:
    """The findings of an audit: ``audit.jsonl``, a certificate or a report.

    Raises:
        UsageError: not readable, or none of these.
    """
    do = "name audit.jsonl, certificate.json or report.json of `bootcamp audit`"
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise UsageError(f"audit {path}", f"more than {MAX_FILE_BYTES} bytes", do)
        if path.suffix == ".jsonl":
            from sandbox.audit.rows import RowFile

            return [_row(row) for row in RowFile(path).read()]
        raw = json.loads(path.read_text("utf-8"))
        if isinstance(raw, Mapping) and raw.get("kind") == "bootcamp-certificate":
            return [Measured(raw["task"]["name"], raw["task"]["content_hash"], _findings(raw["findings"]))]
        report = Report.from_json(raw)
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise UsageError(f"audit {path}", f"not readable: {error!r}"[:300], do) from error
    return [Measured(report.task_id, report.content_hash, report.findings)]


def _row(row: Mapping[str, Any]) -> Measured:
    return Measured(str(row["task"]), str(row["key"]).partition("-")[0], _findings(row["findings"]))


def _findings(raw: Sequence[Mapping[str, Any]]) -> tuple[Finding, ...]:
    return tuple(map(finding_from_json, raw))


def subject(settings: Settings, queue: Queue, name: str) -> Subject:
    """The task that is meant: one of the library by its id, else a queue item.

    Raises:
        UsageError: neither; says where was looked.
    """
    from review.subjects import of_item

    path = find_task(settings, name) if name.isidentifier() else None
    if path is None:
        return of_item(queue.item(name))
    return _of_task(queue, path)


def _of_task(queue: Queue, path: Path) -> Subject:
    from review.subjects import of_task

    try:
        item = queue.item(TaskFolder.read(path).content_hash)
    except UsageError:
        item = None
    return of_task(path, item)


def order_from_audit(settings: Settings, name: str, measured: Sequence[Measured]) -> RepairOrder:
    """The order for one task out of an audit's findings.

    Raises:
        UsageError: the audit has nothing about it, is about other bytes, or found nothing.
    """
    with open_queue(settings) as queue:
        meant = subject(settings, queue, name)
    content = meant.candidate.content_hash
    for item in measured:
        if content.startswith(item.content):
            return meant.order(item.findings)
    about = [item for item in measured if item.name in (name, meant.name)]
    found = "it is about other bytes than stand there now" if about else f"it has no row of {name}"
    raise UsageError(f"repairing {name} from an audit", found, "audit it again: bootcamp audit")


def orders_from_audit(settings: Settings, measured: Sequence[Measured]) -> tuple[list[RepairOrder], list[Skipped]]:
    """An order for every task of the library that the audit found something against, and what was passed over.

    Raises:
        UsageError: the library is not there.
    """
    orders: list[RepairOrder] = []
    skipped: list[Skipped] = []
    entries, _ = open_library(settings.library).scan()
    by_content = {TaskFolder.read(entry.path).content_hash: entry.path for entry in entries}
    with open_queue(settings) as queue:
        for item in measured:
            path = next((place for content, place in by_content.items() if content.startswith(item.content)), None)
            if path is None:
                skipped.append(Skipped(item.name, "no task of the library has these bytes now: audit it again"))
                continue
            waits = _waiting(queue, path.name)
            if waits:
                skipped.append(Skipped(item.name, f"a new version is in review already: {waits}"))
                continue
            try:
                orders.append(_of_task(queue, path).order(item.findings))
            except UsageError as error:
                skipped.append(Skipped(item.name, error.found))
    return orders, skipped


def _waiting(queue: Queue, task_id: str) -> str:
    """An open item of this task, so that a second run over the same audit does not pay for it again; or ""."""
    from review.states import OPEN

    return next((entry.ref for entry in queue.items(states=OPEN, task_id=task_id, limit=1)), "")


def bug_report(report: str, case: str | None, response: str | None, expected: str | None) -> BugReport:
    """The report that the flags describe; each text may also be the name of a file.

    Raises:
        UsageError: no case, or one that cannot be read.
    """
    from review.bug_report import BugReport, Expected, read_case

    if case is None:
        raise UsageError("repair --report", "no case", 'say where it fails: --case \'{"level": 2, "seed": 7}\'')
    try:
        raw = strict_loads(text_or_file(case, "--case").encode("utf-8", "surrogatepass"))
    except ValueError as error:
        raise UsageError(
            "repair --case", f"not JSON: {str(error)[:200]}", 'e.g. \'{"level": 2, "seed": 7}\''
        ) from error
    return BugReport(
        words=text_or_file(report, "--report").strip(),
        **read_case(raw),
        response=None if response is None else text_or_file(response, "--response"),
        expected=Expected(expected or Expected.CORRECT),
    )


def text_or_file(given: str, flag: str) -> str:
    """The text itself, or a file's when it names one.

    Raises:
        UsageError: a file that is not UTF-8 text, or too large.
    """
    path = Path(given)
    try:
        if "\n" in given or len(given) > 500 or not path.is_file():
            return given
        if path.stat().st_size > MAX_FILE_BYTES:
            raise UsageError(f"{flag} {path}", f"more than {MAX_FILE_BYTES} bytes", "give less")
        return path.read_bytes().decode("utf-8")
    except (OSError, ValueError) as error:
        raise UsageError(f"{flag} {given[:100]!r}", str(error), "give text, or a readable UTF-8 file") from error
