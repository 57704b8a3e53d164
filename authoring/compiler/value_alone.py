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
_SAID_BEST = re.compile(rf"{_BEST} (?:possible|required|needed|necessary|overall|absolute|achievable)\b")
_OF_THE_WHOLE = re.compile(
    r"(?: of (?!(?:an?|any|one|each|every|some|two|your) )(?:the |such |these |those |distinct |different )?"
    r"[\w'-]+(?: [\w'-]+)?)?"
    r"(?=$|[,;:.()—-]| [a-z]+ (?:will|can|could|has to|have to|needs? to) |"
    r" (?:that|which|who|you|he|she|it|they|we|one|to|needed|required|necessary|over all|among all"
    r"|in the (?:first|only|single))\b)"
)
"""How it goes on behind a number of things, where that is not one group's among several."""
_SUMMED = re.compile(
    r"\b(?:number|amount|sum|cost|price|count|budget|money|penalty|profit|total|bytes|operations|moves|steps|days"
    r"|cells|elements)$"
)
_LOW = r"(?:minim\w*|smallest|least|fewest|lowest|shortest|cheapest|few|small|short|low|cheap|little)"
_HIGH = r"(?:maxim\w*|largest|greatest|highest|longest|biggest|most|many|large|great|high|long|much)"
_SUPERLATIVE = {
    "low": r"(?:minim(?:um|al)|smallest|least|fewest|lowest|shortest|cheapest)",
    "high": r"(?:maxim(?:um|al)|largest|greatest|highest|longest|biggest|most)",
}
_GOAL = {
    way: re.compile(
        rf"\b{verb}i[sz]\w*|\bas {words} [^.]{{0,60}}as (?:possible|(?:he|she|it|they|you|we) can)\b"
        rf"|\bas {words} as possible\b|\b{_SUPERLATIVE[way]} possible\b"
        rf"|\b(?:find|determine|compute|calculate|choose|wants?|help|goal|task|asked|what)\b[^.?]{{0,150}}"
        rf"\b{_SUPERLATIVE[way]}\b"
    )
    for way, verb, words in (("low", "minim", _LOW), ("high", "maxim", _HIGH))
}
"""Words of the story that make the best of all solutions the goal."""
_NOT_THE_BEST = re.compile(
    r"\b(?:not|n't|without|needn't) [^.]{0,40}\b(?:(?:mini|maxi|opti)mi[sz]\w*|optimal|best)\b"
    r"|\b(?:twice|half|\w+ times|factor)\b[^.]{0,40}\b(?:optim\w*|best|dear|minim\w*|maxim\w*|needed|cheap\w*|answer)\b"
    r"|\b(?:is|are|be) (?:enough|sufficient)\b[^.]{0,60}\b(?:at most|at least|print|find|within|close)\b"
    r"|\byou (?:may|can) (?:also )?print (?:a |an |any )?(?:smaller|larger|bigger|other|greater|worse|upper|lower)\b"
    r"|\b(?:need|have|has|necessary|required) (?:to be|be) (?:the )?(?:minim|maxim|optim|best)"
    r"|\bnot necessarily (?:the |an? )?(?:\w+ )?(?:mini|maxi|opti|best|short|small|large|few|least|cheap|long)"
)
"""What lets less than the best be right."""
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


_BETWEEN = re.compile(r"\b(?:both|either|neither|(?:of )?the two|other cases?|remaining|between)\b")
_NOT_FIRST = re.compile(
    r"\bfor (?:each|every) (?!test|graph|input|case|data)"
    r"|\b(?:second|next|last|following) line,? (?:you (?:should|must) )?(?:print|output|write)?(?:contains?)? ?[\"'“«]?"
    r"(?:yes|no|(?:im)?possible|(?:in)?valid)\b"
    r"|\b(?:allowed|may|can) (?:also )?(?:to )?(?:answer|print|output|say)\b(?![^.]*\b(?:letters?|case|register)\b)"
)
"""In a sentence with one of the words: there are many of them, it is not the first, or it may be said at will."""
_FREE = re.compile(r"\b(?:any|either|both|whichever|arbitrary|allowed|accepted)\b")
"""Leave to choose between the two words."""
_ELSE = re.compile(
    r"\b(?:otherwise|else|whether|or not|no|not|cannot|can't|n't|impossible|none|nobody|invalid|never)\b"
)
"""That one word is said where the other is not; the word itself in small letters does not count."""


