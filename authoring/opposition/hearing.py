"""Holds a candidate that passed the gate against independent voices; what they find is tried before it is believed.

::

    cases, right answers, near misses     (box)
    second judge · attacker from outside · blind solvers          (models, side by side)
    the claims tried                      (box)
    attacker with the source              (model)
    everything tried, second judge asked  (two boxes)
    disagreements go back once to the second judge's author       (model, box)
    judgement.py says what is believed
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from authoring.context import AuthoringContext
from authoring.opposition.claims import MAX_WHY_CHARS, BlindSolve, Claim, missing_fact
from authoring.opposition.exhibits import Tried, show, tried
from authoring.opposition.judgement import Hearing, Standing, believed, disagreements, judge_hearing, standing
from authoring.opposition.second import LIMITS_OF_A_CALL, opinions, second_files, solutions
from authoring.opposition.voices import Matter, Voices
from authoring.roles import together
from authoring.runs import RunFolder
from authoring.testimony import Testimony
from bootcamp_kit.errors import InternalError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import Json
from bootcamp_kit.report import Severity, finding_from_json, to_json
from chat_models.protocol import ChatReply
from evaluation.boxes import job_limits

if TYPE_CHECKING:
    from evaluation.boxes import TaskBox

T = TypeVar("T")
CHECK = "oppose.voices"


@dataclass(frozen=True, slots=True)
class Opposition(Testimony):
    """What came of it; kept by the candidate's content hash.

    Attributes:
        findings: Confirmed ones first.
        second: The second judge's code, or "".
    """

    check: ClassVar[str] = CHECK
    second: str = ""

    @property
    def words(self) -> str:
        """The figures in a line."""
        told = self.figures
        return (
            f"second judge: {told['second']}; {told['believed']} of {told['attacks']} claims hold; "
            f"{told['blind_right']} of {told['blind']} blind answers right"
        )

    def to_json(self) -> dict[str, Any]:
        """For the run folder."""
        return {
            "findings": [to_json(finding) for finding in self.findings],
            "figures": self.figures,
            "second": self.second,
        }

    @classmethod
    def from_json(cls, raw: dict[str, Any]) -> Opposition:
        """Rebuild."""
        return cls(tuple(finding_from_json(item) for item in raw["findings"]), raw["figures"], raw["second"])


async def hear(
    brief_id: str, brief: str, specification: str, folder: TaskFolder, label: str, context: AuthoringContext
) -> Opposition:
    """All voices on one candidate.

    Raises:
        ProviderError: a model could not be asked.
        MachineError: a box could not be used.
        BudgetError: the run's limit is reached.
    """
    settings = context.settings
    shown, own = await in_box(context, folder, lambda box: show(box, folder, settings.opposition_cases))
    matter = Matter(brief_id, brief, specification, folder, shown, label)
    voices = Voices(matter, context)
    places = list(range(min(settings.blind_cases, len(shown))))
    asked: list[Awaitable[Any]] = [voices.second(), _attack(voices, None), voices.blind(places)]
    code, claims, replies = await together(asked)
    answers = [(place, reply.text, "blind") for place, reply in zip(places, replies, strict=True)]
    first = await _tried(context, matter, claims, answers)
    solved = first[len(claims) :]
    more = await _tried(context, matter, await _attack(voices, first[: len(claims)]), [])
    hearing = Hearing(shown, [*own, *first, *more], {}, _blind(replies, solved), _unique(folder))
    work = _Work(context, matter, hearing, code)
    await work.ask_second()
    differ = disagreements(work.hearing)
    if differ:
        mended = await voices.reconsider([work.hearing.tried[place] for place in differ])
        if mended is not None and mended != work.code:
            work = _Work(context, matter, hearing, mended, reconsidered="mended")
            await work.ask_second()
        else:
            work.reconsidered = "stands"
    return _closed(work)


def opposition_on(content_hash: str, run: RunFolder) -> Opposition | None:
    """What opponents said on these bytes earlier in this run."""
    raw = run.artefacts.record(f"opposition-{content_hash}")
    return Opposition.from_json(raw) if raw else None


def put_opposition(content_hash: str, found: Opposition, run: RunFolder) -> None:
    """Keep what they said."""
    run.artefacts.put_record(f"opposition-{content_hash}", found.to_json())


@dataclass
class _Work:
    """A hearing with its second judge."""

    context: AuthoringContext
    matter: Matter
    hearing: Hearing
    code: str
    reconsidered: str = ""
    own_solutions: int = field(default=0)

    async def ask_second(self) -> None:
        """Its own solutions go to the candidate, all that was tried goes to it."""
        if not self.code:
            return
        context, folder, shown = self.context, self.matter.folder, self.matter.shown
        files = second_files(self.code, folder)

        def ask() -> tuple[list[Tried], list[bool | None]]:
            with (
                context.open_box(folder.sources, job_limits(folder.card)) as candidate,
                context.open_box(files, LIMITS_OF_A_CALL) as second,
            ):
                texts = solutions(second, [item.case for item in shown])
                scored = tried(candidate, shown, [(place, text, "second") for place, text in enumerate(texts) if text])
                everything = [*self.hearing.tried, *scored]
                return scored, opinions(second, [(shown[item.place].case, item.response) for item in everything])

        scored, said = await in_thread(context, ask)
        self.own_solutions = len(scored)
        self.hearing = replace(
            self.hearing,
            tried=[*self.hearing.tried, *scored],
            opinions={place: opinion for place, opinion in enumerate(said) if opinion is not None},
        )


async def in_thread(context: AuthoringContext, work: Callable[[], T]) -> T:
    """Sandbox work: in a thread, and no more of it at once than of gates."""
    async with context.gates:
        return await asyncio.to_thread(work)


async def in_box(context: AuthoringContext, folder: TaskFolder, work: Callable[[TaskBox], T]) -> T:
    """Work in a box around a candidate."""

    def run() -> T:
        with context.open_box(folder.sources, job_limits(folder.card)) as box:
            return work(box)

    return await in_thread(context, run)


async def _attack(voices: Voices, first: Sequence[Tried] | None) -> list[Claim]:
    return await voices.attack(first) if voices.context.settings.attacks else []


async def _tried(
    context: AuthoringContext, matter: Matter, claims: Sequence[Claim], answers: Sequence[tuple[int, str, str]]
) -> list[Tried]:
    """Claims first, then other answers, each with the candidate's verdict."""
    asked = [*((claim.case, claim.response, "attack") for claim in claims), *answers]
    if not asked:
        return []
    found = await in_box(context, matter.folder, lambda box: tried(box, matter.shown, asked))
    for place, claim in enumerate(claims):
        found[place] = replace(found[place], claim=claim.claim, why=claim.why[:MAX_WHY_CHARS])
    return found


