"""Pictures that are not there: which of them only illustrate, and what of the story speaks of them.

A place holder inside a sentence, or behind a colon, stood for a formula or for something that the rules need. One in a
paragraph of its own, behind a full stop, shows what was said, if no sentence around it hands a rule over to it. A
sentence that shows an *example* in a picture (“The figure below shows an example”, “Illustration for the first test”)
belongs to the picture: it goes with it.
"""

from __future__ import annotations

import re

from authoring.compiler.outcome import Refused, Stage
from authoring.compiler.sections import Sections

PLACEHOLDER = re.compile(r"<image>")
_SPEAKS = re.compile(
    r"!\[|<img\b|\[(?:image|picture|figure)\]|"
    r"\b(?:picture|figure|image|diagram|illustration) (?:below|above|shows)\b|\bthe above"
    r" (?:picture|figure|image|drawing)\b|\b(?:see|in) the (?:picture|figure"
    r"|diagram)s?\b|\b(?:see|shown|depicted) (?:in |on )?the images?\b|\bbelow is (?:a|the) (?:picture|figure|image)",
    re.IGNORECASE,
)
_LEFT_TO_IT = re.compile(
    r"\b(?:picture|figure|image|diagram|illustrat\w*|formula|below|above|shown?|shows|follow(?:s|ing)|depicted|looks?"
    r" like|like this|denoted?|defined?|table|equation|expression|function|matrix|sum|calculat\w*|comput\w*|equals?"
    r"|rules?"
    r"|procedure|algorithm|(?:this|that|such|following) (?:way|manner)|types?|how|means?|displayed|drawn|pictured)\b",
    re.IGNORECASE,
)
"""Words of the sentence before a picture that may leave a part of the rules to it."""
_LEANS_ON_IT = re.compile(
    r"^(?:these|this|that's|here|where|such|it is(?!"
    r" (?:considered|known|guaranteed|possible|allowed|easy|clear)\b)|so|thus|then|above|below)\b|\b(?:shown"
    r"|shows|displayed|drawn|pictured"
    r"|depicted|above|below|pictures?|figures?|images?|diagrams?|as follows|the following|looks? like|formula)\b",
    re.IGNORECASE,
)
"""How a sentence behind a picture begins, or what it holds, if it speaks of it."""
_SHOWS_EXAMPLE = re.compile(
    r"\b(?:(?:picture|figure|image|drawing|diagram)s?\b[^.]{0,40}\b(?:shows?|illustrates?|depicts?|is|are)\b[^.]{0,40}"
    r"\b(?:example|part of|process|drawing an?|how|possible|first|second|sample)"
    r"|following (?:picture|figure|image|drawing|diagram) shows an? [a-z -]{3,50}[.:]?$"
    r"|examples? [^.]{0,60}\b(?:is|are) (?:given|shown|presented) (?:on|in) (?:the|a) (?:picture|figure)"
    r"|illustrations? (?:for|of) (?:the )?(?:\w+ )?(?:example|sample|test)"
    r"|below you can see one of|to better understand|an? (?:image|picture) of a"
    r"|(?:schematic|upper left) (?:picture|fragment)|for (?:a )?(?:clear|better) understanding)",
    re.IGNORECASE,
)
_CAPTION = re.compile(
    r"(?:an? )?(?:examples?|illustrations?|sketch|drawing)(?: of (?:the |an? )?\w+){0,2}\b[^.]{0,60}\.?"
    r"|(?:the|this) (?:picture|figure|image) (?:illustrates?|shows?) (?:how|an?|one)\b[^.]{0,80}\.?"
    r"|(?:an? |the )?(?:schematic|upper left|lower left) (?:picture|fragment|part)\b[^.]{0,80}\.?",
    re.IGNORECASE,
)
"""What stands behind a picture on its own line, and is no sentence of the rules."""
_HANDS_OVER = re.compile(
    r"\b(?:defin\w+|formula|equation|expression|function|matrix|table|as follows|following (?!picture|figure|image"
    r"|drawing)\w+|looks? like|what|rules?|pseudo-?code|code|digits?|comput\w*|calculat\w*|equals?|means?)\b",
    re.IGNORECASE,
)
_INSTANCE = re.compile(
    r"(?:for (?:example|instance)|in (?:the )?(?:first|second|sample) (?:example|sample|test)"
    r"|for (?:a )?(?:clear|better) understanding)\b",
    re.IGNORECASE,
)
_ALONE = re.compile(r"(?:\s*<image>)+[ \t]*(?P<caption>[^\n]*)")


_SAID_AGAIN = re.compile(
    r"(?<=[.!?]) (?:more )?formally,? <image>\.(?=\s|$)|, so there (?:are|is) <image> [a-z]+ in"
    r" total(?=[.,;])",
    re.IGNORECASE,
)
"""A formula that says once more what the sentence before said in words, or that only counts what was told."""
_OF_THE_PICTURE = re.compile(
    r"consider the (?:tree|graph|grid|board|matrix|map) (?:on|in) the"
    r" (?:picture|figure)\.",
    re.IGNORECASE,
)
_RULES = re.compile(
    r"\b(?:you|your|must|should|have to|find|calculate|count|print|determine|if and only if|called|define[ds]?|consider"
    r"(?! the \w+ (?:on|in) the))\b",
    re.IGNORECASE,
)
_LOST_POWER = re.compile(
    r"\( ?- ?1 ?\) ?[a-z](?![a-z'])|(?<![\w^{\\$.])[a-z]2 ?[-+] ?[a-z]2(?![\w^}])(?= ?(?:=|,|\.|$|[-+] ?[a-z]2\b))"
)
"""``( - 1)i`` and ``a2 + b2`` where no index was found: what copying left of (-1)^i and of a sum of squares."""
_LOST_INDEX = re.compile(r"(?<![\w{|])([a-z])_([ij]) = \w, \1_\2 [-+] 1 = ")
"""``a_j = x, a_j + 1 = y`` of two neighbours."""


