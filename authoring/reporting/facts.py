"""The figures of a run, from its events, outcomes and briefs. Works on runs that are under way or of earlier versions.

Nodes that are not known here are shown too, where they first spoke.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from authoring.reporting import sources, stages
from authoring.reporting.reasons import Reason, reasons
from authoring.reporting.repairs import Code, Round, codes, rounds
from authoring.reporting.times import Point, StageTime, ends_over_time, stage_times
from authoring.reporting.trace import read_trace
from authoring.runs import RunFolder, WorkItem
from bootcamp_kit.errors import BootcampError
from chat_models.ledger import LedgerSummary

OPEN = "open"
"""A brief without an outcome."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How one brief stands.

    Attributes:
        kind: The outcome's kind, or ``open``.
        origin: The kind of its source.
        stage: Where it ended; "" while it has not, and of old runs.
    """

    brief_id: str
    kind: str
    reason: str
    origin: str
    family: str
    turns: int
    usd: float | None
    tokens: int
    stage: str = ""


@dataclass(frozen=True, slots=True)
class RunFacts:
    """A run in figures.

    Attributes:
        state: running, finished, unfinished or damaged.
        counts: Outcome kind → briefs, ``open`` among them; only those that occur.
        funnel: Stages in order, with the briefs and candidates that reached them and got through.
        compiler: Stages of the compiler with the briefs left after each; empty for model authors.
        spend: What the ledger says; None where it is not known.
        repeated: Events that were told again, by a node that was killed; only the last of each counts.
    """

    run_id: str
    author: str
    created: str
    state: str
    counts: Mapping[str, int]
    endings: tuple[Ending, ...]
    funnel: tuple[stages.StageRow, ...]
    compiler: tuple[tuple[str, int, int], ...]
    by_origin: tuple[sources.Yield, ...]
    by_family: tuple[sources.Yield, ...]
    reasons: tuple[Reason, ...]
    rounds: tuple[Round, ...]
    codes: tuple[Code, ...]
    times: tuple[StageTime, ...]
    line: tuple[Point, ...]
    seconds: float
    spend: LedgerSummary | None
    repeated: int

    @property
    def briefs(self) -> int:
        """All of them."""
        return len(self.endings)

    @property
    def queued(self) -> int:
        """Briefs whose candidate waits for a reviewer."""
        return self.counts.get("queued", 0)

    @property
    def usd(self) -> float | None:
        """What the run cost; None where a price is not known, or nothing is known of its calls."""
        return self.spend.usd if self.spend else None

    @property
    def usd_each(self) -> float | None:
        """Dollars for each queued candidate, everything that was paid in the run counted."""
        return self.usd / self.queued if self.usd is not None and self.queued else None


def read_run(run: RunFolder, spend: LedgerSummary | None = None) -> RunFacts:
    """Read a run's figures; its folder is not changed.

    Raises:
        UsageError: the run stopped before its briefs were stored.
        MachineError: its records cannot be read.
    """
    record, info = run.record, run.info()
    work = run.work()
    trace = read_trace(run.events.read())
    endings = tuple(_ending(run, item) for item in work)
    kinds = [ending.kind for ending in endings]
    found = reasons(endings)
    return RunFacts(
        run_id=run.run_id,
        author=str(record["author"]),
        created=str(record["created"]),
        state=info.state,
        counts={kind: kinds.count(kind) for kind in dict.fromkeys(sorted(kinds, key=_order))},
        endings=endings,
        funnel=stages.funnel(trace, len(work), kinds.count("queued")),
        compiler=stages.compiler_funnel(endings) if str(record["author"]).partition("/")[0] == "compiler" else (),
        by_origin=sources.yields(endings, lambda ending: ending.origin),
        by_family=sources.yields(endings, lambda ending: ending.family),
        reasons=found,
        rounds=rounds(trace),
        codes=codes(trace),
        times=stage_times(trace),
        line=ends_over_time(trace),
        seconds=trace.seconds,
        spend=spend,
        repeated=trace.repeated,
    )


def _order(kind: str) -> tuple[int, str]:
    known = ("queued", "refused", "exhausted", "failed", "over budget", "interrupted", OPEN)
    return (known.index(kind) if kind in known else len(known), kind)


def _ending(run: RunFolder, item: WorkItem) -> Ending:
    outcome = run.outcome(item.brief)
    try:
        brief = run.artefacts.brief(item.brief)
        origin, family = brief.source.kind, brief.family
    except BootcampError:
        origin = family = "unreadable"
    if outcome is None:
        return Ending(item.id, OPEN, "", origin, family, 0, None, 0)
    spent = (outcome.turns, outcome.usd, outcome.tokens)
    return Ending(item.id, outcome.kind.value, outcome.reason, origin, family, *spent, outcome.stage)
