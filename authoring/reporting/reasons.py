"""Why briefs were not queued, gathered: what differs only in names and numbers is one reason."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from authoring.reporting.facts import Ending

MAX_WORDS = 160
MAX_EXAMPLES = 3
_CODE = re.compile(r"[a-z_]+\.[a-z_.]+")
_ADVICE = re.compile(r"\s*→.*", re.DOTALL)
_QUOTED = re.compile(r"“[^”]*”|‘[^’]*’|'[^']*'|\"[^\"]*\"|`[^`]*`")


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason.

    Attributes:
        kind: The outcome's kind.
        where: The stage or the check that said so; "" where none is named.
        words: Quotes and numbers taken out.
        briefs: How many.
        examples: Ids of some of them.
        quote: The whole reason of the first.
    """

    kind: str
    where: str
    words: str
    briefs: int
    examples: tuple[str, ...]
    quote: str


def reasons(endings: Sequence[Ending]) -> tuple[Reason, ...]:
    """Every reason of briefs that were not queued, the most frequent first; one brief may have several codes."""
    groups: dict[tuple[str, str, str], list[Ending]] = {}
    for ending in endings:
        if ending.kind != "queued" and ending.reason:
            for where, words in _parts(ending.reason):
                groups.setdefault((ending.kind, where or ending.stage, words), []).append(ending)
    rows = [
        Reason(
            kind,
            where,
            words,
            len(group),
            tuple(ending.brief_id for ending in group[:MAX_EXAMPLES]),
            group[0].reason,
        )
        for (kind, where, words), group in groups.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-row.briefs, row.kind, row.where, row.words)))


def _parts(reason: str) -> list[tuple[str, str]]:
    """(where, words) of a reason: one for each finding code, or one for a sentence."""
    pieces = [piece.strip(" …") for piece in reason.rpartition(": ")[2].split(",")]
    named = [piece for piece in pieces if piece]
    if named and all(_CODE.fullmatch(piece) for piece in named):
        return [(piece, "") for piece in dict.fromkeys(named)]
    head, colon, rest = _ADVICE.sub("", reason).partition(":")
    where, words = (
        (head.strip(), rest) if colon and re.fullmatch(r"[a-z][a-z _-]{1,30}", head.strip()) else ("", reason)
    )
    words = re.sub(r"-?\d[\d,.]*", "N", _QUOTED.sub("“…”", _ADVICE.sub("", words)))
    return [(where, " ".join(words.split())[:MAX_WORDS])]
