"""Merges an approved item into the library's git repository: exactly one folder, exactly one commit, all or nothing.

Steps: finish what a killed merge left → judge (``merge_rules``) → look whether the commit is there already → make the
commit apart (``commit``) → inside a queue transaction, judge again, move the branch (``publish``), record the event.
A kill before the branch moves leaves nothing behind; a kill after it is finished by the next merge, which finds the
commit by its trailers and records it instead of making a second one.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from bootcamp_kit.card import Card
from bootcamp_kit.errors import ReviewRuleError, UsageError
from bootcamp_kit.folder import EVIDENCE, TaskFolder
from review import evidence, since
from review.checkout import Checkout
from review.commit import prepare
from review.committed import Committed
from review.decide import needs_two
from review.item import QueueItem, State
from review.merge_rules import MergeFacts, Standing, merge_refusal
from review.people import name_and_mail
from review.publish import publish, recover
from review.queue import Clock, Queue, utc_now
from review.visible import one_line


@dataclass(frozen=True, slots=True)
class Merged:
    """What a merge did.

    Attributes:
        commit: Hex object id.
        path: The task's folder on disk.
        new: False when the commit was there already.
        signed: Whether git signed it.
        notes: What else happened, e.g. an interrupted merge that was finished.
    """

    commit: str
    path: Path
    new: bool
    signed: bool
    notes: tuple[str, ...] = ()


def merge(
    queue: Queue,
    ref: str,
    library: Path,
    *,
    identity: str,
    clock: Clock = utc_now,
    exported: Path | None = None,
) -> Merged:
    """Commit one approved item into the library.

    Args:
        queue: The queue.
        ref: Names the item.
        library: The library's folder inside a git checkout.
        identity: Who merges, ``Name <mail>``: author and committer of the commit.
        clock: Says what time it is.
        exported: A folder on disk that should still hold the approved bytes; merging refuses when it does not.

    Raises:
        ReviewRuleError: a rule, the state of the checkout or a hook forbids it; nothing was changed.
        UsageError: the reference names no item or several.
        MachineError: git, disk or database failed.
    """
    item = queue.item(ref)
    asked = f"merging {item.ref}"
    name_and_mail(identity)
    exported_hash = TaskFolder.read(exported).content_hash if exported else None
    checkout = Checkout.open(library)
    with checkout.exclusively() as holding:
        done = recover(checkout)
        notes = (done,) if done else ()
        branch, head = checkout.refuse_unless_ready(asked)
        there = _commit_of(checkout, head, item)
        library_id = checkout.first_commit(head)
        if item.state is State.MERGED and (there or not _elsewhere(item, library_id)):
            return _merged_before(checkout, item, there, asked, notes)
        card = _refuse(checkout, head, item, exported_hash, asked, library_id)
        place = checkout.root / checkout.path_of(card.address)
        if there:
            _record(queue, item, there, card, identity, library_id)
            return Merged(there, place, False, _signed(checkout, there), notes)
        folder = checkout.path_of(card.address)
        files, updating = _files(queue, item, checkout.files(head, folder), card)
        prepared = prepare(
            checkout,
            branch=branch,
            parent=head,
            folder=folder,
            files=files,
            message=_message(item, card, updating=updating),
            identity=identity,
            at=clock(),
        )
        with queue.change(item.content_hash, asked) as change:
            _refuse(checkout, head, change.item, exported_hash, asked, library_id)
            publish(checkout, prepared, holding=holding)
            change.record("merged", actor=identity, data=_merge_facts(prepared.commit, card, library_id))
    return Merged(prepared.commit, place, True, prepared.signed, notes)


def _refuse(
    checkout: Checkout, head: str, item: QueueItem, exported_hash: str | None, asked: str, library_id: str
) -> Card:
    """Judge by the merge rules; returns the card when none is broken."""
    try:
        card = item.folder.card
    except UsageError as error:
        raise ReviewRuleError(asked, f"its card cannot be read: {error.found}", "return it for repair") from error
    refused = merge_refusal(
        MergeFacts(
            # What was merged into other libraries only stays approved for this one.
            state=State.APPROVED if item.state is State.MERGED and _elsewhere(item, library_id) else item.state,
            approval=item.approval,
            log_sound=all(event.sound for event in item.events),
            origin_sound=item.origin_sound,
            submitted_hash=item.content_hash,
            content_hash=item.folder.content_hash,
            exported_hash=exported_hash,
            report_hash=item.report.hash,
            report_about=item.report.content_hash,
            verdict=item.report.verdict,
            address=card.address,
            expected_id=item.task_id,
            version=card.version,
            card_licence=card.source.licence,
            brief_licence=item.brief.source.licence,
            brief_hash=item.lineage.brief_hash,
            parent=item.lineage.parent,
            standing=_standing(checkout, head, card, asked),
            strangers=_strangers(checkout, head, card.address.partition("/")[0]),
            compared_with=str((since.figures(item.report) or {}).get("since_content", "")),
            two_because=needs_two(item, Committed(checkout, head)),
            approvers=item.approvers,
        )
    )
    if refused:
        raise ReviewRuleError(asked, refused.found, refused.do)
    return card


def _strangers(checkout: Checkout, head: str, family: str) -> tuple[str, ...]:
    """Committed folders of something else in a place that holds no task: somebody else's repository."""
    if Committed(checkout, head).holds_tasks():
        return ()
    return tuple(name for name in checkout.families(head) if name != family and not name.startswith((".", "__")))


