"""Wording that an exact comparison of answers cannot judge, wherever in the statement it stands."""

from __future__ import annotations

import re

from authoring.compiler.outcome import Refused, Stage
from authoring.compiler.plain import plain
from authoring.compiler.sections import Sections

_SEVERAL = (
    r"\b(?:print|output|report|find|give|return|construct|choose|write|display)s? (?:out )?any\b(?! (?:letter|case))",
    r"\bany (?:one )?of (?:them|these|those)\b",
    r"\bany (?:valid|correct|suitable|optimal|possible|such|acceptable|feasible|right)\b",
    r"\b(?:you (?:can|may)|it is (?:allowed|ok|okay) to) (?:print|output|report|choose|give) (?:any|them in any)\b",
    r"\bin (?:any|arbitrary) order\b",
    r"\bany order\b",
    r"\bany (?:answer|solution|one)s?\b|\bone possible\b|\bone (?:such|of (?:them|these|those))\b",
    r"\b(?:print|output|find|give|construct|report|build)\b[^.]{0,60}\b(?:an?|some)\b [^.]{0,60}"
    r"\b(?:such that|satisfying|that satisf(?:y|ies)|with the property|so that)\b",
    r"\b(?:all|any) (?:correct|valid) (?:answers?|solutions?) (?:is|are|will be) accepted\b",
    r"\bwill be (?:accepted|considered correct)\b",
    r"\bspecial (?:judge|checker)\b|\bchecker\b",
    r"\barbitrary (?:one|answer|solution)\b",
    r"\border\b[^.]{0,40}\b(?:does not|doesn't|do not|is not|isn't|is no) (?:matter|important|relevant|issue)\b",
    r"\b(?:regardless|irrespective|independent(?:ly)?) of (?:the |their )?order\b",
    r"\b(?:whichever|whatever) (?:order|way|one|you)\b|\b(?:as|if) you (?:like|wish|please|want)\b|\bof your choice\b",
    r"\b(?:does not|doesn't|do not|no) matter (?:which|how|in which|what)\b|\bup to you\b",
    r"\beither (?:of (?:them|these|those|the two)|one|answer|is (?:fine|right|correct|ok|okay))\b",
    r"\b(?:print|output|find|give|construct|report|build|show|write|list)\b[^.]{0,60}(?<!of )\ban? (?:shortest|longest|"
    r"cheapest|optimal|best|valid|possible|suitable|feasible|correct|minimum|maximum|minimal|maximal|largest|smallest)\b",
)
_LISTED = re.compile(
    r"\b(?:print|output|list|give|report|write|find|show|display)\b[^.]{0,30}\b(?:all|every|each of|the (?:different"
    r"|distinct|common|missing|remaining|unique|other))\b"
)
_ORDERED = re.compile(
    r"\b(?:order|ordered|sorted|sort|sorts|ascending|descending|increasing|decreasing|first|then|smallest|largest|smaller"
    r"|larger|starting|beginning|alphabetical\w*|lexicographic\w*|one after|reversed?|backwards|turn)\b"
    r"|\bfrom\b[^.]{0,60}\bto\b"
)
_PERHAPS_SEVERAL = re.compile(
    r"\b(?:if there (?:are|is|exist)|when there are|in case of|should there be|if more than one|if several|if"
    r" multiple)\b"
    r"[^.]{0,300}\b(?:several|multiple|many|more than one|ties?|different)\b[^.]{0,300}|\bif (?:several|multiple|more"
    r" than"
    r" one)\b[^.]{0,300}"
)
_TIE_BREAK = re.compile(
    r"\b(?:smallest|largest|minimum|maximum|minimal|maximal|lexicographically|leftmost|rightmost|earliest|latest"
    r"|lowest|"
    r"highest|greatest|least|shortest|longest|first|last|smaller|larger|lower|higher)\b"
)
_INTERACTIVE = re.compile(r"\binteractive\b|\bflush\b|\binteractor\b|\bask (?:the )?(?:judge|jury)\b")
_REAL = re.compile(
    r"\b(?:absolute|relative) (?:or (?:absolute|relative) )?error\b|\bdecimal (?:places?|digits?|points?)\b|"
    r"\breal (?:numbers?|values?)\b|\bfloating\b|\bdigits? after\b|\bwithin 1e-|\bprecision\b"
)
_PICTURE = re.compile(
    r"!\[|<img\b|\[(?:image|picture|figure)\]|"
    r"\b(?:picture|figure|image|diagram|illustration) (?:below|above|shows)\b|\b(?:see|in) the (?:picture|figure"
    r"|image|diagram)\b"
)
_GUARANTEE = re.compile(
    r"\bguarantee[ds]?\b|\b(?:you|we) (?:may|can) assume\b|\bassume that\b|\bit is known that\b|"
    r"\balways (?:exists?|possible)\b|\bis promised\b|\b(?:is|are|will) (?:always|never)\b|"
    r"\bthere (?:is|are) (?:always )?(?:exactly|at least|at most)\b|"
    r"\b(?:given|listed|sorted) in (?:strictly )?(?:non-?)?(?:increasing|decreasing|ascending|descending|sorted)\b"
)
_STRUCTURE = re.compile(
    r"\b(?:is|are|given|has|have|be|as|with) (?:an? |the )?(?:(?:un)?rooted |(?:un)?directed |weighted |connected "
    r"|simple )*"
    r"(?:tree|graph|permutation)\b|\b(?:pairwise|mutually) (?:distinct|different|coprime)\b|"
    r"\b(?:are|is) all (?:distinct|different)\b|\b(?:are|is) (?:distinct|different|sorted)\b(?! (?:if|when|from|in)\b)|"
    r"(?<!if )(?<!when )(?<!whether )(?<!that )(?<!while )(?<!until )\b[a-z](?:_\w{1,2})? (?:is|are) (?:always |an? )*"
    r"(?:odd|even|prime|divisible|powers?|multiples?|perfect|square|coprime)\b|"
    r"\bexactly one (?:cell |character |symbol )?«.»|"
    r"\bno two (?!chosen|selected|picked|taken|placed|kept|marked)\w+ (?:have|has|share|stand|lie|are the same|are"
    r" equal)\b"
)
_STORY_ONLY = re.compile(
    r"\b(?:every|each|all) (?:(?!that\b|which\b|who\b|whose\b)\w+ ){1,3}(?:occurs?|appears?|comes?) "
    r"(?:exactly |only |just )?(?:once|twice|\w+ times)\b|"
    r"\b(?:given|listed|sorted|ordered|arranged|lined up|stand|written)\b[^.]{0,20}\bfrom (?:the )?\w+est\b"
    r"[^.]{0,20}\bto\b"
)


