"""Who may decide what: one pure policy function, and the act of deciding.

The policy sees plain facts and answers with a refusal or None; it reads no clock, database or git. Deciding happens in
one write transaction, so two reviewers cannot both decide the same item.
"""

from __future__ import annotations

from dataclasses import dataclass

from bootcamp_kit.brief import UNKNOWN_LICENCE
from bootcamp_kit.decision import Choice, Decision, RepairOrder
from bootcamp_kit.errors import ReviewRuleError
from bootcamp_kit.report import Finding, Severity, Verdict, Witness
from review import records
from review.item import QueueItem, State
from review.people import is_person, same_person
from review.queue import Queue

POLICY_VERSION = "review/1"
MAX_REASON_CHARS = 4_000
KIND = {Choice.APPROVE: "approved", Choice.REJECT: "rejected", Choice.RETURN: "returned"}
"""Choice → the kind of its event."""

ALLOWED = {
    State.QUEUED: (Choice.APPROVE, Choice.REJECT, Choice.RETURN),
    State.APPROVED: (Choice.REJECT, Choice.RETURN),
    State.RETURNED: (Choice.REJECT,),
    State.REJECTED: (),
    State.MERGED: (),
    State.SUPERSEDED: (),
}
"""State → what may be decided in it. An approval can be taken back until it is merged."""

_NO_LICENCE = {UNKNOWN_LICENCE, "noassertion", "none"}


