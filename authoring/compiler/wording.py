"""Wording that an exact comparison of answers cannot judge, wherever in the statement it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from authoring.compiler import pictures
from authoring.compiler.outcome import Refused, Stage
from authoring.compiler.plain import output_sentences, plain
from authoring.compiler.sections import Sections

_PRINT = r"(?:print|output|report|find|give|return|construct|write|display|restore|build|show|recover|tell|determine)s?"
_ASKED = (
    rf"\b{_PRINT} (?:out )?any\b(?! (?:letter|case|extra|other|additional|spaces?|unnecessary|more|thing))",
    r"\bany (?:one )?of (?:them|these|those|which)\b(?=[.,;:)!]|$| (?:is|are|will|can be|may be|if|that|which|"
    r"to|in|on|as|for)\b)",
    r"\bany (?:valid|correct|suitable|optimal|possible|such|acceptable|feasible|right|appropriate)s?\b",
    rf"\b{_PRINT}\b[^.]{{0,60}}\bany (?:answer|solution)s?\b",
    r"\bany (?:answer|solution) (?:is|will|that|which|satisfying)\b",
    r"\b(?:you (?:can|may)|you are allowed to|it is (?:allowed|ok|okay) to) (?:print|output|report|choose|give) "
    r"(?:any|them in any)\b",
    r"\b(?:all|any) (?:correct|valid) (?:answers?|solutions?) (?:is|are|will be) accepted\b",
    r"\bwill be (?:accepted|considered correct)\b",
    r"\bspecial (?:judge|checker)\b|\bchecker\b",
    r"\b(?:any|arbitrary) one\b(?! of the (?:following|two|three) )|\barbitrary (?:answer|solution)\b",
    r"\b(?:as|if) you (?:like|wish|please|want)\b|\bof your choice\b|\bup to you\b",
    r"\beither (?:of (?:them|these|those|the two)|one|answer|is (?:fine|right|correct|ok|okay))\b",
    rf"\b(?!find the definitions?){_PRINT}\b[^.]{{0,60}}(?<!of )(?<!in )(?<!with )(?<!using )\ban?"
    rf" (?:shortest|longest|cheapest|optimal|best"
    rf"|valid|suitable|feasible|"
    rf"correct|minimum"
    r"|maximum|minimal|maximal|largest|smallest)\b(?! (?:possible )?(?:number|sum|cost|value|length|amount|time|"
    r"total|size"
    r"|difference|distance|price|integer|answer|weight|score))",
)
"""Several answers, wherever it stands."""
_LOOSE = (
    r"\b(?:in )?(?:any|arbitrary) order\b",
    r"\border\b[^.]{0,40}\b(?:does not|doesn't|do not|is not|isn't|is no) (?:matter|important|relevant|issue)\b",
    r"\b(?:regardless|irrespective|independent(?:ly)?) of (?:the |their )?order\b",
    r"\b(?:whichever|whatever) (?:order|way|one|you)\b",
    r"\b(?:does not|doesn't|do not|no) matter (?:which|how|in which|what)\b",
    r"\bone possible\b|\bone (?:such|of (?:them|these|those))\b",
    rf"\b{_PRINT}\b[^.]{{0,60}}\b(?:an?|some)\b [^.]{{0,60}}\b(?:such that|satisfying|that satisf(?:y|ies)|with the "
    r"property|so that)\b",
)
"""Several answers where the answer is a list or a word; a count or an optimum is one number all the same."""
_QUANTITY = re.compile(
    r"\b(?:the|a|its|their) (?:\w+ )?(?:minimum|maximum|minimal|maximal|minimally|maximally|smallest|largest|least"
    r"|greatest|highest|lowest|number of|amount of|total|sum|count|length|size|answer|answers?|expected|"
    r"probability|max|min"
    r"|earliest|latest|remainder|value|area|cost|result|time|lexicographically|k-th|kth|gcd|product|difference"
    r"|mex|beauty|fewest|shortest|longest|index of the)\b|\bhow many\b|\bmodulo\b|\bminimum\b|\bmaximum\b"
    r"|\b(?:maximal|minimal|largest|smallest) (?:possible|total)\b|\b(?:number|amount) of ways\b"
    r"|\b(?:[a-z]+'s|path|total) time\b"
)
_LISTED = re.compile(
    r"\b(?:print|output|list|give|report|write|find|show|display)\b[^.]{0,30}\b(?:all|every|each of|the (?:different"
    r"|distinct|common|missing|remaining|unique|other))\b"
)
_ORDERED = re.compile(
    r"\b(?:order|ordered|sorted|sort|sorts|ascending|descending|increasing|decreasing|first|then|smallest|"
    r"largest|smaller"
    r"|larger|starting|beginning|alphabetical\w*|lexicographic\w*|one after|reversed?|backwards|turn|quer(?:y|ies)"
    r"|i-th|test cases?|each (?:of the )?(?:\w+ )?(?:line|row|day|query|test|event|operation|request))\b"
    r"|\bfrom\b[^.]{0,60}\bto\b"
)
_PERHAPS_SEVERAL = re.compile(
    r"\b(?:if there (?:are|is|exist)|when there are|in case of|in case there|should there be|if more than one|"
    r"if several|if"
    r" multiple)\b"
    r"[^.]{0,300}\b(?:several|multiple|many|more than one|ties?|different)\b[^.]{0,300}|\bif (?:several|multiple|more"
    r" than"
    r" one)\b[^.]{0,300}"
)
_TIE_BREAK = re.compile(
    r"\b(?:smallest|largest|minimum|maximum|minimal|maximal|lexicographically|leftmost|rightmost|earliest|latest"
    r"|lowest|highest|greatest|least|shortest|longest|first|last|smaller|larger|lower|higher)\b"
)
_INTERACTIVE = re.compile(
    r"\binteractive\b|\bflush\b|\binteractor\b|\bask (?:the )?(?:judge|jury)\b|\bhacks? format\b|\bto make hacks?\b"
)
_REAL = re.compile(
    r"\b(?:absolute|relative) (?:or (?:absolute |a )?(?:relative|absolute)? ?)?error\b|"
    r"\bdecimal (?:places?|digits?|points?)\b|"
    r"\bfloating\b|\bdigits? after (?:the )?(?:decimal|floating|point|comma|dot)|\bwithin 1e-|\bprecision\b"
)
_REAL_VALUE = re.compile(r"\b(?:real|fractional) (?:numbers?|values?)\b")
"""Only where input and output are described: a story may speak of all real numbers."""
_TABLE_OR_CODE = re.compile(r"\bpseudo-?code\b|\bfollowing (?:code|program|table|function)\b", re.IGNORECASE)


def check(sections: Sections, *, near: bool = False, unique: bool = False) -> None:
    """Refuse what is judged by something else than one exact answer, or a near one where ``near`` says so.

    Args:
        sections: The statement.
        near: A real number is asked for, within the statement's tolerance.
        unique: What is asked for is one value that the input determines (``unique.py``): what the story leaves free is
            then how to reach it.

    Raises:
        Refused: several right answers, interactive, real numbers, a picture.
    """
    whole = " ".join((sections.story, sections.input, sections.output, sections.constraints))
    pictures.check(sections)
    text = _plain(f"{whole} {sections.notes}")
    if found := _INTERACTIVE.search(text):
        raise Refused(Stage.WORDING, f"the problem is interactive: {_quoted(text, found)}")
    exact = f"{sections.input} {sections.constraints}" if near else whole
    if found := _REAL.search(_plain(exact)):
        raise Refused(Stage.WORDING, f"real numbers without a tolerance: {_quoted(_plain(exact), found)}")
    io = _plain(" ".join((sections.input, "" if near else sections.output, sections.constraints)))
    if found := _REAL_VALUE.search(io):
        raise Refused(Stage.WORDING, f"real numbers are not covered yet: {_quoted(io, found)}")
    output = _plain(sections.output)
    free = output if unique else text
    for match in _asked_freely(free):
        raise Refused(Stage.WORDING, f"several answers may be right: {_quoted(free, match)}")
    for match in _loosely(output):
        sentence = output[: match.start()].rpartition(". ")[2] + output[match.start() :].partition(". ")[0]
        if unique and _OF_THE_COUNTED.search(sentence):
            continue
        raise Refused(Stage.WORDING, f"several answers may be right: {_quoted(output, match)}")
    for match in _PERHAPS_SEVERAL.finditer(output if unique else _plain(f"{sections.story} {sections.output}")):
        after = text[text.find(match[0]) :][: len(match[0]) + 120]
        if re.search(r"\b(?:answers?|solutions?|ways?|such|options?|ties?|them|optimal|possible)\b", match[0]) and (
            not _TIE_BREAK.search(after)
        ):
            raise Refused(Stage.WORDING, f"several answers may be right and nothing says which: {_quoted(text, match)}")


_OF_THE_COUNTED = re.compile(
    r"\border\b.*\b(?:identical|the same)\b|\bif (?:you|he|she|they) (?:can|may) [a-z ]{3,30}in any order\b"
)
"""Where one number is asked for: what is counted once, or how things may be done to reach it."""
_DEFINED = re.compile(
    r"\blexicographic\w*\b|\balphabetical\w*\b|\b(?:resulting|final|obtained|restored|original|decoded|encoded|"
    r"encrypted|decrypted|changed"
    r"|modified|new) (?:\w+ )?(?:string|word|text|array|sequence|message|password|name|number|grid|map|field|"
    r"picture|position"
    r"|state|line|permutation|matrix|board|list)s?\b|\bin (?:the )?(?:increasing|ascending|decreasing|"
    r"descending|non-\w+|sorted) order\b"
    r"|\b(?:the )?(?:winner|name of the|title|day of|date|time when|moment)\b|\bthe numbers? of (?:the )?(?:\w+ "
    r")?(?:ways|moves|operations"
    r"|elements|pairs)\b|\bafter\b|\bfrom the \w+ to the \w+\b|\bthe (?:sum|value|length|size|"
    r"height|distance|count)s?\b"
    r"|\bn-th\b|\bk-th\b|\ball (?:the )?\w+ from\b|\bwhether\b|\bhow many\b|\bshortest\b|\bsmallest\b|\blargest\b"
)
_DEFINED_TOO = re.compile(
    r"\bposition i\b[^.]{0,60}\bcontain (?:either )?[^.]{0,20}\bif\b|\bequal to [^.]*\bmod(?:ulo)?"
    r" \d{6,}|\bcharacteristics\b"
    r"|\banswers? (?:to|for) (?:the |each |all |i-th |corresponding )*(?:requests?|quer(?:y|ies)|questions?)\b"
    r"|\boutcomes?\b"
    r"|\bi-th (?:character|digit|integer|number|symbol)\b[^.]{0,60}\b(?:is|should be|must be) (?:equal to"
    r" )?['\"«]?[01]['\"»]? if\b"
    r"|\b(?:print|output|write|contain)s? (?:the )?(?:word |string"
    r" )?['\"«]\w{1,12}['\"»][^.]{0,60}\bif\b[^.]{0,200}\b(?:otherwise|or|and|else)\b"
    r"[^.]{0,60}['\"«]\w{1,12}['\"»]"
)
"""What is printed for each query, character by character, or one of two words by a condition."""
_FORM_ONLY = re.compile(
    r"(?:then |for each test ?case,? )?(?:you should |you must )?(?:print|output|write)(?: out)? (?:exactly )?(?:an? )?"
    r"(?:(?:[a-z](?: ?[-+] ?\d)?|\|[a-z]\||2 ?[·*]? ?[a-z]|several|two|three|four) )?(?:space[- ]separated )?"
    r"(?:lines?|integers?|numbers?|answers?|binary string of"
    r" length [a-z])"
    r"(?: to the standard output|,? one per line| — one (?:per|for each) (?:test case|line|query)| separated by"
    r" spaces)?(?:[.;]|: 1\.)?"
)
"""How many lines or numbers: another sentence has to say which."""
_FREE = re.compile(
    r"\b(?:colou?r\w*|paint\w*|choos\w+|pick\w*|select\w*|construct\w*|buil[dt]\w*|arrang\w+|rearrang\w+|"
    r"assign\w*|divid\w+"
    r"|split\w*|partition\w*|plan|schedule|restor\w+|find|fill\w*|plac(?:e|ing)|operations?|fingering|"
    r"convenient|match\w*"
    r"|distribut\w+|label\w*|design\w*|draw\w*|put|insert\w*|tournament|swaps?|edges|route|path|possible|such|"
    r"exists?|want\w*)\b"
)
"""Words of a problem whose answer is made up by the solver."""
_SAYS_WHAT = re.compile(
    r"\b(?:print|output|write|display|report|should|must|contain|give|find)s?\b|\bthe i-th (?:integer|number|"
    r"line|of them|element)\b"
)
_VERB = re.compile(r"\b(?:print|output|write)\b")
_CONSTANT = re.compile(
    r"(?:print|output|write) (?:(?:a|the|only|one|single|just|integer|number|word|string|out|on a single line|in a"
    r" single line) )*"
    r"(?:«[^»]*»|['\"]?(?:-1|0|no|yes|impossible|possible|none)\b)"
)
_ABOUT_FORM = re.compile(
    r"\b(?:upper|lower|letter|any|either) ?cases?\b|\b(?:specifier|leading zero\w*|do"
    r" not|quotes|case-sensitive|separated by"
    r"|separate lines?)\b"
)


def _is_no_answer(sentence: str) -> bool:
    """What is printed where there is no answer, or how letters and blanks are judged."""
    verbs = list(_VERB.finditer(sentence))
    if verbs and _CONSTANT.match(sentence, verbs[-1].start()) and "." not in sentence.rstrip("."):
        return True
    return _ABOUT_FORM.search(sentence) is not None


_ITEMS_ASKED = re.compile(
    r"\b(?:print|output|write|contain|give)s? (?:out |exactly |the |a |single |space-separated )*(?:\w+ )"
    r"?(?:integers|numbers"
    r"|lines|pairs|indices|words|strings|characters|permutation|sequence|points|edges)\b"
)


_MADE_UP = re.compile(
    r"\b(?:in order to|which (?:one|you|he|she|they|we) (?:must|should|can|could|have to|need to)|so that|so as to"
    r"|while using)\b"
)
_ONLY_ONE = re.compile(r"\blexicographic\w*\b|\balphabetical\w*\b|\bunique\b|\bi-th\b|\bin turn\b")
_REQUIRED = re.compile(
    r"\b(?:the|a|an) (?:required|sought|sought-for|desired|needed|wanted|suitable|valid|such) (?:\w+ )?(?:sequence"
    r"|arrangement|string"
    r"|word|permutation|array|colou?ring|order|set|path|plan|division|partition|assignment|pairs?|numbers [a-z])\b"
)
"""A thing that is asked for by what it has to satisfy."""
_COUNTED = re.compile(
    r"\b(?:number of|how many|count|length of|sum of|minimum|maximum|minimal|maximal|shortest"
    r"|longest|time)\b"
)


_SMALLEST_OF_SEVERAL = re.compile(
    r"\bif there (?:are|is) (?:multiple|several|many|more than one) [^.]{0,60}\b(?:print|output|choose|find|select) the"
    r" lexicographically (?:smallest|minimum|minimal|least|largest|maximum)\b"
)


def check_defined(sections: Sections, *, is_list: bool) -> None:
    """The statement has to say what the answer is, not only what it has to satisfy.

    For a list, a word or a grid each sentence that says what to print needs a word that leaves one answer: a quantity,
    an order, the result of something. A colouring, a plan or a division of things has none: its judge accepts several,
    even where the statement does not say so.

    Raises:
        Refused: quotes the sentence.
    """
    output = _plain(sections.output)
    told = output_sentences(output)
    for part in told:
        if (found := _REQUIRED.search(part)) and not (_ONLY_ONE.search(part) or _COUNTED.search(part)):
            raise Refused(
                Stage.WORDING, f"several answers may be right, nothing says that only one is: {_quoted(part, found)}"
            )
    if not is_list:
        patterns = (_QUANTITY, _DEFINED, _DEFINED_TOO)
        if not (any(pattern.search(output) for pattern in patterns) or _QUANTITY.search(_plain(sections.story))):
            raise Refused(Stage.WORDING, "nothing says that only one answer is right: no quantity is asked for")
        return
    if _SMALLEST_OF_SEVERAL.search(output):
        return
    made_up = [part for part in told if _MADE_UP.search(part) and not _ONLY_ONE.search(part)]
    defined = [
        part
        for part in told
        if part not in made_up and (_QUANTITY.search(part) or _DEFINED.search(part) or _DEFINED_TOO.search(part))
    ]
    for sentence in told:
        if sentence in defined or (defined and _FORM_ONLY.fullmatch(sentence)):
            continue
        if not _SAYS_WHAT.search(sentence) or (
            _is_no_answer(sentence) and ("case-sensitive" in sentence or not _ITEMS_ASKED.search(sentence))
        ):
            continue
        if sentence in made_up or _FREE.search(_plain(f"{sections.story} {sections.output}")):
            raise Refused(
                Stage.WORDING, f"several answers may be right, nothing says that only one is: “{sentence[:140]}”"
            )


_ANY_CASE = re.compile(
    r"\b(?:any|either|arbitrary) (?:letter )?(?:case|register)\b|\bupper(?: |-)?(?:case)? or lower|\blower(?: |"
    r"-)?(?:case)? or "
    r"upper|\bcase[- ]insensitive\b|\bcase of (?:the )?letters\b"
)


def in_any_case(output: str) -> bool:
    """Whether an Output section accepts words in any letter case."""
    return _ANY_CASE.search(_plain(output)) is not None


def check_list(sections: Sections) -> None:
    """For answers that are lists, words or grids: they have to be defined, and nothing may leave open in which order.

    Raises:
        Refused: a word that leaves it open, or all things of a kind are asked for and no order is spoken of.
    """
    check_defined(sections, is_list=True)
    for part in (sections.story, sections.notes):
        text = ". ".join(one for one in _plain(part).split(". ") if re.search(rf"\b{_PRINT}\b", one))
        for match in _loosely(text):
            raise Refused(Stage.WORDING, f"several answers may be right: {_quoted(text, match)}")
    output = _plain(sections.output)
    if found := _ANY_CASE.search(output):
        raise Refused(Stage.WORDING, f"words in any letter case, several of them: {_quoted(output, found)}")
    story = _plain(f"{sections.story} {sections.notes}")
    if (found := _LISTED.search(output)) and not _ORDERED.search(output) and not _ORDERED.search(story):
        raise Refused(Stage.WORDING, f"nothing says in which order: {_quoted(output, found)}")


def _plain(text: str) -> str:
    return " ".join(plain(text).split()).lower()


def _asked_freely(text: str) -> Iterator[re.Match[str]]:
    for pattern in _ASKED:
        for match in re.finditer(pattern, text):
            around = text[max(0, match.start() - 60) : match.end() + 60]
            if not re.search(
                r"\b(?:upper|lower|letter) ?case\b|\bcase\b[^.]{0,20}\bletters?\b|\bin any case\b", around
            ):
                yield match


def _loosely(text: str) -> Iterator[re.Match[str]]:
    for pattern in _LOOSE:
        for match in re.finditer(pattern, text):
            start = max(text.rfind(". ", 0, match.start()), 0)
            end = text.find(". ", match.end())
            sentence = text[start : end if end > 0 else len(text)]
            number = re.search(
                r"^ (?:possible )?(?:number|sum|cost|value|length|amount|time|total|size)", text[match.end() :]
            )
            best_of_some = pattern is _LOOSE[-1] and not number and not _ONE_NUMBER.search(match[0])
            if best_of_some or not (_QUANTITY.search(sentence) and "order" not in match[0]):
                yield match


_ONE_NUMBER = re.compile(
    r"\ban? (?:single |positive |non-negative )*(?:integer|number|line)\b[^.]{0,20}(?:—|:|,|-|denoting|equal to)"
    r" ?(?:the (?:\w+ )?(?:number|maximum|minimum"
    r"|maximal|minimal|largest|smallest|sum|length|amount|count)|how many)\b"
)


def _quoted(text: str, found: re.Match[str]) -> str:
    start = text.rfind(" ", 0, max(0, found.start() - 40)) + 1
    return f"“{' '.join(text[start : found.end() + 60].split())[:160]}”"
