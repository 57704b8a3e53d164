"""The characters a description allows: “lowercase English letters”, “«.» or «#»”, “the letters L, R and S”."""

from __future__ import annotations

import re
import string

from authoring.compiler.descriptions import PROMISE


class NotUnderstood(Exception):
    """A phrase no rule covers; holds the phrase."""


_LETTERS = (
    r"(?:the )?(?P<case>lower-?case|small|upper-?case|capital)(?: (?:English|Latin|Roman|ASCII))*(?: alphabet)?"
    r"(?: letters?| characters?)"
)
_FILLERS = re.compile(
    r"\b(?:the|that|which|where|and|or|either|only|solely|each|every|one|is|are|being|of|of which|a|an|characters?"
    r"|letters?|"
    r"symbols?|digits?|consist(?:s|ing)?|made(?: up)?|composed|contain(?:s|ing)?|over|alphabet|from|in|set|all|cells?"
    r"|given|as|"
    r"with|it|may|can|be|two|three|four|five|six|following|possible)\b|[,:;(){}/ ]|-"
)


def alphabet(text: str) -> str:
    """The characters a description allows, in the order it names them.

    Raises:
        NotUnderstood: it names none, or says something else too.
    """
    if not text.strip():
        raise NotUnderstood("a string without an alphabet")
    found: list[str] = []
    rest = _without_meanings(text)
    for match in re.finditer(_LETTERS, rest):
        found += string.ascii_lowercase if match["case"][0] in "ls" else string.ascii_uppercase
    rest = re.sub(_LETTERS, " ", rest)
    for match in re.finditer(r"(?:from )?«(.)» (?:to|through|…|-|—) «(.)»", rest):
        found += [chr(code) for code in range(ord(match[1]), ord(match[2]) + 1)]
    rest = re.sub(r"(?:from )?«(.)» (?:to|through|…|-|—) «(.)»", " ", rest)
    if span := re.search(r"digits from (\d) to (\d)|digits (\d)(?:-|—|…)(\d)", rest):
        first, last = (part for part in span.groups() if part)
        found += [str(digit) for digit in range(int(first), int(last) + 1)]
        rest = rest[: span.start()] + rest[span.end() :]
    elif re.search(r"(?:decimal )?digits(?! \d| «)", rest) and not re.search(r"«\d»", rest):
        found += string.digits
        rest = re.sub(r"decimal digits", "digits", rest)
    found += re.findall(r"«(.)»", rest)
    rest = re.sub(
        # A definite meaning, as in “«S» (the start)”, would say that there is exactly one.
        r"«.»(?: ?\((?!the |your )(?:[a-z]+ ){0,3}[a-z]+\)| (?:for|is|means|denotes|represents|marks) (?:an? )?"
        r"(?!the |your )(?:[a-z]+ ?){1,3}?(?=,|$| and| or))?",
        " ",
        rest,
    )
    if not found and (
        bare_symbols := re.search(
            r"(?:letters|characters|symbols|digits|is|are|either|of|:) ((?:\S(?:, | and |, and | or |, or "
            r"|,)){1,9}\S)(?!\S)",
            rest,
        )
    ):
        found += re.split(r", and |, or | and | or |, |,", bare_symbols[1])
        rest = rest[: bare_symbols.start()] + rest[bare_symbols.end() :]
    if not found or _FILLERS.sub("", rest).strip() or any(len(char) != 1 for char in found):
        raise NotUnderstood(text)
    return "".join(dict.fromkeys(found))


def _without_meanings(text: str) -> str:
    """Cut “: an empty slab, a stone, or ivy” off, where it gives as many meanings as there are symbols."""
    head, found, tail = text.rpartition(": ")
    parts = re.split(r", or |, and | or | and |, ", tail)
    plain = all(re.fullmatch(r"(?!the |your )[a-z][a-z' -]{1,40}", part) for part in parts)
    matches = bool(found) and plain and len(parts) == len(re.findall(r"«.»", head))
    return head if matches and not PROMISE.search(tail) else text