def _blind(replies: Sequence[ChatReply], solved: Sequence[Tried]) -> list[BlindSolve]:
    return [
        BlindSolve(item.place, missing_fact(reply.text), item.accepted is True)
        for reply, item in zip(replies, solved, strict=True)
    ]


def _unique(folder: TaskFolder) -> bool:
    card = folder.card
    return card.solutions == "unique" and card.answer.kind != "decimal"


def _closed(work: _Work) -> Opposition:
    hearing = work.hearing
    if len(hearing.opinions) and not work.code:
        raise InternalError("closing a hearing", "opinions without a second judge", "report this as a bug")
    findings = tuple(judge_hearing(hearing))
    attacks = [item for item in hearing.tried if item.source == "attack"]
    figures: dict[str, Json] = {
        "cases": len(hearing.shown),
        "responses": len(hearing.tried),
        "second": str(standing(hearing)) if work.code else str(Standing.NONE),
        "opinions": len(hearing.opinions),
        "own_solutions": work.own_solutions,
        "reconsidered": work.reconsidered,
        "attacks": len(attacks),
        "believed": believed(hearing),
        "blind": len(hearing.blind),
        "blind_right": sum(solve.right for solve in hearing.blind),
        "blind_missing": sum(bool(solve.missing) for solve in hearing.blind),
        "objections": sum(finding.severity.rank >= Severity.MAJOR.rank for finding in findings),
        "confirmed": sum(finding.severity is Severity.BLOCKER for finding in findings),
    }
    return Opposition(findings, figures, work.code)
