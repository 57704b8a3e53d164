"""What must not be overlooked about an item, in words: the same on every screen and as plain lines."""

from __future__ import annotations

from dataclasses import dataclass

from review.decide import needs_two, warnings
from review.haste import hasty_approvals
from review.item import QueueItem
from review.people import same_person


@dataclass(frozen=True, slots=True)
class Alarm:
    """One of them; ``grave`` ones make the rest worthless, ``note`` ones a reviewer should know."""

    text: str
    kind: str = ""


def alarms(item: QueueItem, reader: str = "") -> list[Alarm]:
    """All of them; that the reader's own claim holds need not be said."""
    found = []
    if item.claimed_by and not same_person(item.claimed_by, reader):
        found.append(Alarm(f"claimed by: {item.claimed_by} until {item.claimed_until[11:16]} UTC"))
    if item.folder.content_hash != item.content_hash or not item.origin_sound:
        found.append(Alarm("CHANGED IN THE QUEUE: what is stored is not what was submitted", "grave"))
    if item.approvers and item.approval is None:
        found.append(Alarm(f"first approval by: {', '.join(item.approvers)}"))
    found += [Alarm(f"note: {text}", "note") for text in (*hasty_approvals(item), *warnings(item))]
    if because := needs_two(item):
        found.append(Alarm(f"note: two people must approve it: {'; '.join(because)}", "note"))
    return found
