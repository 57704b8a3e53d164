"""Problems that ask for a value and then for an example of it: the value alone is one answer, and can be asked for.

“Print the minimum number of moves, then any moves that reach it” has many right outputs, and one first value. Where the
statement names that value as an optimum, or as one of two words for whether there is a solution, the task asks for it
alone. What the statement says of the whole output stays in the prompt, as a description of a full solution, because
it often bounds what counts as one; only the leave to choose goes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from authoring.compiler import wording
from authoring.compiler.outcome import Refused
from authoring.compiler.plain import plain
from authoring.compiler.sections import Sections

OPEN = ("several answers", "nothing says in which order", "words in any letter case")
"""How the reasons of refusals begin that leave an answer open."""
_GAP = r"(?<=[.!?:])\s+(?=[A-Z«\"'$*`#-])|\n\s*\n|\n(?=[ \t]*[*-] )"
_LEAD = re.compile(
    r"(?:(?:otherwise|for (?:each|every) (?:test ?case|test|graph)|(?:else )?if [^,.]{1,150}),? |then,? )?"
    r"(?:you (?:should|must|have to) )?"
    r"(?:first(?:ly)?,? )?(?:(?:in|on) (?:the |a )?(?:first|single) (?:output )?line(?: of (?:the )?output)?,? )?"
    r"(?:you (?:should|must|have to) )?(?:first(?:ly)?,? )?"
    r"(?:(?:print|output|write)(?: (?:in|on) the first line)?,? "
    r"|(?:the )?first (?:output )?line (?:of (?:the )?output )?(?:(?:should|must|has to) )?contains? "
    r"|the first of them (?:should|must) contain )"
    r"(?P<value>.+)"
)
"""Up to what is printed first."""
_EXCEPTION = re.compile(
    r"(?:print|output|write) (?:(?:a|the|only|one|single|just|integer|number|word|string|out|on|in|line) )*"
    r"(?:«[^»]{1,12}»|[\"'“‘]? ?(?:-|— ?)?(?:1|0|no|impossible|invalid)\b)"
)
_HOW_MANY_LINES = re.compile(
    r"(?:for (?:each|every) test ?case,? )?(?:you (?:should|must) )?(?:print|output) (?:two|three|\w) lines"
    r"|the output should consist of (?:two|three) lines"
)
_KINDS = (
    r"(?:number|amount|sum|cost|value|length|time|size|score|beauty|difference|distance|price|power|height|count|budget"
    r"|money|energy|penalty|rating|profit|area|weight|total|bytes|operations|moves|steps|days|cells|elements)"
)
_BEST = r"(?:minimum|maximum|minimal|maximal|smallest|largest|least|greatest|fewest|highest|lowest)"
_OPTIMUM = re.compile(
    rf"{_BEST}(?: (?:possible|required|needed|necessary|total|final|overall|absolute|achievable|non-negative)){{0,3}}"
    rf" (?!number (?!of\b)){_KINDS}\b"
    r"|(?:length|size)(?: [a-z])? of (?:the|a|an) (?:longest|shortest|largest|smallest)\b"
)
"""A number that the input alone determines, whatever example reaches it."""
_NAME = re.compile(
    r"(?:(?:the|an?|one|single|only|required|non-negative|positive) )*(?:(?:integer|number)\b ?)?(?:[a-z]\b ?)?"
    r"(?:\([^)]*\) ?)?(?:(?:in|on) the first line ?)?(?:[—:,-] ?|denoting |representing |equal to |showing )*"
    r"(?:(?:the|your|its) )?(?:answer to the problem ?[—:,-] ?)?(?:(?:the|your) )?(?:required )?"
)
"""What may stand before it: the optimum is what is printed, not something that is said of what is printed."""
_OF_THE_EXAMPLE = re.compile(
    r"\b(?:found|chosen|constructed|obtained|printed|selected|you (?:choose|chose|print|build|use)|your (?!m(?:ax|in)))"
    r"|\b(?:not|n't) (?:have to |need to )?minimi[sz]e\b|\bany (?:value|number)\b"
)
_SEVERAL_VALUES = re.compile(
    r"\b(?:two|three|four|five|six|both|\d+|[a-z]) (?:[a-z-]+ )?(?:integers|numbers|values|words|strings)\b"
    r"|\band (?:the|its|their|an?|then|in|on|position|print|output|write)\b"
)
_THEN = re.compile(r"[;,]? (?:and )?then,? (?:print|output|write)\b|[;,] (?:and )?(?:in|on) the (?:second|next)\b")
_MORE = re.compile(r"\b(?:print|output|write|contains?|lines?|describ\w+)\b")
_INSTEAD = (
    " Where a full solution is something else instead, like a word or -1 for an impossible input, answer with that."
)
_WORDS = (
    *(("YES", "NO"), ("Yes", "No"), ("POSSIBLE", "IMPOSSIBLE"), ("Possible", "Impossible")),
    *(("VALID", "INVALID"), ("Valid", "Invalid")),
)
_WHETHER = re.compile(
    r"\b(?:exists?|possible|impossible|there (?:is|are|'s)|no (?:such|solution|way|valid)|can(?:not|'t)?|able|valid)\b"
)


def reduced(sections: Sections, outputs: Sequence[str]) -> Sections | None:
    """The statement asking for the first value alone; None where that is not proven to be one by words and samples.

    Args:
        sections: The statement.
        outputs: The samples' outputs.
    """
    told = _parts(sections.output)
    asked = _value(told, outputs) or _decision(sections.output, outputs)
    if not asked:
        return None
    beside = "".join(f"{text}{gap}" for text, gap in told if not _is_leave(text)).strip()
    made = replace(
        sections, output=asked, beside=beside, notes="" if _SAMPLES.search(sections.notes) else sections.notes
    )
    try:
        wording.check(made)
    except Refused:
        return None
    return made


_SAMPLES = re.compile(r"\b(?:samples?|examples?|test cases?|tests?)\b", re.IGNORECASE)


def first(printed: str) -> str:
    """The value that a whole output begins with; "" for an empty one."""
    return "".join(printed.split(maxsplit=1)[:1])


def _parts(markdown: str) -> list[tuple[str, str]]:
    """Sentences with the gap behind each."""
    pieces = re.split(f"({_GAP})", markdown)
    return [(text, "".join(pieces[at + 1 : at + 2])) for at, text in enumerate(pieces) if at % 2 == 0]


def _plain(text: str) -> str:
    return " ".join(plain(text).split()).rstrip(". ")


def _is_leave(sentence: str) -> bool:
    """“If there are several solutions, print any of them”, and nothing else that matters."""
    text = _plain(sentence).lower()
    free = re.search(r"\b(?:any|several|multiple|more than one|arbitrary|some answers)\b", text)
    said = re.search(r"[≤<≥>=\d«\"]|\b(?:yes|no|impossible)\b", text)
    return bool(free) and not said and re.match(r"(?:if|in case|you|it is|the answers?|all)\b", text) is not None


def _value(told: Sequence[tuple[str, str]], outputs: Sequence[str]) -> str:
    """What to print, in our words around the statement's own for the value; "" where it names no optimum first."""
    instead = False
    for at, (sentence, _) in enumerate(told):
        text = _plain(sentence)
        low = text.lower()
        if not low or _HOW_MANY_LINES.fullmatch(low):
            continue
        found = _LEAD.match(low)
        value = text[found.start("value") :] if found else ""
        value = value[: cut.start()] if (cut := _THEN.search(value.lower())) else value
        if _EXCEPTION.search(low) and not _OPTIMUM.search(value.lower()):
            instead = True
            continue
        more = cut is not None or any(_asks_more(later) for later, _ in told[at + 1 :])
        if not found or not more or not _names_one(value.lower()) or not _shown(outputs):
            return ""
        instead = instead or any(_EXCEPTION.search(_plain(later).lower()) for later, _ in told[at + 1 :])
        return (
            f"Print one value and nothing else: {_tidy(value)}.\n\n"
            f"It comes first in a full solution; the rest is not asked for.{_INSTEAD if instead else ''}"
        )
    return ""


