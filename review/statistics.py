"""How reviewers do: what each decided, how long it took, what they opened, and where two looked at the same item.

Read off the event log alone, so it says what happened and nothing else. Agreement is counted over items on which two
people decided independently of what became of them; its bounds are exact (Clopper and Pearson, two-sided 95 %).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median

from review.events import Event
from review.haste import is_hasty
from review.opinions import JUDGED
from review.people import same_person
from review.states import DECISION_KINDS
from sandbox.checks.bounds import lower_bound, upper_bound

CONFIDENCE = 0.95
_YES = ("endorsed", "approved")


@dataclass(slots=True)
class _Tally:
    approved: int = 0
    rejected: int = 0
    returned: int = 0
    withdrawn: int = 0
    seconds: list[int] = field(default_factory=list)
    unseen: int = 0
    hasty: int = 0
    pairs: int = 0
    pairs_agreed: int = 0
    broken: int = 0
    caught: int = 0
    silent: int = 0
    silent_caught: int = 0
    sound: int = 0
    alarms: int = 0


@dataclass(frozen=True, slots=True)
class Rate:
    """How many of how many, and the exact two-sided 95 % bounds of the share."""

    hits: int
    n: int
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Reviewer:
    """One person's figures.

    Attributes:
        seconds: Median of the time per decision, where it is on record; None without one.
        unseen: Decisions before which nothing was opened here.
        hasty: Approvals that came sooner after the first look than a page can be read; ``unseen`` ones do not count.
        pairs, pairs_agreed: Blind pairs judged before a decision, and how many as the task says.
        caught: Of items known to be broken, those not approved.
        silent_caught: The same of those whose report did not show the fault.
        false_alarms: Of items known to be sound, those not approved.

    Known items count in these three alone, not among the decisions.
    """

    name: str
    approved: int
    rejected: int
    returned: int
    withdrawn: int
    seconds: float | None
    unseen: int
    hasty: int
    pairs: int
    pairs_agreed: int
    caught: Rate
    silent_caught: Rate
    false_alarms: Rate


@dataclass(frozen=True, slots=True)
class Agreement:
    """Over items that two people decided: how many, on how many they agreed, and the 95 % bounds of that share."""

    items: int
    agreed: int
    low: float
    high: float


def reviewers(log: Iterable[Event]) -> list[Reviewer]:
    """Each person's figures, the busiest first; one mail address is one person."""
    events = list(log)
    known = _known(events)
    tallies: dict[str, _Tally] = {}
    for event in events:
        if event.kind not in (*DECISION_KINDS, "withdrawn", "calibrated"):
            continue
        name = next((other for other in tallies if same_person(other, event.actor)), event.actor)
        tally = tallies.setdefault(name, _Tally())
        if event.kind == "calibrated":
            _calibrate(tally, event)
        elif event.content_hash not in known:
            _count(tally, event)
    found = [_figures(name, tally) for name, tally in tallies.items()]
    return sorted(found, key=lambda one: -(one.approved + one.rejected + one.returned))


def _known(events: Iterable[Event]) -> set[str]:
    return {event.content_hash for event in events if event.kind == "calibrated"}


def _figures(name: str, t: _Tally) -> Reviewer:
    return Reviewer(
        name, t.approved, t.rejected, t.returned, t.withdrawn, median(t.seconds) if t.seconds else None, t.unseen,
        t.hasty, t.pairs, t.pairs_agreed,
        rate(t.caught, t.broken), rate(t.silent_caught, t.silent), rate(t.alarms, t.sound),
    )  # fmt: skip


def _calibrate(tally: _Tally, event: Event) -> None:
    down = event.data.get("decided") != "approve"
    style = event.data.get("style")
    if style == "sound":
        tally.sound += 1
        tally.alarms += down
        return
    tally.broken += 1
    tally.caught += down
    if style == "silent":
        tally.silent += 1
        tally.silent_caught += down


def rate(hits: int, n: int) -> Rate:
    """A share with its bounds; from 0 to 1 where nothing was counted."""
    return Rate(hits, n, *_bounds(hits, n))


def _count(tally: _Tally, event: Event) -> None:
    if event.kind == "withdrawn":
        tally.withdrawn += 1
        return
    tally.approved += event.kind in _YES
    tally.rejected += event.kind == "rejected"
    tally.returned += event.kind == "returned"
    opened = [str(what) for what in event.data.get("opened", [])]
    if opened:
        tally.seconds.append(int(event.data.get("seconds", 0)))
        tally.hasty += event.kind in _YES and is_hasty(tally.seconds[-1])
    else:
        tally.unseen += 1
    pairs = [what for what in opened if what.startswith(JUDGED) and what.endswith((": agreed", ": DISAGREED"))]
    tally.pairs += len(pairs)
    tally.pairs_agreed += sum(what.endswith(": agreed") for what in pairs)


def agreement(log: Iterable[Event]) -> Agreement:
    """How often the second person on an item decided as the first did (approve, or not)."""
    events = list(log)
    known = _known(events)
    first: dict[str, Event] = {}
    second: dict[str, Event] = {}
    for event in events:
        if event.kind not in DECISION_KINDS or event.content_hash in second or event.content_hash in known:
            continue
        before = first.setdefault(event.content_hash, event)
        if not same_person(before.actor, event.actor):
            second[event.content_hash] = event
    agreed = sum((first[key].kind in _YES) == (event.kind in _YES) for key, event in second.items())
    low, high = _bounds(agreed, len(second))
    return Agreement(len(second), agreed, low, high)


def _bounds(successes: int, trials: int) -> tuple[float, float]:
    if not trials:
        return 0.0, 1.0
    one_sided = (1 + CONFIDENCE) / 2
    return lower_bound(successes, trials, one_sided), upper_bound(successes, trials, one_sided)