def reduced(sections: Sections, outputs: Sequence[str]) -> Sections | None:
    """The statement asking for the first value alone; None where that is not proven to be one by words and samples.

    Args:
        sections: The statement.
        outputs: The samples' outputs.
    """
    told = _parts(sections.output)
    asked = _value(told, outputs, _plain(sections.story).lower()) or _decision(told, outputs)
    if not asked:
        return None
    beside = "".join(f"{text}{gap}" for text, gap in told if not _is_leave(text)).strip()
    made = replace(
        sections, output=asked, beside=beside, notes="" if _SAMPLES.search(sections.notes) else sections.notes
    )
    try:
        wording.check(made, unique=True)
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


def _value(told: Sequence[tuple[str, str]], outputs: Sequence[str], story: str) -> str:
    """What to print, in our words around the statement's own for the value; "" where it names no optimum first."""
    instead = False
    whole = " ".join([story, *(_plain(text).lower() for text, _ in told)])
    if _NOT_THE_BEST.search(whole) or _answers_in_words(told):
        return ""
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
        if not found or not more or not _names_one(value.lower(), story) or not _shown(outputs):
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


def _answers_in_words(told: Sequence[tuple[str, str]]) -> bool:
    """Whether something of several words or numbers is printed instead: its first one would be no answer."""
    for sentence, _ in told:
        for found in _EXCEPTION.finditer(low := _plain(sentence).lower()):
            if " " in found[0].rpartition("«")[2] and "«" in found[0]:
                return True
            if not _OPTIMUM.search(low[found.start() : found.end() + 40]) and not _ENDS.match(low, found.end()):
                return True
    return False


_ENDS = re.compile(
    r"[\s\"'”’»]*(?:$|[.,;:()—]|(?:if|when|in|instead|for|and|only|alone|as|otherwise|without|where|should|to|on|or)\b)"
)


def _names_one(value: str, story: str) -> bool:
    named = _NAME.match(value)
    best = _OPTIMUM.match(value, named.end()) if named else None
    return (
        best is not None
        and _is_goal(value, best, story)
        and not _SEVERAL_VALUES.search(value)
        and not _OF_THE_EXAMPLE.search(value)
    )


def _is_goal(value: str, best: re.Match[str], story: str) -> bool:
    """Whether it is the best of all solutions, and not the largest or smallest thing within the one that is printed."""
    if _SAID_BEST.match(best[0]) or (_SUMMED.search(best[0]) and _OF_THE_WHOLE.match(value, best.end())):
        return True
    way = "low" if re.search(rf"\b{_SUPERLATIVE['low']}\b", best[0]) else "high"
    nouns = _nouns(value, best)
    sentences = re.split(r"(?<=[.?!])\s+", story)
    return any(
        _GOAL[way].search(sentence) and any(re.search(rf"\b{re.escape(noun[:6])}", sentence) for noun in nouns)
        for sentence in sentences
    )


def _nouns(value: str, best: re.Match[str]) -> list[str]:
    """What is to be the most or the least: “height”, the “stones” of a number of stones, the “run” of a longest run."""
    if not re.search(r"\b(?:number|amount|longest|shortest|largest|smallest)$", best[0]):
        return [best[0].rpartition(" ")[2]]
    behind = re.sub(r"^ of ", " ", value[best.end() :])
    return re.findall(
        r"[a-z'-]{3,}", re.split(r"\b(?:of|in|on|at|from|to|for|that|which|with|among|between)\b", behind)[0]
    )[-1:]


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


def _decision(told: Sequence[tuple[str, str]], outputs: Sequence[str]) -> str:
    """What to print where a word says whether there is a solution, and only then an example follows."""
    sentences = [_plain(one) for one, _ in told]
    text = " ".join(sentences)
    if any(_FREE.search(low) and _BETWEEN.search(low) for low in map(str.lower, sentences)):
        return ""
    for yes, no in _WORDS:
        named = [re.search(rf"(?<![\w-]){word}(?![\w-])", text) for word in (yes, no)]
        if not all(named):
            continue
        if any(_NOT_FIRST.search(one.lower()) for one in sentences if re.search(rf"\b(?:{yes}|{no})\b", one)):
            return ""
        parts = [re.sub(rf"(?<![\w-]){no}(?![\w-])", "\0", one).lower() for one in sentences]
        if not any("\0" in one and _ELSE.search(one) for one in parts):
            return ""
        firsts = [first(one) for one in outputs]
        more = [one for one in outputs if set(one.split()) - {yes, no}]
        if not all(word in (yes, no) for word in firsts) or not more or any(first(one) == no for one in more):
            return ""
        asking = " ".join(_plain(one) for one, _ in told if not _is_leave(one)).lower()
        if not _WHETHER.search(asking) or re.search(r"\bquer(?:y|ies)\b", text.lower()):
            return ""
        return (
            f"Print one word and nothing else: {yes} or {no}.\n\n"
            "It comes first in a full solution; the rest is not asked for."
        )
    return ""