def _standing(checkout: Checkout, head: str, card: Card, asked: str) -> Standing | None:
    places = checkout.places_of(head, card.id)
    if not places:
        return None
    address = next((place for place in places if place != card.address), places[0])
    files = checkout.files(head, checkout.path_of(address))
    task = {path: data for path, data in files.items() if not path.startswith(f"{EVIDENCE}/")}
    try:
        folder = TaskFolder(task)
        version = folder.card.version
    except UsageError as error:
        raise ReviewRuleError(
            asked, f"the library's own {address} cannot be read: {error.asked}: {error.found}", "mend it first"
        ) from error
    record = evidence.read_record(files[evidence.RECORD], address) if evidence.RECORD in files else {}
    briefs = tuple(str(entry.get("brief_hash", "")) for entry in record.get("lineage", []))
    return Standing(address, version, folder.content_hash, briefs, "retired" in record)


def _files(queue: Queue, item: QueueItem, before: dict[str, bytes], card: Card) -> tuple[dict[str, bytes], bool]:
    """All files the folder will have: the task's, new evidence, and evidence of other kinds that stands there."""
    kept = {path: data for path, data in before.items() if path.startswith(f"{EVIDENCE}/")}
    existing = evidence.read_record(kept[evidence.RECORD], card.address) if evidence.RECORD in kept else None
    record = evidence.make_record(item, queue.ancestors(item), existing)
    files = {
        **item.folder.files,
        **kept,
        evidence.RECORD: record,
        evidence.REPORT: evidence.make_report(item.report),
    }
    return files, bool(before)


def _message(item: QueueItem, card: Card, *, updating: bool) -> str:
    approval = item.approval
    assert approval is not None, "judged before"
    decision = approval.decision
    trailers = {
        "Task": card.id,
        "Content-Hash": decision.content_hash,
        "Report-Hash": decision.report_hash,
        "Brief-Hash": item.lineage.brief_hash,
        "Made-by": one_line(item.lineage.author),
    }
    lines = "".join(f"{key}: {value}\n" for key, value in trailers.items())
    lines += "".join(f"Reviewed-by: {person}\n" for person in item.approvers)
    verb = "Update" if updating else "Add"
    return f"{verb} task {card.address} ({card.version})\n\n{one_line(card.title)}\n\n{lines}"


def _commit_of(checkout: Checkout, head: str, item: QueueItem) -> str | None:
    """The commit that merged exactly these bytes, if the library has them now."""
    for address in checkout.places_of(head, item.task_id):
        folder = checkout.path_of(address)
        pattern = f"Content-Hash: {item.content_hash}"
        search = ("log", "-1", "--format=%H", "--fixed-strings", f"--grep={pattern}", head, "--", folder)
        found = os.fsdecode(checkout.run("--literal-pathspecs", *search)).strip()
        files = checkout.files(head, folder)
        task = {path: data for path, data in files.items() if not path.startswith(f"{EVIDENCE}/")}
        if found and evidence.RECORD in files and task == dict(item.folder.files):
            return found
    return None


def _merged_before(
    checkout: Checkout, item: QueueItem, there: str | None, asked: str, notes: tuple[str, ...]
) -> Merged:
    if there is None:
        commit = next((str(event.data["commit"]) for event in item.events if event.kind == "merged"), "?")
        raise ReviewRuleError(
            asked,
            f"it was merged before, as commit {commit[:12]}, which this checkout of the library has not",
            "pull it: git pull",
        )
    place = checkout.root / checkout.path_of(f"{item.family}/{item.task_id}")
    return Merged(there, place, False, _signed(checkout, there), notes)


def _record(queue: Queue, item: QueueItem, commit: str, card: Card, identity: str, library_id: str) -> None:
    with queue.change(item.content_hash, f"recording the merge of {item.ref}") as change:
        if change.item.state is State.APPROVED:
            change.record("merged", actor=identity, data=_merge_facts(commit, card, library_id))


def _merge_facts(commit: str, card: Card, library_id: str) -> dict[str, str]:
    return {"commit": commit, "task": card.address, "library": library_id}


def _elsewhere(item: QueueItem, library_id: str) -> bool:
    """Whether it was merged into other repositories only, told by their first commits."""
    known = [str(event.data.get("library", "")) for event in item.events if event.kind == "merged"]
    return all(known) and library_id not in known


def _signed(checkout: Checkout, commit: str) -> bool:
    return b"\ngpgsig" in checkout.run("cat-file", "commit", commit).split(b"\n\n", 1)[0]