def check(sections: Sections) -> None:
    """Refuse what the first version cannot judge exactly.

    Raises:
        Refused: several right answers, interactive, real numbers, a picture, or a guarantee outside the Input section.
    """
    whole = " ".join((sections.story, sections.input, sections.output, sections.constraints, sections.notes))
    if found := _PICTURE.search(whole.lower()):
        raise Refused(Stage.WORDING, f"the statement shows a picture: {_quoted(whole, found)}")
    text = " ".join(plain(whole).split()).lower()
    if found := _INTERACTIVE.search(text):
        raise Refused(Stage.WORDING, f"the problem is interactive: {_quoted(text, found)}")
    for pattern in _SEVERAL:
        for match in re.finditer(pattern, text):
            if not re.match(r"[^.]{0,40}\b(?:upper|lower|case|letter case)\b", text[match.start() :]):
                raise Refused(Stage.WORDING, f"several answers may be right: {_quoted(text, match)}")
    for match in _PERHAPS_SEVERAL.finditer(text):
        after = text[match.start() : match.end() + 120]
        if re.search(r"\b(?:answers?|solutions?|ways?|such|options?|ties?|them|optimal|possible)\b", match[0]) and (
            not _TIE_BREAK.search(after)
        ):
            raise Refused(Stage.WORDING, f"several answers may be right and nothing says which: {_quoted(text, match)}")
    if found := _REAL.search(text):
        raise Refused(Stage.WORDING, f"real numbers are not covered yet: {_quoted(text, found)}")
    _check_story(sections)


def check_order(sections: Sections) -> None:
    """For answers that are lists: the statement has to say in which order.

    Raises:
        Refused: it asks for all things of a kind and never speaks of an order.
    """
    output = " ".join(plain(sections.output).split()).lower()
    story = " ".join(plain(f"{sections.story} {sections.notes}").split()).lower()
    if (found := _LISTED.search(output)) and not _ORDERED.search(output) and not _ORDERED.search(story):
        raise Refused(Stage.WORDING, f"nothing says in which order: {_quoted(output, found)}")


def _check_story(sections: Sections) -> None:
    """A promise about the input that stands outside the sections which are read sentence by sentence."""
    for part in (sections.story, sections.output, sections.notes):
        text = " ".join(plain(part).split()).lower()
        for pattern in (_GUARANTEE, _STRUCTURE, *((_STORY_ONLY,) if part is sections.story else ())):
            if found := pattern.search(text):
                raise Refused(
                    Stage.GRAMMAR, f"a promise about the input outside the Input section: {_quoted(text, found)}"
                )


def _quoted(text: str, found: re.Match[str]) -> str:
    start = text.rfind(" ", 0, max(0, found.start() - 40)) + 1
    return f"“{' '.join(text[start : found.end() + 60].split())[:160]}”"
