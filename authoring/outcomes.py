"""What became of a brief, and of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from bootcamp_kit.errors import BootcampError
from bootcamp_kit.jsondata import Json


class OutcomeKind(StrEnum):
    """The end of a brief.

    ``queued`` waits for a reviewer · ``refused`` the author will not do it · ``exhausted`` no candidate passed the gate
    in the turns allowed, or it did not hold against opponents and solvers · ``failed`` machine or provider, nobody's
    task is to blame · ``over budget`` a limit of the run was reached first · ``interrupted`` not done yet. The last
    three are taken up again when the run is resumed.
    """

    QUEUED = "queued"
    REFUSED = "refused"
    EXHAUSTED = "exhausted"
    FAILED = "failed"
    OVER_BUDGET = "over budget"
    INTERRUPTED = "interrupted"

    @property
    def final(self) -> bool:
        """Whether resuming the run leaves it as it is."""
        return self not in (OutcomeKind.FAILED, OutcomeKind.OVER_BUDGET, OutcomeKind.INTERRUPTED)


@dataclass(frozen=True, slots=True)
class BriefOutcome:
    """What became of one brief.

    Attributes:
        reason: Why, for every kind but ``queued``; may hold text of a model or a candidate.
        content_hash: The queued candidate, or the best one when none passed, or "".
        queue_id: What ``submit`` gave back, for ``queued``.
        turns: Turns the author took, over all candidates.
        stage: Where the brief ended: ``draft``, ``check``, ``oppose``, ``calibrate`` or ``queue``; "" before all.
        calls, tokens: Model calls that were paid for this brief in this run, of all roles; calls from the cache not
            counted.
        usd: What they cost; None where a price is not known.
    """

    brief_id: str
    brief_hash: str
    kind: OutcomeKind
    reason: str = ""
    content_hash: str = ""
    queue_id: str = ""
    turns: int = 0
    stage: str = ""
    calls: int = 0
    tokens: int = 0
    usd: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", OutcomeKind(self.kind))

    def to_json(self) -> dict[str, Json]:
        """As JSON data; ``BriefOutcome(**data)`` rebuilds it."""
        return {**asdict(self), "kind": self.kind.value}


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What became of a run.

    Attributes:
        outcomes: In the order the briefs were given; one for each.
        stopped_by: The error that ended the run early, or None. What was not done is ``interrupted``.
        stopped_why: In words, when it was ended early, by an error or by the user; else "".
    """

    run_id: str
    outcomes: tuple[BriefOutcome, ...]
    stopped_by: BootcampError | None = None
    stopped_why: str = ""

    @property
    def counts(self) -> Mapping[OutcomeKind, int]:
        """How many briefs ended in each way."""
        found = Counter(outcome.kind for outcome in self.outcomes)
        return {kind: found[kind] for kind in OutcomeKind}

    def to_json(self) -> dict[str, Any]:
        """For ``summary.json``."""
        return {
            "schema": 1,
            "run_id": self.run_id,
            "counts": {kind.value: count for kind, count in self.counts.items()},
            "stopped": self.stopped_why,
            "outcomes": [outcome.to_json() for outcome in self.outcomes],
        }
