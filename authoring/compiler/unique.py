"""Whether an Output section asks for numbers that the input determines: optima and counts, one on each line.

“You may choose any index” or “in any order” in the story then tells of the moves, not of the answer. The Output section
itself is held to every rule all the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from authoring.compiler.plain import output_sentences, plain
from authoring.compiler.sections import Sections

_BEST = r"(?:minimum|maximum|minimal|maximal|smallest|largest|least|greatest|fewest|highest|lowest|longest|shortest)"
_NUMBER = re.compile(
    rf"(?:(?:the|a|an|one|single|only|integer|number|positive|non-negative|possible|[a-z]|in|on|line)[ ,]+)*"
    rf"(?:integer|number)?(?: [a-z])?(?: ?(?:[—:-] ?)+|, | ?denoting | ?equal to | ?representing )?(?:the"
    rf" )?(?:required )?"
    rf"(?:{_BEST}(?: (?:possible|total|required|needed|integer|overall|final|achievable))* [a-z]{{3,}}"
    rf"|(?:total |different |the )*(?:number|amount) of (?!the |this |that |an? |each |its"
    rf" )(?:[a-z-]+ ){{0,2}}?(?!(?:is|this|has|was|its)\b)[a-z-]+s\b"
    rf"|how many [a-z-]+s\b|(?:the )?length of the {_BEST}\b)"
)
"""What is printed, if it is an optimum of something or a number of things."""
_PRINT = re.compile(
    r"^(?=an? (?:single )?(?:integer|number)\b)"
    r"|\b(?:print|output|write|find|contain|give|report|display|calculate|determine)s?(?: out)?\b[ ,:—]*"
)
_LEAD = re.compile(
    r"(?:(?:for|in|on) (?:each|every|a|the|an) (?:[a-z-]+ )*?[a-z]+,? |one per line[,:]? |(?:in|on) (?:a |the"
    r" )?(?:single"
    r" |separate |first )?line,? |(?:only )?(?:one|a single|an?|the) (?:integers?|numbers?(?! of\b)|lines?)(?:"
    r" with| containing"
    r"| which is| that is)?,? |— )+"
)
_INSTEAD = re.compile(
    r"(?:[-—]? ?1|0|«[^»]*»|[\"'“‘](?: ?-?\w+ ?)[\"'”’]|impossible|no|-1)(?=$|[\s.,;()\"'”])",
)
_OF_A_CHOICE = re.compile(
    r"\b(?:found|chosen|constructed|obtained|printed|selected|picked|taken|built|drawn|your (?!m(?:ax|in))"
    r"|you (?:choose|chose|pick|select|print|build|built|use|used|found|find))\b"
)
"""What is said of the example that somebody made up, not of all there are."""
_HOW_MANY = re.compile(
    r"(?:for each test ?case,? )?(?:print|output) (?:exactly )?[a-z] (?:integers?|numbers?|lines?|answers?)"
    r"(?: — one (?:per|for each) [a-z ]{3,30})?[.!;]?"
)
_WORDS = re.compile(r"[\"'“‘«] ?([a-z]{2,10}) ?[\"'”’»]", re.IGNORECASE)
_FORM = re.compile(
    r"%lld|%i64d|\bcin\b|leading zero|\bin (?:the )?order\b|\bseparate(?:d)? (?:lines?|by)\b|\bone per line\b"
)


def is_one_number(sections: Sections, outputs: Sequence[str]) -> bool:
    """Whether each line of the samples is one integer, and what is printed is such a number in every sentence."""
    lines = [line for output in outputs for line in output.split("\n") if line.strip()]
    text = " ".join(plain(sections.output).split())
    words = set(_WORDS.findall(text))
    if len(words) == 2 and lines and {line.strip() for line in lines} <= words:
        return _says_when(text, words)
    text = text.lower()
    if not lines or not all(re.fullmatch(r"\s*-?\d+\s*", line) for line in lines):
        return False
    named = False
    for sentence in output_sentences(text):
        asked = list(_PRINT.finditer(sentence))
        if not asked or _FORM.search(sentence) or _HOW_MANY.fullmatch(sentence):
            continue
        for found in asked:
            rest = sentence[found.end() :]
            rest = rest[lead.end() :] if (lead := _LEAD.match(rest)) else rest
            if _INSTEAD.match(rest):
                continue
            if not _NUMBER.match(rest) or _OF_A_CHOICE.search(sentence):
                return False
            named = True
    return named


def _says_when(text: str, words: set[str]) -> bool:
    """“Print "Yes" if the row is a valid one, or "No" otherwise”: one of two words, and nothing else is printed."""
    sentences = [one for one in output_sentences(text) if _PRINT.search(one.lower())]
    told = [one for one in sentences if not re.search(r"\b(?:letter|in any) ?(?:case)?\b|\bcases?\b", one)]
    named = {word for one in told for word in _WORDS.findall(one)}
    plain_words = all(
        not re.search(r"\b(?:any|number|integer|then|line|also)s?\b", _WORDS.sub("", one).lower()) for one in told
    )
    return named == words and plain_words and bool(re.search(r"\b(?:if|otherwise|whether)\b", text.lower()))
