"""The desk a coding agent works at: it reads briefs and the contract, hands in candidates, and queues what passed.

The same rules as for every author: id, family, source, licence and version of the card come from the brief, whatever
is handed in; file names are compared with the four asked for and never become paths; only a passed gate opens the
queue; who made what from what is kept. What a client sends is looked up or measured, never used as a name on disk.
"""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from authoring.agents.limits import DeskLimits, checked_files
from authoring.artefacts import turn_slot
from authoring.draft_contract import assemble
from authoring.drafts import ASKED_FOR, DraftProblem, ProblemKind, changed_files
from authoring.events import MAX_DETAIL_CHARS, Event
from authoring.opposition.hearing import CHECK, Opposition, opposition_on, put_opposition
from authoring.outcomes import BriefOutcome, OutcomeKind, RunSummary
from authoring.prompts import Prompts
from authoring.runs import RunFolder, WorkItem
from authoring.testimony import codes
from bootcamp_kit.brief import Brief
from bootcamp_kit.candidate import Candidate, Lineage, Submission
from bootcamp_kit.errors import BootcampError, BudgetError, MachineError, UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.report import CheckResult, Report, Severity, Status, Verdict
from sandbox.escaping import escaped

NO_OPPONENTS = "not opposed: no models are configured for the opponents' parts"
NOT_YET = "opponents were not heard yet"
_WORDS = {Verdict.PASS: "passed", Verdict.FAIL: "failed", Verdict.INCONCLUSIVE: "inconclusive"}


@dataclass(frozen=True, slots=True)
class Measured:
    """A candidate that was handed in, and what its gate says.

    Attributes:
        candidate: Its content hash.
        problem: Why the files are no candidate, in words for their author; "" when they are, and then there is a
            report.
    """

    brief: Brief
    attempt: int
    candidate: str = ""
    parent: str = ""
    problem: str = ""
    report: Report | None = None


@dataclass(frozen=True, slots=True)
class _Attempt:
    brief_hash: str
    slot: str


