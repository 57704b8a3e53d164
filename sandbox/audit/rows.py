"""A line for each audited task, appended to one file: what lets an audit of many tasks be interrupted and go on."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bootcamp_kit.errors import MachineError

ROW_SCHEMA = 1


def row(
    task: str,
    key: str,
    verdict: str,
    *,
    findings: Iterable[Mapping[str, Any]] = (),
    skipped: Iterable[Mapping[str, Any]] = (),
    figures: Mapping[str, Any] | None = None,
    reason: str = "",
    seconds: float = 0.0,
) -> dict[str, Any]:
    """One row.

    Args:
        task: The words that name the task.
        key: What the row is about, so that it is known to be done: content, plan and policy.
        verdict: ``pass``, ``fail``, ``inconclusive`` or ``not-run``.
        findings: Each with ``code``, ``severity``, ``message``, ``witness``.
        skipped: Checks that could not run, each with ``check`` and ``reason``.
        figures: What was measured.
        reason: Why it was not run, or "".
        seconds: What it took; outside of everything that is compared.
    """
    return {
        "schema": ROW_SCHEMA,
        "task": task,
        "key": key,
        "verdict": verdict,
        "findings": list(findings),
        "skipped": list(skipped),
        "figures": dict(figures or {}),
        "reason": reason,
        "seconds": round(seconds, 3),
    }


class RowFile:
    """Appends rows; knows which are there. Safe for several processes; a torn last line is passed over."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> list[dict[str, Any]]:
        """All rows of this schema, the latest for each task, in the order of their first writing.

        Raises:
            MachineError: the file cannot be read.
        """
        try:
            lines = self.path.read_bytes().splitlines()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise MachineError(f"reading rows {self.path}", str(error), "check the disk") from error
        found: dict[str, dict[str, Any]] = {}
        for line in lines:
            item = _decoded(line)
            if item:
                found[item["task"]] = item
        return list(found.values())

    def done(self) -> dict[str, dict[str, Any]]:
        """Rows by key, without those that our machinery kept from being measured."""
        return {item["key"]: item for item in self.read() if item["verdict"] not in ("inconclusive", "not-run")}

    def add(self, item: Mapping[str, Any]) -> None:
        """Append one row.

        Raises:
            MachineError: the file cannot be written.
        """
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                if file.seek(0, os.SEEK_END):
                    file.seek(-1, os.SEEK_END)
                    if file.read(1) != b"\n":
                        file.write(b"\n")
                file.write(json.dumps(item, sort_keys=True).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise MachineError(f"writing rows {self.path}", str(error), "check the disk") from error


def _decoded(line: bytes) -> dict[str, Any] | None:
    try:
        item = json.loads(line)
    except ValueError:
        return None
    return item if isinstance(item, dict) and item.get("schema") == ROW_SCHEMA and "task" in item else None
