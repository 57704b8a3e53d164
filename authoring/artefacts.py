"""What a run made, by content hash: briefs, candidates, lineage, reports, repair orders.

Everything is written whole under its hash and never changed, so writing it again after a crash is harmless.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from authoring.records import lineage_from_json, lineage_to_json
from authoring.storage import TEMPORARY, disk, write_json
from bootcamp_kit.brief import Brief
from bootcamp_kit.candidate import Candidate
from bootcamp_kit.decision import RepairOrder
from bootcamp_kit.errors import MachineError, UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import canonical, digest
from bootcamp_kit.report import Report, Verdict, finding_from_json, to_json

T = TypeVar("T")
SHELVES = ("briefs", "candidates", "lineage", "reports", "orders", "transcripts", "outcomes", "records")
ORDER_SLOT = "order"


def turn_slot(index: int, number: int) -> str:
    """The slot of what one turn on one of the N candidates wrote."""
    return f"{index}-{number}"


class Artefacts:
    """The shelves of one run folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def sweep(self) -> None:
        """Remove what a killed process left half-written. Only under the run's lock."""
        for shelf in ("", *SHELVES):
            for leftover in (self.root / shelf).glob(f"{TEMPORARY}*"):
                if leftover.is_dir():
                    shutil.rmtree(leftover, ignore_errors=True)
                else:
                    leftover.unlink(missing_ok=True)

    def put_brief(self, brief: Brief) -> str:
        """Store a brief; returns its hash."""
        self._put("briefs", brief.hash, brief.to_json())
        return brief.hash

    def brief(self, brief_hash: str) -> Brief:
        """A stored brief."""
        brief: Brief = self._get("briefs", brief_hash, Brief.from_json)
        if brief.hash != brief_hash:
            raise self._damaged("briefs", brief_hash)
        return brief

    def put_candidate(self, candidate: Candidate, slot: str) -> str:
        """Store a candidate's files, and its lineage under (hash, slot); returns the content hash.

        Two of the N candidates may hold the same bytes; ``slot`` (:func:`turn_slot`) keeps their lineages apart.
        """
        name = candidate.content_hash
        place = self.root / "candidates" / name
        with disk("storing a candidate", place):
            if not place.exists():
                candidate.folder.write(place)
        self._put("lineage", f"{name}-{slot}", lineage_to_json(candidate.lineage))
        return name

    def folder(self, content_hash: str) -> TaskFolder:
        """A candidate's files; refuses bytes that are not the ones stored."""
        with disk("reading a candidate", self.root / "candidates"):
            folder = TaskFolder.read(self.root / "candidates" / content_hash)
        if folder.content_hash != content_hash:
            raise self._damaged("candidates", content_hash)
        return folder

    def candidate(self, content_hash: str, slot: str) -> Candidate:
        """A candidate with the lineage stored under ``slot``."""
        lineage = self._get("lineage", f"{content_hash}-{slot}", lineage_from_json)
        return Candidate(self.folder(content_hash), lineage)

    def put_report(self, report: Report) -> None:
        """Store the report about a candidate; an inconclusive one gives way to a later one."""
        write_json(self._path("reports", report.content_hash), to_json(report))

    def report(self, content_hash: str) -> Report:
        """The report about a candidate."""
        return self._get("reports", content_hash, Report.from_json)

    def settled_report(self, content_hash: str) -> Report | None:
        """The report about a candidate if it came to a verdict, so that the gate need not run again; else None."""
        if not self._path("reports", content_hash).exists():
            return None
        report = self.report(content_hash)
        return None if report.verdict is Verdict.INCONCLUSIVE else report

    def put_record(self, name: str, raw: dict[str, Any]) -> None:
        """Store what a stage found out, under a name made of content hashes; what is there already stays."""
        self._put("records", name, raw)

    def record(self, name: str) -> dict[str, Any] | None:
        """What a stage found out earlier, or None."""
        if not self._path("records", name).exists():
            return None
        found: dict[str, Any] = self._get("records", name, dict)
        return found

    def put_order(self, order: RepairOrder) -> str:
        """Store a repair order with its brief and candidate; returns its hash."""
        raw = {
            "brief": self.put_brief(order.brief),
            "candidate": self.put_candidate(order.candidate, ORDER_SLOT),
            "findings": [to_json(finding) for finding in order.findings],
            "reason": order.reason,
        }
        name = digest(canonical(raw))
        self._put("orders", name, raw)
        return name

    def order(self, order_hash: str) -> RepairOrder:
        """A stored repair order."""
        return self._get("orders", order_hash, self._order_from_json)

    def _order_from_json(self, raw: dict[str, Any]) -> RepairOrder:
        return RepairOrder(
            brief=self.brief(raw["brief"]),
            candidate=self.candidate(raw["candidate"], ORDER_SLOT),
            findings=tuple(finding_from_json(item) for item in raw["findings"]),
            reason=raw["reason"],
        )

    def _path(self, shelf: str, name: str) -> Path:
        return self.root / shelf / f"{name}.json"

    def _put(self, shelf: str, name: str, raw: dict[str, Any]) -> None:
        path = self._path(shelf, name)
        if not path.exists():
            write_json(path, raw)

    def _get(self, shelf: str, name: str, build: Callable[[dict[str, Any]], T]) -> T:
        path = self._path(shelf, name)
        with disk(f"reading {shelf}/{path.name}", path):
            data = path.read_bytes()
        try:
            return build(json.loads(data))
        except (ValueError, KeyError, TypeError, UsageError) as error:
            raise self._damaged(shelf, name) from error

    def _damaged(self, shelf: str, name: str) -> MachineError:
        return MachineError(
            f"reading {shelf}/{name} of run {self.root.name}",
            "the stored bytes are damaged",
            "start a new run; answers of models are still in the cache",
        )