class Desk:
    """One run of an agent. Safe from several threads; one gate runs at a time.

    Args:
        briefs: What may be worked on.
        run: Where candidates, reports, lineage and events are kept. Its work must not be stored yet, or be these.
        gate: Judges a folder.
        submit: Puts a candidate into the review queue and returns its id there.
        opponents: Hear a candidate that passed; None where no models are configured, and then reports say so.
        clock: UTC now.
        limits: Of this run.
    """

    def __init__(
        self,
        briefs: Sequence[Brief],
        *,
        run: RunFolder,
        gate: Callable[[TaskFolder], Report],
        submit: Callable[[Submission], str],
        clock: Callable[[], datetime],
        opponents: Callable[[Brief, TaskFolder, str], Opposition] | None = None,
        limits: DeskLimits | None = None,
    ) -> None:
        self.run, self._gate, self._submit, self._clock = run, gate, submit, clock
        self.opponents = opponents
        self.limits = limits or DeskLimits()
        self._briefs = {brief.id: brief for brief in briefs}
        self._attempts: dict[str, _Attempt] = {}
        self._turns: dict[str, int] = {}
        self._fresh = False
        self._lock, self._one_gate, self._one_hearing = threading.Lock(), threading.Lock(), threading.Lock()

    def open(self) -> None:
        """Record the work of a new run, or find again what an earlier session handed in."""
        artefacts = self.run.artefacts
        if not (self.run.root / "work.json").exists():
            items = tuple(WorkItem(artefacts.put_brief(brief), brief.id) for brief in self._briefs.values())
            self.run.store_work(items)
            self._fresh = True
            return
        by_hash = {brief.hash: brief for brief in self._briefs.values()}
        for path in sorted((self.run.root / "lineage").glob("*-0-*.json")):
            name, _, slot = path.stem.partition("-")
            lineage = artefacts.candidate(name, slot).lineage
            if lineage.brief_hash in by_hash:
                self._attempts[name] = _Attempt(lineage.brief_hash, slot)
        for event in self.run.events.read():  # a turn without a candidate is a turn too
            turn = event.figures.get("turn")
            if isinstance(turn, int) and event.brief in self._briefs:
                self._turns[event.brief] = max(self._turns.get(event.brief, 0), turn)

    def close(self) -> None:
        """Record how the run stands; what was not queued is open.

        A new run that nothing was handed in to leaves nothing: clients start their servers whenever they start
        themselves, whether they are going to be asked or not.
        """
        if self._fresh and not self._turns:
            shutil.rmtree(self.run.root, ignore_errors=True)
            return
        outcomes = [
            self.run.outcome(brief.hash) or BriefOutcome(brief.id, brief.hash, OutcomeKind.INTERRUPTED, "not queued")
            for brief in self._briefs.values()
        ]
        self.run.put_summary(RunSummary(self.run.run_id, tuple(outcomes)))

    @property
    def briefs(self) -> tuple[Brief, ...]:
        """All of them."""
        return tuple(self._briefs.values())

    def brief(self, brief_id: str) -> Brief:
        """One brief.

        Raises:
            UsageError: there is none of this id.
        """
        if brief_id not in self._briefs:
            raise UsageError(f"brief {brief_id[:80]!r}", "not one of this run's", "list the briefs first")
        return self._briefs[brief_id]

    def standing(self, brief: Brief) -> str:
        """``queued``, or how many turns were used."""
        outcome = self.run.outcome(brief.hash)
        turns = self._turns.get(brief.id, 0)
        return "queued" if outcome and outcome.kind is OutcomeKind.QUEUED else f"{turns} of {self.limits.turns} turns"

    def hand_in(self, brief_id: str, files: Mapping[str, str], author: str) -> Measured:
        """A first draft: all four files.

        Raises:
            UsageError: no such brief, a file name that was not asked for, too large.
            BudgetError: no turns are left.
            MachineError: the sandbox failed; nothing is said about the candidate.
        """
        brief = self.brief(brief_id)
        given = checked_files(files, self.limits)
        missing = [name for name in ASKED_FOR if name not in given]
        if missing:
            raise UsageError("submitting a candidate", f"missing {', '.join(missing)}", "send all four files")
        return self._measured(brief, given, author, parent="", base=None)

    def repair(self, candidate: str, files: Mapping[str, str], author: str) -> Measured:
        """A changed candidate; only the changed files need be sent.

        Raises:
            UsageError, BudgetError, MachineError: as for :meth:`hand_in`, or no such candidate.
        """
        earlier = self._earlier(candidate)
        given = checked_files(files, self.limits)
        if not given:
            raise UsageError("repairing a candidate", "no file is sent", "send the files you changed")
        brief = self._of(earlier)
        return self._measured(brief, given, author, parent=candidate, base=self.run.artefacts.folder(candidate))

    def report(self, candidate: str) -> Report:
        """What the gate said of a candidate, and what opponents did, or why they were not heard.

        Raises:
            UsageError: no such candidate, or its gate did not finish.
        """
        self._earlier(candidate)
        report = self.run.artefacts.settled_report(candidate)
        if report is None:
            raise UsageError(f"report of {candidate[:12]}", "its gate came to no verdict", "submit the candidate again")
        if report.verdict is not Verdict.PASS:
            return report
        heard = opposition_on(candidate, self.run)
        why_not = NOT_YET if self.opponents else NO_OPPONENTS
        said = heard.result() if heard else CheckResult(CHECK, Status.SKIP, why_not)
        return replace(report, results=(*report.results, said))

    def oppose(self, candidate: str) -> Report:
        """Have opponents look at a candidate that passed the gate, once for the same bytes; the report with theirs.

        Raises:
            UsageError: no such candidate, or it has not passed the gate.
            ProviderError, MachineError, BudgetError: they could not be heard; nothing is said about the candidate.
        """
        attempt = self._earlier(candidate)
        brief, report = self._of(attempt), self.report(candidate)
        if self.opponents is None or opposition_on(candidate, self.run):
            return report
        if report.verdict is not Verdict.PASS:
            raise UsageError(f"opposing {candidate[:12]}", f"the gate says {report.verdict.value}", "repair it first")
        with self._one_hearing:
            if opposition_on(candidate, self.run) is None:
                self._tell(brief.id, "oppose", "started", candidate)
                turn = int(attempt.slot.rpartition("-")[2])
                try:
                    found = self.opponents(brief, self.run.artefacts.folder(candidate), f"{brief.id}-c0-t{turn}")
                except BootcampError as error:
                    self._tell(brief.id, "oppose", "troubled", str(error), turn=turn)
                    raise
                put_opposition(candidate, found, self.run)
                what, counts = ("contested" if found.objections else "stood"), found.figures
                figures = {key: value for key, value in counts.items() if isinstance(value, int)}
                self._tell(brief.id, "oppose", what, found.words, turn=turn, **figures)
        return self.report(candidate)

    def files(self, candidate: str) -> dict[str, str]:
        """The four files of a candidate, as they are judged: with the card the desk completed."""
        self._earlier(candidate)
        folder = self.run.artefacts.folder(candidate)
        return {name: folder.files[name].decode("utf-8", "replace") for name in ASKED_FOR}

    def queue(self, candidate: str, author: str) -> str:
        """Put a candidate that passed its gate before a reviewer, opponents heard; the same one twice is one item.

        Raises:
            UsageError: no such candidate, it has not passed, or opponents confirmed a fault.
            ProviderError, MachineError, BudgetError: opponents could not be heard.
        """
        attempt = self._earlier(candidate)
        brief = self._of(attempt)
        report = self.report(candidate)
        if report.verdict is Verdict.FAIL and opposition_on(candidate, self.run):
            raise _confirmed(candidate, report)
        if report.verdict is not Verdict.PASS:
            raise UsageError(
                f"queueing {candidate[:12]}",
                f"the gate says {report.verdict.value}",
                "repair it: only a candidate that passed is queued",
            )
        report = self.oppose(candidate)
        if report.verdict is not Verdict.PASS:
            raise _confirmed(candidate, report)
        made = self.run.artefacts.candidate(candidate, attempt.slot)
        if opposition_on(candidate, self.run):
            prompts = dict(made.lineage.prompts) | dict(Prompts().hashes_of(["oppose"]))
            made = replace(made, lineage=replace(made.lineage, prompts=tuple(prompts.items())))
        queue_id = self._submit(Submission(made, brief, report))
        turns = self._turns.get(brief.id, 0)
        self.run.put_outcome(
            BriefOutcome(brief.id, brief.hash, OutcomeKind.QUEUED, "", candidate, queue_id, turns, stage="queue")
        )
        self._tell(brief.id, "finish", OutcomeKind.QUEUED.value, f"{queue_id} by {author}")
        return queue_id

    def _measured(
        self, brief: Brief, files: Mapping[str, str], author: str, *, parent: str, base: TaskFolder | None
    ) -> Measured:
        number = self._next_turn(brief)
        node = "repair" if parent else "draft"
        self._tell(brief.id, node, "started")
        try:
            folder = assemble(changed_files(files, base) if base else files, brief, author=author, base=base)
            if base and folder.content_hash == base.content_hash:  # a card can differ only in what is ours to say
                raise DraftProblem(ProblemKind.UNCHANGED, "every file is as it was; change what the findings are about")
        except DraftProblem as problem:
            self._tell(brief.id, node, "unusable", str(problem), turn=number)
            return Measured(brief, number, parent=parent, problem=problem.message)
        lineage = Lineage(author, brief.hash, attempt=number, parent=parent, run=self.run.run_id)
        candidate = Candidate(folder, lineage)
        slot = turn_slot(0, number)
        self.run.artefacts.put_candidate(candidate, slot)
        with self._lock:
            self._attempts.setdefault(candidate.content_hash, _Attempt(brief.hash, slot))
        self._tell(brief.id, node, "drafted", candidate.content_hash, turn=number)
        report = self._judged(brief, candidate, number)
        return Measured(brief, number, candidate.content_hash, parent, report=report)

    def _judged(self, brief: Brief, candidate: Candidate, turn: int) -> Report:
        artefacts = self.run.artefacts
        known = artefacts.settled_report(candidate.content_hash)
        self._tell(brief.id, "check", "started", candidate.content_hash)
        if known is None:
            with self._one_gate:
                try:
                    known = self._gate(candidate.folder)
                except MachineError as error:
                    self._tell(brief.id, "check", "troubled", str(error), turn=turn)
                    raise
            artefacts.put_report(known)
        heavy = [item.code for item in known.findings if item.severity.rank >= Severity.MAJOR.rank]
        codes = ", ".join(list(dict.fromkeys(heavy))[:8])
        self._tell(brief.id, "check", _WORDS[known.verdict], codes, turn=turn, heavy=len(heavy))
        return known

    def _next_turn(self, brief: Brief) -> int:
        with self._lock:
            used = self._turns.get(brief.id, 0)
            if used >= self.limits.turns:
                raise BudgetError(f"working on {brief.id}", f"all {used} turns are used", "go on with another brief")
            self._turns[brief.id] = used + 1
            return used + 1

    def _earlier(self, candidate: str) -> _Attempt:
        with self._lock:
            attempt = self._attempts.get(candidate)
        if attempt is None:
            raise UsageError(
                f"candidate {candidate[:80]!r}", "not handed in in this run", "name it by the hash submit gave back"
            )
        return attempt

    def _of(self, attempt: _Attempt) -> Brief:
        return next(brief for brief in self._briefs.values() if brief.hash == attempt.brief_hash)

    def _tell(self, brief_id: str, node: str, what: str, detail: str = "", **figures: int) -> None:
        at = self._clock().isoformat(timespec="milliseconds")
        self.run.events.append(Event(at, brief_id, 0, node, what, escaped(detail, MAX_DETAIL_CHARS), figures))


def _confirmed(candidate: str, report: Report) -> UsageError:
    found = codes([finding for finding in report.findings if finding.severity is Severity.BLOCKER])
    return UsageError(
        f"queueing {candidate[:12]}", f"opponents confirmed {found}", "read_report shows the witnesses; repair it"
    )
