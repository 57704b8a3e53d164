"""How far briefs and candidates got: the funnel by stage, and the compiler's own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from authoring.compiler.outcome import Stage
from authoring.reporting.trace import Trace, Word

ORDER = ("analyse", "draft", "check", "oppose", "calibrate", "compare", "finish")
_GOOD = {
    "analyse": {"specified", "unusable"},  # an analysis that cannot be used is done without
    "draft": {"drafted"},
    "repair": {"drafted"},
    "check": {"passed"},
    "oppose": {"stood"},
    "calibrate": {"measured"},
    "compare": {"compared"},
    "finish": {"queued"},
}
_BAD = {"failed", "unusable", "refused", "troubled", "inconclusive", "contested", "outside", "exhausted", "interrupted"}
NAMES = {"draft": "draft or repair", "finish": "queue"}


class Ended(Protocol):
    """What is asked of an ending."""

    @property
    def kind(self) -> str:
        """The outcome's kind."""
        ...

    @property
    def reason(self) -> str:
        """Why."""
        ...


@dataclass(frozen=True, slots=True)
class StageRow:
    """One stage.

    Attributes:
        briefs, through: Briefs that reached it, and of those the ones it let through at least once.
        turns: How many turns or times it spoke.
        results: What it said, and how often.
    """

    name: str
    briefs: int
    through: int
    turns: int
    results: Mapping[str, int]


def funnel(trace: Trace, briefs: int, queued: int) -> tuple[StageRow, ...]:
    """The stages a run had, in the order of the work; a stage that is not known stands before the end."""
    strange = [node for node in trace.nodes if node not in ORDER and node != "repair"]
    names = [node for node in (*ORDER[:-1], *strange, ORDER[-1]) if node in trace.nodes]
    rows = [StageRow("briefs", briefs, briefs, briefs, {})]
    for name in names:
        words = [word for word in trace.words if (word.node if word.node != "repair" else "draft") == name]
        reached = {word.brief for word in words}
        through = {word.brief for word in words if let_through(word)}
        if name == ORDER[-1]:
            # Every brief comes to an end; only the queue is a stage.
            reached, words = through, [word for word in words if let_through(word)]
        results = Counter(word.what for word in words)
        rows.append(StageRow(name, len(reached), len(through), len(words), dict(results.most_common())))
    if not names or names[-1] != "finish":
        rows.append(StageRow("finish", queued, queued, queued, {}))
    return tuple(rows)


def let_through(word: Word) -> bool:
    """Whether a stage let a candidate go on; an objection that was not confirmed does not stop one."""
    if word.node == "oppose" and word.what == "contested":
        return word.figures.get("confirmed") == 0
    if word.node in _GOOD:
        return word.what in _GOOD[word.node]
    return word.what not in _BAD


def compiler_funnel(endings: Sequence[Ended]) -> tuple[tuple[str, int, int], ...]:
    """(stage, briefs refused there, briefs left after it) for the stages of the compiler that refused one."""
    known = [stage.value for stage in Stage]
    at = Counter(ending.reason.partition(":")[0].strip() for ending in endings if ending.kind == "refused")
    left = len(endings)
    rows = []
    for name in (*known, *sorted(set(at) - set(known))):
        if at[name]:
            left -= at[name]
            rows.append((name, at[name], left))
    return tuple(rows)
