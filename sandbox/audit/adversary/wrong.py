"""Whether a response that scores 1 is another answer than the right one, or the right one in another dress.

Where there is doubt it is no other answer: a response that holds the right one somewhere is for ``near_miss`` to judge,
and so is a number that is written or rounded otherwise.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction

from bootcamp_kit.card import Card
from bootcamp_kit.jsondata import canonical
from sandbox.calls import Observation
from sandbox.checks.evidence import CaseEvidence
from sandbox.checks.observed import answer_of
from sandbox.checks.structure import delimited

_PART = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d{1,3})?|[^\W\d_]+", re.IGNORECASE)
_NEAR = 1e-3
Part = str | float


def is_another_answer(response: str, case: CaseEvidence, card: Card, parsed: Observation | None = None) -> bool:
    """Whether it says something else than the case's right response, beyond doubt.

    Args:
        response: A response that scores 1.
        case: A case with a right response.
        card: The task's card; where it allows several answers, nothing is beyond doubt.
        parsed: What ``parse`` made of the response, where it was asked.
    """
    if card.solutions != "unique" or case.right is None:
        return False
    read, right = answer_of(parsed), answer_of(case.parsed)
    mine, theirs = essence(response, card), essence(case.right, card)
    if read and right and canonical(read[1]) == canonical(right[1]):
        return _other_numbers(mine, theirs, card)
    if not theirs:
        return _bare(response) != _bare(case.right)
    return not any(_same(mine[start : start + len(theirs)], theirs, card) for start in range(len(mine)))


def _other_numbers(mine: list[Part], theirs: list[Part], card: Card) -> bool:
    """Whether ``parse`` reads as many, but other numbers as the right ones: not even the same in another order."""
    if len(mine) != len(theirs) or not all(isinstance(part, float) for part in (*mine, *theirs)):
        return False
    return not _same(sorted(mine, key=str), sorted(theirs, key=str), card) and not _same(mine, theirs, card)


def essence(response: str, card: Card) -> list[Part]:
    """Words in lower case and numbers of an answer, in order; sorted where the card says that order does not matter."""
    cut = delimited(response)
    found: list[Part] = []
    for text in _PART.findall(cut.content if cut else response):
        number = _number(text)
        found.append(text.casefold() if number is None else number)
    return sorted(found, key=str) if "order" in card.answer.rewrites else found


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _same(some: list[Part], right: list[Part], card: Card) -> bool:
    if len(some) == len(right) == 2 and _ratio(some) is not None and _ratio(some) == _ratio(right):
        return True
    return len(some) == len(right) and all(_near(one, two, card) for one, two in zip(some, right, strict=True))


def _ratio(parts: list[Part]) -> Fraction | None:
    over, under = parts
    if isinstance(over, float) and isinstance(under, float) and math.isfinite(over) and math.isfinite(under) and under:
        return Fraction(over) / Fraction(under)
    return None


def _near(one: Part, two: Part, card: Card) -> bool:
    if isinstance(one, float) and isinstance(two, float):
        loose = card.answer.kind == "decimal"
        allowed = max(2 * card.answer.tolerance, _NEAR * abs(two) if loose else 0.0)
        return one == two or abs(one - two) <= allowed
    return one == two


def _bare(response: str) -> str:
    cut = delimited(response)
    return "".join((cut.content if cut else response).split()).casefold()
