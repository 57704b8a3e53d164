"""Powers that copying flattened in the story: ``2b`` of ``2^b``, ``2a1, 2a2`` of ``2^a_1, 2^a_2``, ``n2`` of ``n^2``.

A number straight before a letter is a product as a rule (``2n numbers``). Where the letter is no value of the input, or
has an index, or where a sum of powers or a number of subsets is told, it may be a power: a reader of the prompt could
not know, so that such a statement is refused.
"""

from __future__ import annotations

import re

from authoring.compiler.flattened import PAIRS_THAT_ARE_WORDS
from authoring.compiler.input_format import InputFormat
from authoring.compiler.outcome import Refused, Stage
from authoring.compiler.sections import Sections

_GLUED = re.compile(
    r"(?<![\w^.{\\$])(?P<base>[2-9]|10)(?P<letter>[a-z])(?:_?(?P<index>\d|[ijn])|_\{[^}]*\})?(?![\w^'’-])"
)
_SUBSETS = re.compile(
    r" (?:different |distinct |possible |non-empty )*(?:sub(?:sets?|sequences?)|masks?|(?:bit ?)?strings)\b"
)
_SERIES = re.compile(r"\b1 \+ 2 \+ 4\b|\bpowers? of (?:two|three|2|3)\b", re.IGNORECASE)
_RAISED = re.compile(r"(?<![\w^{\\$_.])(?P<letter>[a-z])[2-9](?![\w^}_])")
_PRODUCT = re.compile(
    r"(?:(?<=[-+*·×=≥≤<>] )|(?<=[-+*·×=≥≤<>]))(?P<pair>[a-z][a-z])(?![\w(^'’])"
    r"|(?<![\w^{\\.'’])(?P<other>[a-z][a-z])(?= [+*·×=≥≤<>-] )"
)
_PROPER = re.compile(r"[a-z)] ?\^|\^ ?\{?[a-z]")
_RAISED_NAME = re.compile(r"[·×*] ?(?P<letter>[a-z])_0\b")
_AND_SO_ON = re.compile(r"[^.]{0,25}\band so on\b")


def check(sections: Sections, format_: InputFormat, *, flattened: bool) -> None:
    """Refuse a copied statement whose story or output may have lost a power.

    Args:
        sections: The statement, repaired.
        format_: Its input, for the names of what is read.
        flattened: Whether the statement shows that copying took something from it.

    Raises:
        Refused: quotes the place.
    """
    read = {item.name for item in format_.every_item()} | set(format_.sizes())
    for part in (sections.story, sections.output, sections.beside):
        for found in _PRODUCT.finditer(part):
            pair = found["pair"] or found["other"]
            item = part[: found.start()].rpartition("\n")[2].strip() in ("*", "-")
            told = re.search(rf"\b{pair}\b", sections.input) or pair in PAIRS_THAT_ARE_WORDS or item
            if not told and not set(pair) <= read and not _PROPER.search(part):
                raise _missing(part, found)
        for found in _RAISED_NAME.finditer(part):
            if found["letter"] in read:
                raise _missing(part, found)
    for part in (sections.story, sections.output, sections.beside) if flattened else ():
        series = bool(_SERIES.search(part))
        for found in _RAISED.finditer(part):
            if not re.search(rf"\b{found['letter']}_?1\b", part):
                raise _missing(part, found)
        for found in _GLUED.finditer(part):
            rest = part[found.end() :]
            known = found["letter"] in read and not found["index"]
            power = bool(_SUBSETS.match(rest)) if known else not _AND_SO_ON.match(rest)
            if power or (series and not _AND_SO_ON.match(rest)):
                raise _missing(part, found)


def _missing(part: str, found: re.Match[str]) -> Refused:
    near = " ".join(part[max(0, found.start() - 40) : found.end() + 20].split())
    return Refused(Stage.WORDING, f"a formula may be missing its powers or indices: “{near}”")
