"""Deciding, taking back, and ordering repairs. The rules are in ``policy.py``.

Each act is one write transaction, so two reviewers cannot both decide the same item.
"""

from __future__ import annotations

from pathlib import Path

from bootcamp_kit.card import VALUE_ALONE
from bootcamp_kit.decision import Choice, Decision, RepairOrder
from bootcamp_kit.errors import ReviewRuleError, UsageError
from bootcamp_kit.report import Finding, Severity, Witness
from review import records
from review.calibration import Style, Truth
from review.item import QueueItem, State
from review.policy import POLICY_VERSION, Facts, kind_of, licence_problem, refusal, two_people, undo_refusal
from review.queue import Queue
from review.risk import facts_of
from review.shared import Shelf, on_disk, other_kits, shown, uncompared


def warnings(item: QueueItem) -> tuple[str, ...]:
    """What an approver should know though it does not forbid approval."""
    found = []
    problem = licence_problem(item.licence)
    if problem:
        found.append(f"{problem}: it can be approved, but never merged until that is mended")
    if item.report.environment.weak:
        found.append(f"checked in a weak sandbox: {', '.join(item.report.environment.weak)}")
    if _asks_a_value_alone(item):
        found.append(
            "a value alone: the rule asks for a value and then for something that reaches it; the task asks for the "
            "value only, so look whether the input decides it"
        )
    return tuple(found)


def _asks_a_value_alone(item: QueueItem) -> bool:
    try:
        return VALUE_ALONE in item.folder.card.tags
    except UsageError:  # changed in the queue: said elsewhere
        return False


def decide(
    queue: Queue,
    ref: str,
    choice: Choice,
    reviewer: str,
    reason: str = "",
    *,
    shown_hash: str,
    library: Path | None = None,
) -> Decision:
    """Decide on one item, and record it.

    Args:
        queue: The queue.
        ref: Names the item.
        choice: What is decided.
        reviewer: ``Name <mail>``; see :func:`review.people.git_identity`.
        reason: Why; needed to reject and to return.
        shown_hash: Content hash of what the reviewer looked at.
        library: The library it is meant for, where it is at hand: its tasks tell whether shared code has changed.

    Raises:
        ReviewRuleError: a rule forbids it.
        UsageError: the reference names no item or several.
    """
    asked = f"{choice} {ref}"
    with queue.change(ref, asked) as change:
        item = change.item
        two_because = needs_two(item, on_disk(library))
        facts = _facts(item, choice, reviewer, reason, shown_hash, change.earlier_authors(), two_because)
        refused = refusal(facts)
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
        looked = change.looked(decision.reviewer)
        data = {
            **records.plain(decision),
            "policy": POLICY_VERSION,
            "risk": item.risk,
            "seconds": looked.seconds,
            "opened": list(looked.opened),
            "warnings": list(warnings(item)),
            "two_because": list(facts.two_because),
        }
        truth = change.truth()
        change.record(kind_of(facts), actor=decision.reviewer, data=data)
        if truth is not None:
            told = {"known": truth.name, "style": truth.style.value, "fault": truth.fault, "decided": choice.value}
            change.record("calibrated", actor=decision.reviewer, data=told)
        change.end_claim()
    return decision


def told_afterwards(item: QueueItem) -> str:
    """What the one who decided is told of an item that was known beforehand; "" for every other."""
    told = next((event.data for event in item.events if event.kind == "calibrated"), None)
    if told is None:
        return ""
    truth = Truth(str(told["known"]), Style(told["style"]), str(told["fault"]))
    return truth.words(approved=told["decided"] == Choice.APPROVE.value)


def _facts(
    item: QueueItem,
    choice: Choice,
    reviewer: str,
    reason: str,
    shown_hash: str,
    earlier: tuple[str, ...],
    two_because: tuple[str, ...],
) -> Facts:
    return Facts(
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
        two_because=two_because,
        approved_by=item.approvers,
        earlier_authors=earlier,
    )


def needs_two(item: QueueItem, shelf: Shelf | None = None) -> tuple[str, ...]:
    """Why two people must approve this item; empty when one is enough, as far as can be told without the library."""
    facts = facts_of(item.folder, item.report, item.lineage)
    return two_people(item.risk, facts, shown(other_kits(shelf, facts.kit)), uncompared(shelf, item))


def undo(queue: Queue, ref: str, reviewer: str) -> str:
    """Take back one's own decision, as long as nothing came after it; the item waits again.

    Returns:
        The kind of the event that was taken back.

    Raises:
        ReviewRuleError: it is not theirs, or something came after it.
        UsageError: the reference names no item or several.
    """
    asked = f"taking back a decision on {ref[:80]}"
    with queue.change(ref, asked) as change:
        last = change.item.events[-1]
        refused = undo_refusal(last_kind=last.kind, last_actor=last.actor, reviewer=reviewer)
        if refused:
            raise ReviewRuleError(asked, refused.found, refused.do)
        change.record("withdrawn", actor=reviewer.strip(), data={"event": last.hash, "kind": last.kind})
    return last.kind


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
