"""Everything that was collected about one task before anything is judged. Frozen; checks read it and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from bootcamp_kit.card import Card
from bootcamp_kit.case import Case
from bootcamp_kit.folder import TaskFolder
from sandbox.calls import JobOutcome, Observation
from sandbox.checks.observed import score_of


@dataclass(frozen=True, slots=True)
class Probe:
    """One response to be scored on one case.

    Attributes:
        family: Which family of checks asked: ``garbage``, ``floor``, ``confirm``, ``near_miss``, ``still_right``,
            ``relabel``, ``examples``.
        kind: Name of the strategy, mutant, rewrite or example.
        group: A family's own subdivision.
        variant: The spelling inside ``kind``, or "".
        parse: Whether ``parse`` is asked too.
    """

    family: str
    kind: str
    case: Case
    response: str
    group: str = ""
    variant: str = ""
    parse: bool = False


@dataclass(frozen=True, slots=True)
class Scored:
    """A probe with what came back."""

    probe: Probe
    score: Observation
    parsed: Observation | None = None

    @property
    def value(self) -> float | None:
        """The score's value; None where there is no well-formed score."""
        score = score_of(self.score)
        return score.value if score else None


@dataclass(frozen=True, slots=True)
class CaseEvidence:
    """What both containers made of one (level, seed); ``other`` is the second container, with its own hash seed.

    ``case`` holds the first container's payload after its JSON round trip; None when there is none. Observations that
    were never asked for, because something before them failed, are None.
    """

    level: int
    seed: int
    generated: Observation
    generated_other: Observation | None = None
    case: Case | None = None
    prompt: Observation | None = None
    prompt_other: Observation | None = None
    solved: Observation | None = None
    solved_other: Observation | None = None
    parsed: Observation | None = None
    score: Observation | None = None
    score_other: Observation | None = None

    @property
    def prompt_text(self) -> str | None:
        """The prompt, when it is text."""
        return self.prompt.value if self.prompt and self.prompt.ok and isinstance(self.prompt.value, str) else None

    @property
    def response(self) -> str | None:
        """The oracle's response, when it is text."""
        return self.solved.value if self.solved and self.solved.ok and isinstance(self.solved.value, str) else None

    @property
    def right(self) -> str | None:
        """The oracle's response when it scored 1."""
        score = score_of(self.score) if self.score else None
        return self.response if score and score.value == 1.0 else None

    def observations(self) -> Iterator[Observation]:
        """All that were asked for."""
        for item in (
            self.generated, self.generated_other, self.prompt, self.prompt_other, self.solved, self.solved_other,
            self.parsed, self.score, self.score_other,
        ):  # fmt: skip
            if item is not None:
                yield item


@dataclass(frozen=True, slots=True)
class Perturbed:
    """One payload field of a case replaced by the donor's value, and what prompt, oracle and verifier made of it.

    ``score`` judges the *original* case's right response on the changed case. A payload that is no object counts as
    one field named ``payload``.
    """

    original: CaseEvidence
    donor: CaseEvidence
    changed: Case
    field: str
    prompt: Observation
    solved: Observation
    score: Observation


@dataclass(frozen=True, slots=True)
class Falsified:
    """A property's smallest counter-example. ``response`` is None for properties over (level, seed)."""

    property: str
    level: int
    seed: int
    response: str | None
    expected: str
    observation: Observation
    traced: str = ""


@dataclass(frozen=True, slots=True)
class PropertyRun:
    """One property after Hypothesis was done with it."""

    name: str
    examples: int
    falsified: tuple[Falsified, ...] = ()
    infrastructure: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """All of it.

    Attributes:
        folder: The task.
        card: Its card; None when it could not be read, and then ``card_error`` says why.
        hash_seeds: PYTHONHASHSEED of the first and the second container.
        loads: One observation of ``load`` for each container.
        cases: All cases, level by level.
        probes: Family → scored probes.
        perturbed: For the prompt checks.
        properties: For the property checks.
        example: ``parse`` of the card's example answer.
        over_budget_s: The budget of CPU seconds that was spent before all was asked; 0 where it was enough.
    """

    folder: TaskFolder
    card: Card | None
    card_error: str = ""
    hash_seeds: tuple[int, int] = (0, 1)
    loads: tuple[Observation, ...] = ()
    cases: tuple[CaseEvidence, ...] = ()
    probes: Mapping[str, tuple[Scored, ...]] = field(default_factory=dict)
    perturbed: tuple[Perturbed, ...] = ()
    properties: tuple[PropertyRun, ...] = ()
    example: Observation | None = None
    over_budget_s: float = 0.0

    @property
    def task(self) -> Card:
        """The card, where a check needs one (its ``needs`` says ``card``)."""
        if self.card is None:
            raise ValueError("no card: this check should have been skipped")
        return self.card

    @property
    def right(self) -> tuple[CaseEvidence, ...]:
        """Cases whose oracle response scored 1."""
        return tuple(case for case in self.cases if case.right is not None)

    def asked(self, family: str) -> tuple[Scored, ...]:
        """The scored probes of a family."""
        return self.probes.get(family, ())


def infrastructure(observations: Iterator[Observation]) -> str:
    """What our own machinery got wrong among these observations, or ""."""
    failed = [item for item in observations if item.outcome is JobOutcome.INFRASTRUCTURE]
    if not failed:
        return ""
    return f"{len(failed)} calls failed for reasons of the machine: {failed[0].error[:200]}"
