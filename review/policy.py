"""The review rules: who may decide what, as pure functions of plain facts. They read no clock, database or git."""

from __future__ import annotations

from dataclasses import dataclass

from bootcamp_kit.brief import UNKNOWN_LICENCE
from bootcamp_kit.decision import Choice
from bootcamp_kit.report import Verdict
from review.people import is_person, same_person
from review.risk import RiskFacts
from review.states import DECISION_KINDS, State

POLICY_VERSION = "review/5"
TWO_PEOPLE_FROM = 60
"""From this risk on two people approve."""
HASTY_SECONDS = 20
"""An approval so soon after the first look is told as hasty. The quickest one of a first walk-through took 64 s."""
MAX_REASON_CHARS = 4_000
_KIND = {Choice.APPROVE: "approved", Choice.REJECT: "rejected", Choice.RETURN: "returned"}
ALLOWED = {
    State.QUEUED: (Choice.APPROVE, Choice.REJECT, Choice.RETURN),
    State.APPROVED: (Choice.REJECT, Choice.RETURN),
    State.RETURNED: (Choice.REJECT,),
    State.REJECTED: (),
    State.MERGED: (),
    State.SUPERSEDED: (),
}
"""State → what may be decided in it. An approval can be taken back until it is merged. See also ``_wants_a_second``."""

