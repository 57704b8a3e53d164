"""What is believed of all that opponents say: pure policy over what was tried. One voice objects, two confirm.

A voice is the second judge, an attacker, a blind solver, or the panel. An objection goes back to the author; only what
is confirmed keeps a candidate out of the queue, the rest is shown to the reviewer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from authoring.opposition.claims import RIGHT_REJECTED, WRONG_ACCEPTED, BlindSolve
from authoring.opposition.exhibits import Exhibit, Tried, is_right_answer, right_answers
from bootcamp_kit.report import Finding, Severity, Witness
from sandbox.escaping import escaped

MOST_OF_A_KIND = 3
DISCRIMINATES = 0.8
"""Share of the near misses turned away by the candidate which a credible second judge turns away too."""
MAX_SEEN_CHARS = 600
SECOND, ATTACKER, BLIND, PANEL = "the second judge", "an attacker", "a blind solver", "the solver panel"

ACCEPTS_WRONG = "oppose.accepts_wrong"
REJECTS_RIGHT = "oppose.rejects_right"
RIGHT_DOUBTED = "oppose.right_answer_doubted"
FORM_NOT_TAKEN = "oppose.form_not_taken"
MISSING_FACT = "oppose.missing_fact"
NO_SCORE = "oppose.no_score"


class Standing(StrEnum):
    """How far a second judge's word carries: ``credible`` alone, ``mixed`` as one voice, ``none`` not at all."""

    CREDIBLE = "credible"
    MIXED = "mixed"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Hearing:
    """All that was tried on a candidate.

    Attributes:
        shown: The cases.
        tried: Responses with the candidate's verdict.
        opinions: Index into ``tried`` → the second judge's opinion, where it has one.
        blind: What blind solvers made of some cases.
        unique: Whether the card says that there is one right answer.
    """

    shown: Sequence[Exhibit]
    tried: Sequence[Tried]
    opinions: Mapping[int, bool]
    blind: Sequence[BlindSolve] = ()
    unique: bool = False


def standing(hearing: Hearing) -> Standing:
    """Credible: it agrees with every right answer of the oracle that it judges, and turns near misses away.

    One that agrees with less than half of them has misread the task or the data: its word is not used.
    """
    oracle = [place for place, item in enumerate(hearing.tried) if item.source == "oracle" and item.accepted]
    judged = [hearing.opinions[place] for place in oracle if place in hearing.opinions]
    if not judged or len(judged) * 2 < len(oracle) or sum(judged) * 2 < len(judged):
        return Standing.NONE
    misses = [
        hearing.opinions[place]
        for place, item in enumerate(hearing.tried)
        if item.source == "mutant" and item.accepted is False and place in hearing.opinions
    ]
    sharp = not misses or misses.count(False) >= DISCRIMINATES * len(misses)
    return Standing.CREDIBLE if all(judged) and sharp else Standing.MIXED


def disagreements(hearing: Hearing) -> list[int]:
    """Indices into ``tried`` where second judge and candidate differ, one of each kind first."""
    right = right_answers(hearing.tried)
    found = [
        place
        for place, item in enumerate(hearing.tried)
        if place in hearing.opinions
        and item.accepted is not None
        and not item.malformed
        and item.accepted is not hearing.opinions[place]
        and (item.source == "oracle" or not is_right_answer(item, right))
    ]
    first: dict[tuple[str, bool], int] = {}
    for place in found:
        first.setdefault((hearing.tried[place].source, bool(hearing.tried[place].accepted)), place)
    return [*first.values(), *(place for place in found if place not in first.values())]


def judge_hearing(hearing: Hearing) -> list[Finding]:
    """The findings, confirmed ones first; a few of each code."""
    word = standing(hearing)
    found = [*_verdicts(hearing, word), *_missing(hearing)]
    found.sort(key=lambda finding: -finding.severity.rank)
    kept: list[Finding] = []
    for finding in found:
        if sum(other.code == finding.code for other in kept) < MOST_OF_A_KIND:
            kept.append(finding)
    return kept


def believed(hearing: Hearing) -> int:
    """How many of the attackers' claims the candidate's verdict bears out, and the second judge does not deny."""
    return sum(
        _claim_holds(item) and hearing.opinions.get(place) is not item.accepted
        for place, item in enumerate(hearing.tried)
        if item.source == "attack"
    )


