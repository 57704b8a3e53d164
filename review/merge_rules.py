"""What may be merged: one pure policy function over plain facts."""

from __future__ import annotations

from dataclasses import dataclass

from bootcamp_kit.decision import Approval
from bootcamp_kit.report import Verdict
from review.people import same_person
from review.policy import Refusal, licence_problem
from review.states import State


@dataclass(frozen=True, slots=True)
class Standing:
    """The task that has this id in the library now.

    Attributes:
        address: ``family/id``.
        content_hash: Of its bytes.
        brief_hashes: Of every brief its record names.
        retired: Whether it was taken out of use.
    """

    address: str
    version: str
    content_hash: str
    brief_hashes: tuple[str, ...]
    retired: bool = False


@dataclass(frozen=True, slots=True)
class MergeFacts:
    """All that the policy looks at.

    Attributes:
        approval: The newest decision, if it is an approval.
        log_sound: Whether every event of the item still has its hash.
        origin_sound: Whether brief and lineage are those that came in.
        submitted_hash: Content hash of what was submitted.
        content_hash: Content hash of the bytes that are stored now.
        exported_hash: Content hash of a folder on disk that should hold the same bytes, or None.
        report_hash: Hash of the report that is stored now.
        report_about: Content hash that report is about.
        address: ``family/id`` from the card.
        expected_id: Task id the item is known by.
        card_licence, brief_licence: SPDX expressions.
        standing: The task of this id in the library, or None.
        compared_with: Content hash of the version that its report compares it with; "" for a new task.
        strangers: Folders in the place of families, where the library holds no task at all.
        two_because: Why two people must have approved it; empty when one is enough.
        approvers: Who approved it.
    """

    state: State
    approval: Approval | None
    log_sound: bool
    origin_sound: bool
    submitted_hash: str
    content_hash: str
    exported_hash: str | None
    report_hash: str
    report_about: str
    verdict: Verdict
    address: str
    expected_id: str
    version: str
    card_licence: str
    brief_licence: str
    brief_hash: str
    parent: str
    standing: Standing | None
    compared_with: str = ""
    strangers: tuple[str, ...] = ()
    two_because: tuple[str, ...] = ()
    approvers: tuple[str, ...] = ()


def merge_refusal(facts: MergeFacts) -> Refusal | None:
    """The merge rules: the first one that is broken, or None.

    In order: it is approved and the log is whole; the bytes and the report are those that were approved; the licence is
    known and the same everywhere; the id is free, or held by an older version of the same task; two people approved
    where two must.
    """
    return _unapproved(facts) or _changed(facts) or _licence(facts) or _identity(facts) or _alone(facts)


def _unapproved(facts: MergeFacts) -> Refusal | None:
    if facts.state is State.QUEUED and facts.approvers:
        do = f"somebody else than {', '.join(facts.approvers)} approves it: bootcamp review approve"
        return Refusal("one person approved it, and it waits for a second", do)
    if facts.state is not State.APPROVED or facts.approval is None:
        do = "approve it first: bootcamp review approve" if facts.state is State.QUEUED else "see bootcamp review show"
        return Refusal(f"it is {facts.state}, not approved", do)
    if not facts.log_sound:
        return Refusal("events of this item were changed after they were written", "see bootcamp review log --verify")
    if not facts.origin_sound:
        return Refusal("its brief or its lineage was changed in the queue", "submit it again, and have it reviewed")
    return None


def _alone(facts: MergeFacts) -> Refusal | None:
    if facts.two_because and not any(
        not same_person(one, other) for one in facts.approvers for other in facts.approvers
    ):
        return Refusal(
            f"two people must approve it ({'; '.join(facts.two_because)}), {len(facts.approvers)} did",
            "a second person approves it, where this library is the one that is set: bootcamp review approve",
        )
    return None


def _changed(facts: MergeFacts) -> Refusal | None:
    assert facts.approval is not None
    approved = facts.approval.decision
    again = "submit the changed candidate as a new one and have it reviewed"
    if not facts.approval.holds_for(facts.content_hash):
        return Refusal(
            f"its content changed since approval: approved {approved.content_hash[:12]}, now {facts.content_hash[:12]}",
            again,
        )
    if facts.submitted_hash != facts.content_hash:
        return Refusal(f"its content is not what was submitted as {facts.submitted_hash[:12]}", again)
    if facts.exported_hash not in (None, facts.content_hash):
        return Refusal(
            f"the exported folder changed since approval: approved {approved.content_hash[:12]}, "
            f"there {str(facts.exported_hash)[:12]}",
            again,
        )
    if facts.report_hash != approved.report_hash or facts.report_about != facts.content_hash:
        return Refusal(
            f"its report changed since approval: approved {approved.report_hash[:12]}, now {facts.report_hash[:12]}",
            "run the checks again, and approve what they say",
        )
    if facts.verdict is not Verdict.PASS:
        return Refusal(f"its report says {facts.verdict}", "return it for repair")
    return None


def _licence(facts: MergeFacts) -> Refusal | None:
    problem = licence_problem(facts.card_licence) or licence_problem(facts.brief_licence)
    if problem:
        return Refusal(
            f"{problem}; such a task can be checked, never merged",
            "find out the licence, write it into the brief as SPDX spells it, and author the task again",
        )
    if facts.card_licence != facts.brief_licence:
        return Refusal(
            f"its card says licence {facts.card_licence}, its brief {facts.brief_licence}", "return it for repair"
        )
    return None


def _identity(facts: MergeFacts) -> Refusal | None:
    _, _, task_id = facts.address.partition("/")
    if task_id != facts.expected_id:
        return Refusal(f"its card names it {task_id}, the queue {facts.expected_id}", "submit it again")
    standing = facts.standing
    if standing is None:
        if facts.compared_with:
            return Refusal(
                f"it is a new version of {facts.compared_with[:12]}, and this library has no task {task_id}",
                "is this the right repository, and up to date? see --library, and git pull",
            )
        if facts.strangers:
            return Refusal(
                f"there is no task in this library, but {', '.join(facts.strangers[:3])}",
                "is this the right repository? name the library's own folder, which may be a new one: --library PATH",
            )
        return None
    if standing.retired:
        return Refusal(f"the task {task_id} was retired", "an id is used once: give the new task another id")
    if standing.address != facts.address:
        return Refusal(
            f"the id {task_id} stands in the library as {standing.address}, this one would be {facts.address}",
            f"an id is used once: give it another id, or the family {standing.address.partition('/')[0]}",
        )
    if standing.content_hash == facts.content_hash:
        return None
    if facts.parent != standing.content_hash and facts.brief_hash not in standing.brief_hashes:
        return Refusal(
            f"the id {task_id} belongs to a task made from another brief", "an id is used once: choose another id"
        )
    if _number(facts.version) <= _number(standing.version):
        return Refusal(
            f"its bytes differ from version {standing.version} in the library, its own version is {facts.version}",
            f"raise version in card.toml above {standing.version}: PATCH when only words change, MINOR when a response "
            "may score differently, MAJOR when cases or prompts change",
        )
    if facts.compared_with not in ("", standing.content_hash):
        return Refusal(
            f"its report says what it changes against {facts.compared_with[:12]}, and {standing.content_hash[:12]} "
            f"(version {standing.version}) stands there now",
            "return it for repair, so that it is compared with what stands",
        )
    return None


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