_NOTHING_LEFT = {
    State.REJECTED: "nothing is left to decide",
    State.MERGED: "nothing is left to decide; `bootcamp review retire` takes a task out of use",
    State.SUPERSEDED: "nothing is left to decide; what came in its place, if anything, is in the list",
}
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
        two_because: Why two people must approve; empty when one is enough.
        approved_by: Who approved it since it was last turned down.
        earlier_authors: Who made the attempts that it was repaired from.
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
    two_because: tuple[str, ...] = ()
    approved_by: tuple[str, ...] = ()
    earlier_authors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why not, and what to do."""

    found: str
    do: str


def refusal(facts: Facts) -> Refusal | None:
    """The review rules: the first one that is broken, or None.

    In order: a named person decides, who is not the author; the item's state allows it; the second approval is another
    person's; nobody else has claimed it; a rejection or return says why; what was shown, submitted and stored are the
    same bytes; and to approve, a report about these bytes that passes.
    """
    if not is_person(facts.reviewer):
        return Refusal(
            f"the reviewer {facts.reviewer[:80]!r} is not a named person",
            "set git's user.name and user.email, or give --reviewer 'Name <mail>'",
        )
    if same_person(facts.reviewer, facts.author):
        return Refusal("the reviewer is its author", "somebody else decides")
    if facts.choice not in ALLOWED[facts.state] and not _wants_a_second(facts):
        allowed = " or ".join(ALLOWED[facts.state])
        return Refusal(
            f"it is {facts.state}", f"what can still be decided: {allowed}" if allowed else _NOTHING_LEFT[facts.state]
        )
    if facts.choice is Choice.APPROVE and any(same_person(facts.reviewer, one) for one in facts.approved_by):
        return Refusal("you approved it already; it needs a second person", "somebody else approves")
    if facts.claimed_by and not same_person(facts.claimed_by, facts.reviewer):
        return Refusal(f"{facts.claimed_by} is looking at it until {facts.claimed_until}", "take another item, or wait")
    if facts.choice is not Choice.APPROVE and not facts.reason.strip():
        return Refusal("no reason is given", "say why: --reason TEXT")
    if len(facts.reason) > MAX_REASON_CHARS:
        return Refusal(f"the reason has {len(facts.reason)} characters", f"use at most {MAX_REASON_CHARS}")
    return _stale(facts) or (_unfit(facts) if facts.choice is Choice.APPROVE else None)


def _wants_a_second(facts: Facts) -> bool:
    """Whether it was approved by one where two must: by an older policy, or without the library at hand."""
    one = bool(facts.approved_by) and all(same_person(facts.approved_by[0], other) for other in facts.approved_by)
    return facts.choice is Choice.APPROVE and facts.state is State.APPROVED and bool(facts.two_because) and one


def _stale(facts: Facts) -> Refusal | None:
    if facts.content_hash != facts.submitted_hash:
        return Refusal(
            f"its files were changed in the queue: {facts.submitted_hash[:12]} came in, "
            f"{facts.content_hash[:12]} is there",
            "submit the changed candidate as a new one, with a report of its own",
        )
    if not facts.origin_sound:
        return Refusal("its brief or its lineage was changed in the queue", "submit it again")
    if not facts.shown_hash:
        return Refusal(
            f"nothing of it was opened by {facts.reviewer[:80]}",
            f"look at it first, as the same person: bootcamp review show {facts.content_hash[:12]}",
        )
    if facts.shown_hash != facts.content_hash:
        return Refusal(
            f"what was shown ({facts.shown_hash[:12]}) is not what would be decided on ({facts.content_hash[:12]})",
            f"look at it again: bootcamp review show {facts.content_hash[:12]}",
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


def kind_of(facts: Facts) -> str:
    """The event that an allowed decision becomes: the first of two approvals is an endorsement.

    Who made an earlier attempt of it may approve it, but not alone.
    """
    had_a_hand = any(same_person(facts.reviewer, one) for one in facts.earlier_authors)
    if facts.choice is Choice.APPROVE and (facts.two_because or had_a_hand) and not facts.approved_by:
        return "endorsed"
    return _KIND[facts.choice]


def two_people(risk: int, facts: RiskFacts, other_kits: str = "", uncompared: str = "") -> tuple[str, ...]:
    """Why two people must approve, or nothing.

    Verifier code that is *shared* is code that others rely on already. There are two kinds of it:

    * the kit, which reads and scores for every task. It comes with the program and never as a candidate. The first
      candidate that was measured under a kit which no merged task of the library records is looked at by two;
    * the code of a merged task, which people train on and pin. A new version under which verdicts were seen to differ
      is looked at by two, and so is one that nothing compared with it; one under which none was is like any other.

    Any other file outside of the candidate's own folder no merge touches: there git's own review decides.

    Args:
        risk: Points.
        facts: Out of the candidate and its report.
        other_kits: The kits that the library's tasks record, in words, where this candidate's is none of them; "" where
            it is, or where no library is at hand: the merge asks again.
        uncompared: The merged task that it is a new version of, where its report does not compare the two; else "".
    """
    reasons = (
        (facts.partial_credit, "it gives partial credit"),
        (facts.tolerance > 0, f"it tolerates {facts.tolerance:g}"),
        (risk >= TWO_PEOPLE_FROM, f"its risk is {risk}, from {TWO_PEOPLE_FROM} on two people look"),
        (facts.flips > 0, f"it changes verdicts of a merged task ({facts.flips} seen), whose verifier others use"),
        (bool(uncompared), f"its report does not say which verdicts of {uncompared} change, whose verifier others use"),
        (
            bool(other_kits),
            f"it was measured under kit {facts.kit}, the library's tasks under {other_kits}: code that all verifiers "
            "share has changed",
        ),
    )
    return tuple(why for holds, why in reasons if holds)


def undo_refusal(*, last_kind: str, last_actor: str, reviewer: str) -> Refusal | None:
    """Why the newest thing that happened to an item cannot be taken back by this person, or None."""
    if last_kind not in DECISION_KINDS:
        return Refusal(f"the last thing that happened to it is: {last_kind}", "only a decision can be taken back")
    if not same_person(last_actor, reviewer):
        return Refusal(f"{last_actor} decided that", "who decided takes it back; or decide anew")
    return None


def licence_problem(licence: str) -> str:
    """Why a task under this licence is never merged; "" for an SPDX expression of licences on SPDX's list.

    ``LicenseRef-…`` passes: SPDX allows it, and a reviewer sees it.
    """
    from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

    if licence.strip().casefold() in _NO_LICENCE:
        return "its licence is unknown"
    try:
        canonical = canonicalize_license_expression(licence)
    except InvalidLicenseExpression:
        return f"its licence {licence[:80]!r} is no SPDX licence expression"
    return "" if canonical == licence else f"its licence {licence[:80]!r} is spelled {canonical} on SPDX's list"