def _verdicts(hearing: Hearing, word: Standing) -> Iterator[Finding]:
    right = right_answers(hearing.tried)
    for place, item in enumerate(hearing.tried):
        if item.accepted is None:
            yield _no_score(hearing, item)
            continue
        if item.source != "oracle" and is_right_answer(item, right):
            continue
        opinion = hearing.opinions.get(place) if word is not Standing.NONE else None
        if item.malformed:  # a form that the prompt does not ask for may be turned away, whatever stands in it
            if item.source in ("blind", "panel") and opinion is True:
                yield _finding(FORM_NOT_TAKEN, hearing, item, [SECOND], confirmed=False)
            continue
        voices = _voices(item, opinion)
        if item.source == "oracle":
            if opinion is False and item.accepted:
                yield _finding(RIGHT_DOUBTED, hearing, item, voices, confirmed=False)
        elif voices and not (item.source == "attack" and opinion is item.accepted):
            alone = voices == [SECOND] and word is Standing.CREDIBLE and (item.accepted or item.source != "mutant")
            by_card = item.source == "attack" and hearing.unique and item.accepted
            code = ACCEPTS_WRONG if item.accepted else REJECTS_RIGHT
            yield _finding(code, hearing, item, voices, confirmed=bool(len(voices) > 1 or alone or by_card))


def _voices(item: Tried, opinion: bool | None) -> list[str]:
    """Who says that the candidate's verdict on this response is wrong."""
    voices = [SECOND] if opinion is not None and opinion is not item.accepted else []
    if item.source == "attack" and _claim_holds(item):
        voices.append(ATTACKER)
    if item.source in ("blind", "panel") and item.accepted is False and opinion is True:
        voices.append(BLIND if item.source == "blind" else PANEL)
    return voices


def _claim_holds(item: Tried) -> bool:
    """Whether the candidate's verdict is the one that the attacker foretold."""
    return (item.claim == WRONG_ACCEPTED and item.accepted is True) or (
        item.claim == RIGHT_REJECTED and item.accepted is False and not item.malformed
    )


def _missing(hearing: Hearing) -> Iterator[Finding]:
    flagged = [solve for solve in hearing.blind if solve.missing and not solve.right]
    confirmed = len(flagged) > 1 and not any(solve.right for solve in hearing.blind)
    for solve in flagged:
        case = hearing.shown[solve.place].case
        witness = Witness(
            "prompt",
            level=case.level,
            seed=case.seed,
            expected="every rule and fact that the answer depends on",
            seen=escaped(f"a blind solver says: {solve.missing}", MAX_SEEN_CHARS),
        )
        yield Finding(
            MISSING_FACT,
            Severity.BLOCKER if confirmed else Severity.MAJOR,
            "a solver who sees the prompt alone says that it lacks something, and did not find the answer",
            witness,
            "state it in the prompt, if the verdict depends on it",
        )


def _finding(code: str, hearing: Hearing, item: Tried, voices: Sequence[str], *, confirmed: bool) -> Finding:
    case = hearing.shown[item.place].case
    says = " and ".join(voices) or SECOND
    messages = {
        ACCEPTS_WRONG: f"a wrong answer is accepted, say {says}",
        REJECTS_RIGHT: f"a right answer is turned away, say {says}",
        FORM_NOT_TAKEN: f"a solver's answer is right, says {SECOND}, and its form is not read",
        RIGHT_DOUBTED: f"the oracle's own answer is wrong, says {SECOND}",
    }
    score = item.judged.score
    seen = f"{score.value} ({score.outcome}): {score.reason}" if score else ""
    if item.why:
        seen += f"; the attacker says: {item.why}"
    witness = Witness(
        "score",
        level=case.level,
        seed=case.seed,
        response=item.response,
        expected="0" if item.accepted else "1",
        seen=escaped(seen, MAX_SEEN_CHARS),
    )
    hint = "work this case out by hand; if the finding is right, mend the rule it breaks for all cases"
    return Finding(code, Severity.BLOCKER if confirmed else Severity.MAJOR, messages[code], witness, hint)


def _no_score(hearing: Hearing, item: Tried) -> Finding:
    case = hearing.shown[item.place].case
    witness = Witness(
        "score",
        level=case.level,
        seed=case.seed,
        response=item.response,
        expected="a score",
        seen=escaped(item.judged.detail, MAX_SEEN_CHARS),
    )
    return Finding(NO_SCORE, Severity.BLOCKER, "a response gets no score", witness, "judge it as wrong or malformed")