@dataclass(frozen=True, slots=True)
class Facts:
    """All that the policy looks at.

    Attributes:
        shown_hash: Content hash of what the reviewer was shown.
        submitted_hash: Content hash of what was submitted.
        content_hash: Content hash of the bytes that are stored now.
        origin_sound: Whether brief and lineage are those that came in.
        report_about: Content hash the report is about.
        submitted_report: Hash of the report that came with it.
        report_hash: Hash of the report that is stored now.
        claimed_by, claimed_until: Who holds a claim on it, and until when; "" when nobody does.
    """

    choice: Choice
    state: State
    reviewer: str
    author: str
    reason: str
    shown_hash: str
    submitted_hash: str
    content_hash: str
    origin_sound: bool
    report_about: str
    submitted_report: str
    report_hash: str
    verdict: Verdict
    claimed_by: str = ""
    claimed_until: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why not, and what to do."""

    found: str
    do: str


def refusal(facts: Facts) -> Refusal | None:
    """The review rules: the first one that is broken, or None.

    In order: a named person decides, who is not the author; the item's state allows it and nobody else has claimed it;
    a rejection or return says why; what was shown, submitted and stored are the same bytes; and to approve, a report
    about these bytes that passes.
    """
    if not is_person(facts.reviewer):
        return Refusal(
            f"the reviewer {facts.reviewer[:80]!r} is not a named person",
            "set git's user.name and user.email, or give --reviewer 'Name <mail>'",
        )
    if same_person(facts.reviewer, facts.author):
        return Refusal("the reviewer is its author", "somebody else decides")
    if facts.choice not in ALLOWED[facts.state]:
        allowed = " or ".join(ALLOWED[facts.state])
        return Refusal(
            f"it is {facts.state}", f"now one can only {allowed} it" if allowed else "nothing is left to decide"
        )
    if facts.claimed_by and not same_person(facts.claimed_by, facts.reviewer):
        return Refusal(f"{facts.claimed_by} is looking at it until {facts.claimed_until}", "take another item, or wait")
    if facts.choice is not Choice.APPROVE and not facts.reason.strip():
        return Refusal("no reason is given", "say why: --reason TEXT")
    if len(facts.reason) > MAX_REASON_CHARS:
        return Refusal(f"the reason has {len(facts.reason)} characters", f"use at most {MAX_REASON_CHARS}")
    return _stale(facts) or (_unfit(facts) if facts.choice is Choice.APPROVE else None)


def _stale(facts: Facts) -> Refusal | None:
    if facts.content_hash != facts.submitted_hash:
        return Refusal(
            f"its files were changed in the queue: {facts.submitted_hash[:12]} came in, "
            f"{facts.content_hash[:12]} is there",
            "submit the changed candidate as a new one, with a report of its own",
        )
    if not facts.origin_sound:
        return Refusal("its brief or its lineage was changed in the queue", "submit it again")
    if facts.shown_hash != facts.content_hash:
        return Refusal(
            f"what was shown ({facts.shown_hash[:12] or 'nothing'}) is not what would be decided on "
            f"({facts.content_hash[:12]})",
            "look at it again: bootcamp review show",
        )
    return None


def _unfit(facts: Facts) -> Refusal | None:
    if facts.report_about != facts.content_hash:
        return Refusal("its report is about other bytes", "run the checks on this candidate: bootcamp check")
    if facts.report_hash != facts.submitted_report:
        return Refusal("its report was changed in the queue", "run the checks on this candidate: bootcamp check")
    if facts.verdict is not Verdict.PASS:
        do = (
            "return it for repair, or reject it"
            if facts.verdict is Verdict.FAIL
            else "run the checks again: some could not run"
        )
        return Refusal(f"its report says {facts.verdict}", do)
    return None


def warnings(item: QueueItem) -> tuple[str, ...]:
    """What an approver should know though it does not forbid approval."""
    found = []
    if licence_unknown(item.licence):
        found.append("its licence is unknown: it can be approved, but never merged until the licence is known")
    if item.report.environment.weak:
        found.append(f"checked in a weak sandbox: {', '.join(item.report.environment.weak)}")
    return tuple(found)


def decide(queue: Queue, ref: str, choice: Choice, reviewer: str, reason: str = "", *, shown_hash: str) -> Decision:
    """Decide on one item, and record it.

    Args:
        queue: The queue.
        ref: Names the item.
        choice: What is decided.
        reviewer: ``Name <mail>``; see :func:`review.people.git_identity`.
        reason: Why; needed to reject and to return.
        shown_hash: Content hash of what the reviewer looked at.

    Raises:
        ReviewRuleError: a rule forbids it.
        UsageError: the reference names no item or several.
    """
    asked = f"{choice} {ref}"
    with queue.change(ref, asked) as change:
        item = change.item
        refused = refusal(
            Facts(
                choice=choice,
                state=item.state,
                reviewer=reviewer,
                author=item.lineage.author,
                reason=reason,
                shown_hash=shown_hash,
                submitted_hash=item.content_hash,
                content_hash=item.folder.content_hash,
                origin_sound=item.origin_sound,
                report_about=item.report.content_hash,
                submitted_report=item.submitted_report,
                report_hash=item.report.hash,
                verdict=item.report.verdict,
                claimed_by=item.claimed_by,
                claimed_until=item.claimed_until,
            )
        )
        if refused:
            raise ReviewRuleError(asked, refused.found, refused.do)
        decision = Decision(
            choice=choice,
            reviewer=reviewer.strip(),
            author=item.lineage.author,
            content_hash=item.content_hash,
            report_hash=item.report.hash,
            at=change.at,
            reason=reason.strip(),
        )
        data = {**records.plain(decision), "policy": POLICY_VERSION, "warnings": list(warnings(item))}
        change.record(KIND[choice], actor=decision.reviewer, data=data)
        change.end_claim()
    return decision


def return_item(queue: Queue, ref: str, reviewer: str, reason: str, *, shown_hash: str) -> RepairOrder:
    """Send an item back with a reason, and give the order to mend it.

    Raises:
        ReviewRuleError: a rule forbids it.
        UsageError: the reference names no item or several.
    """
    decision = decide(queue, ref, Choice.RETURN, reviewer, reason, shown_hash=shown_hash)
    return repair_order(queue, decision.content_hash)


def repair_order(queue: Queue, ref: str) -> RepairOrder:
    """The order to mend a returned item: what the reviewer said, then what the report found.

    Raises:
        ReviewRuleError: the item was not returned.
        UsageError: the reference names no item or several.
    """
    item = queue.item(ref)
    if item.state is not State.RETURNED:
        raise ReviewRuleError(
            f"repairing {item.ref}", f"it is {item.state}, not returned", "bootcamp review return REF --reason TEXT"
        )
    reason = item.decisions[-1].reason
    said = Finding(
        code="review.returned",
        severity=Severity.MAJOR,
        message=reason,
        witness=Witness(kind="review", seen=reason[:2_000]),
        hint="a person asked for this; mend it first",
    )
    return RepairOrder(
        brief=item.brief, candidate=item.candidate, findings=(said, *item.report.findings), reason=reason
    )


def licence_unknown(licence: str) -> bool:
    """Whether nothing is known of the licence; such a task is never merged."""
    return licence.strip().casefold() in _NO_LICENCE
