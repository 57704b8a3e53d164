"""Whether an Output section asks for numbers that the input determines: optima and counts, one on each line.

“You may choose any index” or “in any order” in the story then tells of the moves, not of the answer. The Output section
itself is held to every rule all the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from authoring.compiler.plain import plain
from authoring.compiler.sections import Sections

_BEST = r"(?:minimum|maximum|minimal|maximal|smallest|largest|least|greatest|fewest|highest|lowest|longest|shortest)"
_NUMBER = re.compile(
    rf"(?:(?:the|a|an|one|single|only|integer|number|positive|non-negative|possible|[a-z]|in|on|line)[ ,]+)*"
    rf"(?:integer|number)?(?: [a-z])?(?: ?[—:-] ?|, | denoting | equal to | representing )?(?:the )?(?:required )?"
    rf"(?:{_BEST}(?: (?:possible|total|required|needed|integer|overall|final|achievable))* [a-z]{{3,}}"
    rf"|(?:total |different |the )*(?:number|amount) of (?!the |this |that |an? |each |its"
    rf" )(?:(?:all|different|distinct"
    rf"|unordered|ordered|such|possible|the) )*[a-z-]+s\b"
    rf"|how many [a-z-]+s\b|(?:the )?length of the {_BEST}\b)"
)
"""What is printed, if it is an optimum of something or a number of things."""
_PRINT = re.compile(
    r"\b(?:print|output|write|find|contain|give|report|display|calculate|determine)s?(?: out)?\b[ ,:—]*"
)
_LEAD = re.compile(
    r"(?:(?:for|in|on) (?:each|every|a|the|an) (?:[a-z-]+ )*?[a-z]+,? |one per line[,:]? |(?:in|on) (?:a |the"
    r" )?(?:single"
    r" |separate |first )?line,? |(?:only )?(?:one|a single|an?|the) (?:integers?|numbers?|lines?)(?: with| containing"
    r"| which is| that is)?,? |— )+"
)
_INSTEAD = re.compile(
    r"(?:[-—]? ?1|0|«[^»]*»|[\"'“‘](?: ?-?\w+ ?)[\"'”’]|impossible|no|-1)(?=$|[\s.,;()\"'”])",
)
_FORM = re.compile(
    r"%lld|%i64d|\bcin\b|leading zero|\bin (?:the )?order\b|\bseparate(?:d)? (?:lines?|by)\b|\bone per line\b"
)


def is_one_number(sections: Sections, outputs: Sequence[str]) -> bool:
    """Whether each line of the samples is one integer, and what is printed is such a number in every sentence."""
    lines = [line for output in outputs for line in output.split("\n") if line.strip()]
    if not lines or not all(re.fullmatch(r"\s*-?\d+\s*", line) for line in lines):
        return False
    text = " ".join(plain(sections.output).split()).lower()
    named = False
    for sentence in re.split(r"(?<=[.!?;])\s+", text):
        asked = list(_PRINT.finditer(sentence))
        if not asked or _FORM.search(sentence):
            continue
        for found in asked:
            rest = sentence[found.end() :]
            rest = rest[lead.end() :] if (lead := _LEAD.match(rest)) else rest
            if _INSTEAD.match(rest):
                continue
            if not _NUMBER.match(rest):
                return False
            named = True
    return named
