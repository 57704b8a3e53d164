"""What attackers claim and blind solvers say, as data; nothing of it is believed before it was tried."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from authoring.specification import Part
from sandbox.escaping import escaped

MAX_RESPONSE_CHARS = 20_000
MAX_WHY_CHARS = 400
WRONG_ACCEPTED, RIGHT_REJECTED = "wrong_accepted", "right_rejected"
_MISSING = re.compile(r"^[\s*_>#-]{0,10}MISSING[*_]{0,2}\s{0,5}:[*_]{0,2}[ \t]*(\S.*)$", re.MULTILINE | re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{2}")
_NOTHING = re.compile(r"[\s*_`\"'.(]*(?:nothing|none|no|n/?a|nil)\b[\s*_`\"'.)!]*$", re.IGNORECASE)


class Claim(Part):
    """One response that an attacker says is judged wrongly."""

    case: int
    response: str
    claim: Literal["wrong_accepted", "right_rejected"]
    why: str


class Claims(Part):
    """All of an attacker's claims."""

    claims: list[Claim]

    def usable(self, cases: int, most: int) -> list[Claim]:
        """Those about cases that were shown, each response once."""
        found: dict[tuple[int, str], Claim] = {}
        for claim in self.claims:
            if 0 <= claim.case < cases and len(claim.response) <= MAX_RESPONSE_CHARS:
                found.setdefault((claim.case, claim.response), claim)
        return list(found.values())[:most]


@dataclass(frozen=True, slots=True)
class BlindSolve:
    """What a solver who saw the prompt alone made of a case.

    Attributes:
        place: Index of the exhibit.
        missing: What it says the prompt lacks; "" for nothing.
        right: Whether the candidate took its answer.
    """

    place: int
    missing: str
    right: bool


def missing_fact(reply: str) -> str:
    """What a blind solver says is missing, or "". A fact has words: numbers alone are an answer in the wrong place."""
    for found in _MISSING.findall(reply[:MAX_RESPONSE_CHARS]):
        says_nothing = _NOTHING.fullmatch(found) or not _WORD.search(found)
        return "" if says_nothing else escaped(found.strip(), MAX_WHY_CHARS)
    return ""