def _tidy(value: str) -> str:
    value = re.sub(r" ?(?:in|on) the (?:first|only) line\b", "", value, flags=re.IGNORECASE).strip(" ,;:")
    return re.sub(r"^(?=single |integer |number )", "the ", value)


def _asks_more(sentence: str) -> bool:
    low = _plain(sentence).lower()
    return bool(_MORE.search(low)) and not _is_leave(sentence) and not _EXCEPTION.search(low)


def _names_one(value: str) -> bool:
    named = _NAME.match(value)
    return (
        bool(named and _OPTIMUM.match(value, named.end()))
        and not _SEVERAL_VALUES.search(value)
        and not _OF_THE_EXAMPLE.search(value)
    )


def _shown(outputs: Sequence[str]) -> bool:
    """The value stands on a line of its own, an integer, with more behind it in one sample at least."""
    more = False
    for output in outputs:
        lines = [line.split() for line in output.split("\n") if line.strip()]
        if not lines or len(lines[0]) != 1:
            return False
        if len(lines) > 1:
            more = True
            if not re.fullmatch(r"-?\d{1,18}", lines[0][0]):
                return False
    return more


def _decision(output: str, outputs: Sequence[str]) -> str:
    """What to print where a word says whether there is a solution, and only then an example follows."""
    text = _plain(output)
    for yes, no in _WORDS:
        named = [re.search(rf"(?<![\w-]){word}(?![\w-])", text) for word in (yes, no)]
        if not all(named):
            continue
        firsts = [first(one) for one in outputs]
        more = [one for one in outputs if set(one.split()) - {yes, no}]
        if not all(word in (yes, no) for word in firsts) or not more or any(first(one) == no for one in more):
            return ""
        if not _WHETHER.search(text.lower()) or re.search(r"\bquer(?:y|ies)\b", text.lower()):
            return ""
        return (
            f"Print one word and nothing else: {yes} or {no}.\n\n"
            "It comes first in a full solution; the rest is not asked for."
        )
    return ""
