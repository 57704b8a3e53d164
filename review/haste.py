"""Approvals that came sooner than a page can be read: told wherever they count, and no rule.

A rule would only be waited out: a script can open a page, sleep and approve. So nothing is refused, and whoever merges,
or approves after another, is told what the record says. It tells how long a page was open, not that anybody read it.
"""

from __future__ import annotations

from review.item import QueueItem
from review.policy import HASTY_SECONDS


def is_hasty(seconds: int) -> bool:
    """Whether so few seconds between the first look and an approval are too few to read the first page."""
    return seconds < HASTY_SECONDS


def hasty_approvals(item: QueueItem) -> tuple[str, ...]:
    """Of the approvals that stand, those that came too soon, in words."""
    found: list[str] = []
    for event in item.decision_events:
        if event.kind not in ("endorsed", "approved"):
            found = []
        elif is_hasty(seconds := int(event.data.get("seconds", 0))):
            looked = f"{seconds} s after the first look" if event.data.get("opened") else "with nothing opened"
            found.append(f"{event.actor} approved it {looked}: too soon to have read the page")
    return tuple(found)
