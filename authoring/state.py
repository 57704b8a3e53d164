"""What the checkpointer keeps: small values and content hashes. The artefacts themselves lie in the run folder."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, TypedDict

from authoring.outcomes import BriefOutcome, OutcomeKind

if TYPE_CHECKING:
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer


class TurnResult(StrEnum):
    """How far one turn of the author got.

    From the author: ``drafted`` (files, not yet checked), ``unusable`` (a reply without usable files), ``refused`` (it
    will not do it). From the gate: ``passed``, ``failed``, ``inconclusive`` (a check could not run). ``troubled``:
    machine or provider failed. From opponents or solvers: ``stood``, ``measured``, ``contested`` (objections),
    ``outside`` (of the band).
    """

    DRAFTED = "drafted"
    UNUSABLE = "unusable"
    REFUSED = "refused"
    PASSED = "passed"
    FAILED = "failed"
    INCONCLUSIVE = "inconclusive"
    TROUBLED = "troubled"
    STOOD = "stood"
    CONTESTED = "contested"
    MEASURED = "measured"
    OUTSIDE = "outside"


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the author on one of the N candidates, and what came of it.

    Attributes:
        index: Which of the N candidates.
        number: 1 for the first turn, one more for each correction or repair.
        candidate: Content hash of what was written, or "".
        reason: Why it was refused, unusable or troubled; the finding codes when it failed.
        heavy: Findings of severity major or blocker.
        floor: Best mean score of a guess, 0 … 1; 1.0 where it was not measured.
        objections: Findings of opponents and solvers of severity major or blocker.
        confirmed: Those among them that two independent voices agree on; none may be left when a task is queued.
        stage: Which stage had the last word: ``draft``, ``check``, ``oppose`` or ``calibrate``.
    """

    index: int
    number: int
    result: TurnResult
    candidate: str = ""
    reason: str = ""
    heavy: int = 0
    floor: float = 1.0
    objections: int = 0
    confirmed: int = 0
    stage: str = "draft"

    def __post_init__(self) -> None:
        object.__setattr__(self, "result", TurnResult(self.result))

    @property
    def queueable(self) -> bool:
        """Whether it may be queued: it passed the gate, and nothing that was confirmed speaks against it."""
        through = (TurnResult.PASSED, TurnResult.STOOD, TurnResult.MEASURED, TurnResult.CONTESTED)
        return self.result in through and not self.confirmed


def merge_turns(old: Iterable[Turn], new: Iterable[Turn]) -> list[Turn]:
    """The reducer: a later word on a turn replaces the earlier one; order is by index, then number."""
    merged = {(turn.index, turn.number): turn for turn in (*old, *new)}
    return [merged[key] for key in sorted(merged)]


class CandidateState(TypedDict):
    """One of the N candidates.

    ``order`` is the hash of a repair order, ``specification`` that of what the analyst wrote; "" for none. ``stages``
    names the optional stages that are on.
    """

    brief: str
    order: str
    specification: str
    stages: list[str]
    index: int
    repairs: int
    turns: Annotated[list[Turn], merge_turns]


class CandidateOutput(TypedDict):
    """What a candidate hands up to its brief."""

    turns: Annotated[list[Turn], merge_turns]


class BriefState(TypedDict):
    """One brief with all its candidates."""

    brief: str
    order: str
    specification: str
    stages: list[str]
    candidates: int
    repairs: int
    turns: Annotated[list[Turn], merge_turns]
    outcome: BriefOutcome | None


class SpecificationUpdate(TypedDict):
    """What the analyst's node gives back."""

    specification: str


class TurnUpdate(TypedDict):
    """What a candidate's node gives back."""

    turns: list[Turn]


class OutcomeUpdate(TypedDict):
    """What a brief's node gives back."""

    outcome: BriefOutcome


STATE_CLASSES = (Turn, TurnResult, BriefOutcome, OutcomeKind)
"""Every class that may stand in a checkpoint; a class that is missing here comes back as a plain dict."""


def serializer() -> JsonPlusSerializer:
    """The checkpointer's serializer: our classes and nothing else."""
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

    return JsonPlusSerializer(allowed_msgpack_modules=STATE_CLASSES)
