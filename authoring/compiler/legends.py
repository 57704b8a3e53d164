"""What the symbols of a grid or a string mean, in sentences of their own: “'#' is a wall”, “If it is '.', it is empty”.

A legend sets no condition, and names the symbols there are. Where nothing else says which characters a string holds,
the symbols of all legends are its alphabet; a sample with another one is refused later. A definite meaning, as in “'S'
is the start”, would say that there is exactly one: that is no legend.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence

from authoring.compiler.descriptions import narrows
from authoring.compiler.phrases import Draft

_SYMBOLS = r"«.»(?:(?:,| and| or|, and|, or) «.»)*"
_IS = (
    r"(?:means?|denotes?|marks?|stands? for|represents?|is|are|for|corresponds? to|indicates?|shows?|describes?"
    r"|— that is|—)"
)
_THING = r"(?:characters?|symbols?|letters?|cells?|digits?|signs?)"
_CLAUSES = (
    re.compile(
        rf"(?:and |while |where |here,? )?(?:the |a |an )?(?:{_THING} )?{_SYMBOLS},? {_IS} (?P<means>.+)", re.IGNORECASE
    ),
    re.compile(
        r"(?:and |while )?(?:if|when) (?!«)[a-z0-9'_ ,-]{0,80}?(?:is|equals|contains|holds|equal)(?: equal)?(?: to)?"
        rf"(?: an?| the)?(?: {_THING})? {_SYMBOLS},? ?(?:then )?(?P<means>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:and |while )?(?:the |each )?(?:i-th |j-th )?(?:character|symbol|letter|digit|cell)(?: (?:of|in) (?:the )?"
        rf"(?:i-th )?(?:line|row|string))? (?:is|equals|will be)(?: equal to)? {_SYMBOLS} if (?P<means>.+)",
        re.IGNORECASE,
    ),
    re.compile(r"(?:and |or )?(?:otherwise|else),? it is [a-z]+ (?:by|as|with) «.»(?P<means>)", re.IGNORECASE),
    re.compile(r"(?:and |or )?(?:otherwise|else),? (?P<means>.+)", re.IGNORECASE),
    re.compile(rf"(?:and |or )?{_SYMBOLS},? (?:if|otherwise|for|—) ?(?P<means>.*)", re.IGNORECASE),
)
_DIVIDE = re.compile(
    r"(?:;|,? and|,? or|,? while|,)\s+(?=(?:the )?(?:character |symbol |letter |digit )?«|if |when |otherwise|else)"
)
_DEFINITE = re.compile(
    r"(?:your|his|her|its|their)\b|the\b(?! (?:corresponding |current |given |appropriate |i-th |j-th )*[a-z]+ (?:[a-z]"
    r" |(?:with|at|in|of) [a-z0-9(),_ -]{1,30} )?(?:is|are|has|have|contains|holds|belongs|was|were|represents|can)\b)"
    r"|[^,]*(?:'s\b|s' )|one\b",
    re.IGNORECASE,
)
_FORBIDDEN = re.compile(
    r"\b(?:guarantee\w*|exactly|at least|at most|only|no|every|all|both|exists?|same|sum|total|length|lines?|follow\w*"
    r"|distinct|different|order(?:ed)? by|sorted|can|cannot|must|should|first|last|contains? \d|times)\b|[≤<≥>≠]|\d{2}",
    re.IGNORECASE,
)


def is_legend(sentence: str) -> bool:
    """Whether it says what symbols mean, and nothing else."""
    text = sentence.strip(" :,")
    if "«" not in text or len(text) > 300:
        return False
    parts = _DIVIDE.split(text)
    return all(_means(part.strip(" ,")) for part in parts) and bool(symbols(text))


def _means(clause: str) -> bool:
    for pattern in _CLAUSES:
        if found := pattern.fullmatch(clause):
            means = found["means"].strip(" ,.")
            return not (_DEFINITE.match(means) or _FORBIDDEN.search(means) or narrows(means) or re.search("«.»", means))
    return False


def symbols(sentence: str) -> list[str]:
    """The symbols it names."""
    return re.findall(r"«(.)»", sentence)


def give_alphabets(drafts: Sequence[Draft], told: Sequence[str]) -> None:
    """The symbols of all legends are the characters of the words that nothing else is said of."""
    found = [char for char in dict.fromkeys(told) if char in string.printable and not char.isspace()]
    if len(found) < 2:
        return
    for draft in drafts:
        if draft.kind == "word" and draft.alphabet is None:
            draft.alphabet = "".join(found)
