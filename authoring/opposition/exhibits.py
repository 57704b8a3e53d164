"""What a candidate shows of itself: cases, prompts, its own right answers, near misses, and its verdict on each."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from authoring.prompts import fenced
from bootcamp_kit.case import Answer, Case, Outcome
from bootcamp_kit.errors import MachineError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import canonical
from evaluation.plan import CaseRef
from evaluation.scoring import Judgement, MadeCase, Unscored, judge, make_cases
from sandbox.calls import Call, JobOutcome, Op, case_to_json
from sandbox.checks.mutants import mutants
from sandbox.plan import derived

if TYPE_CHECKING:
    from evaluation.boxes import TaskBox

MUTANTS_EACH = 12
MAX_PROMPT_SHOWN = 6_000
MAX_PAYLOAD_SHOWN = 4_000


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One case as everybody is shown it, and the oracle's response, which nobody is."""

    case: Case
    prompt: str
    right: str


@dataclass(frozen=True, slots=True)
class Tried:
    """One response to one exhibit, where it came from, and what the candidate said to it.

    Attributes:
        place: Index of the exhibit.
        source: ``oracle``, ``mutant``, ``attack``, ``blind``, ``second`` or ``panel``.
        claim, why: An attacker's.
    """

    place: int
    response: str
    source: str
    judged: Judgement
    claim: str = ""
    why: str = ""

    @property
    def accepted(self) -> bool | None:
        """Whether it earned full marks; None where the candidate gave no score."""
        return self.judged.score.value == 1.0 if self.judged.score else None

    @property
    def malformed(self) -> bool:
        """Whether the candidate found no well-formed answer in it."""
        return self.judged.score is not None and self.judged.score.outcome is Outcome.MALFORMED


def show(box: TaskBox, folder: TaskFolder, per_level: int) -> tuple[list[Exhibit], list[Tried]]:
    """Some cases of each level, and the candidate's verdicts on its own right answers and near misses.

    Raises:
        MachineError: the box could not answer.
    """
    shown = exhibits(box, folder, per_level)
    return shown, own_answers(box, folder, shown)


def exhibits(box: TaskBox, folder: TaskFolder, per_level: int) -> list[Exhibit]:
    """Some cases of each level, the same for the same bytes.

    Raises:
        MachineError: the box could not answer.
    """
    card = folder.card
    rng = random.Random(derived(folder.content_hash, "exhibits"))
    refs = [CaseRef(level, rng.randrange(2**31)) for level in card.difficulty.levels for _ in range(per_level)]
    made = [item for item in make_cases(box.batch, card.id, card.difficulty.params, refs) if _usable(item)]
    cases = [item for item in made if isinstance(item, MadeCase)]
    solved = box.batch([Call(Op.SOLVE, {"case": case_to_json(item.case)}) for item in cases]) if cases else []
    if any(seen.outcome is JobOutcome.INFRASTRUCTURE for seen in solved):
        raise MachineError("showing a candidate's cases", "the sandbox failed", "resume the run")
    return [
        Exhibit(item.case, item.prompt, seen.value)
        for item, seen in zip(cases, solved, strict=True)
        if seen.ok and isinstance(seen.value, str)
    ]


def own_answers(box: TaskBox, folder: TaskFolder, shown: Sequence[Exhibit]) -> list[Tried]:
    """The oracle's responses, and near misses of the first case of each level."""
    answer, seen_levels = folder.card.answer, set[int]()
    asked: list[tuple[int, str, str]] = []
    for place, item in enumerate(shown):
        asked.append((place, item.right, "oracle"))
        if item.case.level not in seen_levels:
            seen_levels.add(item.case.level)
            near = [mutant for mutant in mutants(item.right, answer) if mutant.group in ("value", "form")]
            asked += [(place, mutant.response, "mutant") for mutant in near[:MUTANTS_EACH]]
    return tried(box, shown, asked)


def tried(box: TaskBox, shown: Sequence[Exhibit], asked: Sequence[tuple[int, str, str]]) -> list[Tried]:
    """Responses (place, response, source) with the candidate's verdict on each.

    Raises:
        MachineError: the box could not answer.
    """
    if not asked:
        return []
    judged = judge(box.batch, [(shown[place].case, response) for place, response, _ in asked])
    if any(item.unscored is Unscored.MACHINE for item in judged):
        raise MachineError("scoring responses", "the sandbox failed", "resume the run")
    return [Tried(place, response, source, item) for (place, response, source), item in zip(asked, judged, strict=True)]


def right_answers(items: Sequence[Tried]) -> dict[int, Answer]:
    """Exhibit → what the oracle's response parses to."""
    return {
        item.place: item.judged.answer for item in items if item.source == "oracle" and item.judged.answer is not None
    }


def is_right_answer(item: Tried, right: dict[int, Answer]) -> bool:
    """Whether the candidate reads a response as the oracle's own answer."""
    return item.place in right and canonical(item.judged.answer) == canonical(right[item.place])


def shown_text(shown: Sequence[Exhibit], places: Sequence[int]) -> str:
    """Exhibits as a model is shown them: number, data, prompt."""
    parts = []
    for place in places:
        item = shown[place]
        data = json.dumps(item.case.payload, ensure_ascii=False)[:MAX_PAYLOAD_SHOWN]
        parts.append(f"case {place} (level {item.case.level})\ndata: {data}\nprompt:\n{item.prompt[:MAX_PROMPT_SHOWN]}")
    return fenced("cases", "\n\n".join(parts))


def _usable(item: MadeCase | Judgement) -> bool:
    if isinstance(item, Judgement) and item.unscored is Unscored.MACHINE:
        raise MachineError("showing a candidate's cases", "the sandbox failed", "resume the run")
    return isinstance(item, MadeCase)