def check(sections: Sections) -> None:
    """Refuse a statement that needs a picture or a formula which is not there.

    Raises:
        Refused: quotes the place.
    """
    story = without_illustrations(sections.story)
    whole = " ".join((story, sections.input, sections.output, sections.constraints))
    if found := _SPEAKS.search(whole):
        raise Refused(Stage.WORDING, f"the statement shows a picture: {_quoted(whole, found)}")
    for part in (story, sections.output):
        if found := _LOST_POWER.search(part):
            raise Refused(Stage.WORDING, f"a formula is missing its powers: {_quoted(part, found)}")
        if found := _LOST_INDEX.search(part):
            raise Refused(Stage.WORDING, f"a formula is missing its indices: {_quoted(part, found)}")
    for part in (sections.input, sections.output, sections.constraints, story):
        if found := PLACEHOLDER.search(part):
            raise Refused(Stage.WORDING, f"a formula or picture is missing: {_quoted(part, found)}")


def without_illustrations(story: str) -> str:
    """The story without the pictures that only illustrate, their captions, and the sentences that show an example."""
    paragraphs = re.split(r"\n\s*\n", _SAID_AGAIN.sub("", story))
    kept: list[str] = []
    dropped = False
    for at, paragraph in enumerate(paragraphs):
        after = next((other for other in paragraphs[at + 1 :] if not PLACEHOLDER.match(other.strip())), "")
        before = _without_pointer(kept[-1]) if kept else ""
        of_it = bool(_OF_THE_PICTURE.match(after)) and not _RULES.search(after)
        if _is_illustration(paragraph, before, "" if of_it else after):
            dropped = True
            if kept:
                kept[-1] = _without_announcement(before)
        elif not (dropped and _OF_THE_PICTURE.match(paragraph) and not _RULES.search(paragraph)):
            kept.append(paragraph)
    if dropped:
        kept = [_without_examples(paragraph) for paragraph in kept]
    return "\n\n".join(paragraph for paragraph in kept if paragraph.strip()).strip()


def _is_illustration(paragraph: str, before: str, after: str) -> bool:
    found = _ALONE.fullmatch(paragraph.strip("\n"))
    if not found or (after.strip() and not re.match(r"\s*[A-Z\"'“*]", after)):
        return False
    caption = found["caption"].strip()
    if caption and (not _CAPTION.match(caption) or _HANDS_OVER.search(caption) or _RULE_WORDS.search(caption)):
        return False
    last = _sentences(before)[-1] if before.strip() else ""
    first = _sentences(after)[0] if after.strip() else ""
    if last and not re.search(r"[.!?]\s*$", last) and not _EXAMPLE_GIVEN.match(last):
        return False
    told = _is_announcement(last) or bool(_INSTANCE.match(last))
    if not told and (_BY_IT if caption else _LEFT_TO_IT).search(last):
        return False
    return not _LEANS_ON_IT.search(first)


def _without_pointer(paragraph: str) -> str:
    """“…, and the answer is 7, as shown on the picture”: an example that is told in full."""
    return re.sub(
        r"(\bthe answer is\b[^.,]{1,40}), as shown (?:on|in) the (?:picture|figure)(?:"
        r" below)?\.\s*$",
        r"\1.",
        paragraph,
    )


_EXAMPLE_GIVEN = re.compile(
    r"an example of [a-z ]{3,30} is (?:given|shown|presented) (?:on|in) the (?:picture|figure)(?:"
    r" \([^()]{1,80}(?:\([^()]*\))?\))?:$",
    re.IGNORECASE,
)
_RULE_WORDS = re.compile(r"\b(?:must|should|only|never|always|cannot|may not)\b", re.IGNORECASE)
_BY_IT = re.compile(
    r"\b(?:these|that's|here|shown|shows|displayed|drawn|pictured|depicted|above|below|picture|figure|image|as follows"
    r"|following|looks? like)\b",
    re.IGNORECASE,
)
"""The same where a caption says that the picture is an example."""


def _is_announcement(sentence: str) -> bool:
    return bool(_SHOWS_EXAMPLE.search(sentence)) and not _HANDS_OVER.search(sentence)


def _without_announcement(paragraph: str) -> str:
    told = _sentences(paragraph)
    return paragraph[: paragraph.rstrip().rfind(told[-1])].rstrip() if _is_announcement(told[-1]) else paragraph


def _without_examples(paragraph: str) -> str:
    """Without sentences that point at the picture for an example: “For example, in the above figure, …”."""
    for sentence in _sentences(paragraph):
        if (_SPEAKS.search(sentence) or _ABOVE.search(sentence)) and _INSTANCE.match(sentence.strip()):
            paragraph = paragraph.replace(sentence, "").replace("  ", " ")
    return paragraph


_ABOVE = re.compile(r"\b(?:tree|graph|board|grid|drawing|map|matrix|network) (?:above|below)\b", re.IGNORECASE)


def _sentences(paragraph: str) -> list[str]:
    return re.split(r"(?<=[.!?])\s+", paragraph.strip()) or [""]


def _quoted(text: str, found: re.Match[str]) -> str:
    start = text.rfind(" ", 0, max(0, found.start() - 40)) + 1
    return f"“{' '.join(text[start : found.end() + 60].split())[:160]}”"
