"""What waits in the review queue: one line of the list, and one item whole."""

from __future__ import annotations

from dataclasses import dataclass

from bootcamp_kit.brief import Brief
from bootcamp_kit.candidate import Candidate, Lineage
from bootcamp_kit.decision import Approval, Decision
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import Report, Verdict
from review import records
from review.events import Event
from review.states import DECISION_KINDS, OPEN, STATE_AFTER, State

__all__ = ["DECISION_KINDS", "OPEN", "STATE_AFTER", "QueueEntry", "QueueItem", "State"]


@dataclass(frozen=True, slots=True)
class QueueEntry:
    """One line of the list: no files, no report, cheap to read by the thousand.

    Attributes:
        author: Who made it, as in its lineage.
        verdict: The report's, in a word.
        findings: How many findings the report has.
        created: When it was submitted; UTC, ISO 8601 with seconds.
        risk: Points from 0 to 100; see ``risk.py``.
        claimed_by, claimed_until: Who is looking at it and until when; "" when nobody is.
    """

    task_id: str
    family: str
    title: str
    version: str
    content_hash: str
    state: State
    author: str
    licence: str
    verdict: Verdict
    findings: int
    created: str
    risk: int
    claimed_by: str
    claimed_until: str

    @property
    def ref(self) -> str:
        """``task_id@hash``: names this item on the command line."""
        return f"{self.task_id}@{self.content_hash[:12]}"


@dataclass(frozen=True, slots=True)
class QueueItem(QueueEntry):
    """All of one item, as stored.

    ``content_hash`` is what was submitted, ``folder.content_hash`` is of the bytes that are there now.

    Attributes:
        risk_reasons: Why it has its points, the heaviest reason first.
    """

    risk_reasons: tuple[str, ...]
    folder: TaskFolder
    report: Report
    brief: Brief
    lineage: Lineage
    events: tuple[Event, ...]

    @property
    def origin(self) -> str:
        """Where its rule comes from, under which licence, and whom that asks to name: one line."""
        source = self.brief.source
        by = f"by {source.attribution}" if source.attribution else ""
        return ", ".join(filter(None, (source.name, by, f"licence {self.licence}", source.url)))

    @property
    def decision_events(self) -> tuple[Event, ...]:
        """The events of what was decided so far and not taken back, oldest first."""
        standing: list[Event] = []
        for event in self.events:
            if event.kind in DECISION_KINDS:
                standing.append(event)
            elif event.kind == "withdrawn" and standing:
                standing.pop()
        return tuple(standing)

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """What was decided so far and not taken back, oldest first."""
        return tuple(records.decision_from_json(event.data) for event in self.decision_events)

    @property
    def approvers(self) -> tuple[str, ...]:
        """Who approved it since it was last turned down."""
        found: list[str] = []
        for event in self.decision_events:
            found = [*found, event.actor] if event.kind in ("endorsed", "approved") else []
        return tuple(found)

    @property
    def approval(self) -> Approval | None:
        """The approval, if the newest decision is one and needs no second; none while the item waits again."""
        made = self.decision_events
        holds = bool(made) and made[-1].kind == "approved" and self.state is not State.QUEUED
        return Approval(self.decisions[-1]) if holds else None

    @property
    def submitted_report(self) -> str:
        """Hash of the report that came in with it, or with the last re-check; "" when no event says so."""
        hashes = [str(event.data["report_hash"]) for event in self.events if event.kind in ("submitted", "rechecked")]
        return hashes[-1] if hashes else ""

    @property
    def origin_sound(self) -> bool:
        """Whether brief and lineage are, by their hashes, those that came in with it."""
        told = [event.data for event in self.events if event.kind == "submitted"]
        return len(told) == 1 and (told[0].get("brief_hash"), told[0].get("lineage_hash")) == (
            records.stored_hash(self.brief),
            records.stored_hash(self.lineage),
        )

    @property
    def candidate(self) -> Candidate:
        """Folder and lineage together."""
        return Candidate(self.folder, self.lineage)
