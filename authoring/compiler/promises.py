"""Promises about the input outside the sections that are read sentence by sentence.

A structure that the input format keeps (a tree, a permutation, distinct values) may be spoken of anywhere; one that it
does not keep is a refusal.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from authoring.compiler.input_format import InputFormat, Item, Number, Numbers, Rows
from authoring.compiler.outcome import Refused, Stage
from authoring.compiler.plain import plain
from authoring.compiler.sections import Sections

_GUARANTEE = re.compile(
    r"(?<!not )(?<!to )(?<!allow )(?<!can be )\bguarantee[ds]?\b|\b(?:you|we) (?:may|can) assume\b|\bassume"
    r" that\b|\b(?:it"
    r" is|we|you|is) "
    r"(?:well )?know[n]? that\b|\bis promised\b|"
    r"\b(?:it is|is|are) always (?:possible|even|odd|distinct|sorted|valid|positive|connected|reachable|enough)\b|"
    r"\balways exists?\b|(?:^|\. )there (?:is|are) (?:always )?(?:exactly|at least|at most)\b|\bare always in\b|"
    r"\b(?:given|listed|sorted) in (?:strictly )?(?:non-?)?(?:increasing|decreasing|ascending|descending|sorted)\b"
)
_HARMLESS = re.compile(
    r"[^.]{0,60}(?:\bnumbered\b|\bindexed\b|\benumerated\b|\bfits? (?:in|into)\b|\bdoes(?:n't| not) (?:overflow|"
    r"exceed)\b"
    r"|\bnot (?:greater|more) than\b|\bthe first \w+ (?:of|is)\b|\bfor simplicity\b)"
)
_STRUCTURES = {
    "tree": r"\b(?:is|are|given|has|have|be|as|with|of|got|a) (?:an? |the )?(?:(?:un)?rooted |(?:un)?directed |"
    r"weighted "
    r"|connected |simple |binary )*tree\b(?! structures?)",
    "graph": r"\b(?:is|are|given|has|have|be|as|with) (?:an? |the )?(?:(?:un)?directed |weighted |connected |simple "
    r"|acyclic )*graph\b",
    "connected": r"\b(?:connected (?:un)?(?:directed )?graph|graph is connected|possible to (?:get|reach|travel)"
    r" from any"
    r"|(?:get|reach|travel) (?:to|from) (?:any|every|each) [^.]{0,40} (?:to|from) any)\b",
    "reachable": r"\b(?:can|could|is able to|possible to) (?:always )?(?:reach|get to|get from|travel to|travel"
    r" from|travel between|visit"
    r"|drive to|go to|go from) (?:any|every|each|all)\b|\b(?:any|every|each|all) [^.]{0,40}\b(?:are|is|can be)"
    r" (?:reachable|reached|connected)\b"
    r"|\bhas a tree structure\b|\bform(?:s|ing)? a tree\b",
    "acyclic": r"\b(?:acyclic graph|without cycles|no cycles|dag)\b",
    "permutation": r"(?<![\])}] )\b(?:is|are|given|has|have|be|as|with) (?:an? |the )?permutation\b",
    "distinct": r"\b(?:pairwise|mutually) (?:distinct|different|coprime)\b|\b(?:are|is) all (?:distinct|different)\b|"
    r"\b(?:values|numbers|elements|integers) [^.]{0,20}(?:are|is) (?:distinct|different)\b(?! (?:if|when|from|in)\b)|"
    r"\b(?:^|\. )all (?:the |of the )?\w+ (?:are|is) (?:pairwise )?(?:distinct|different)\b|"
    r"\b(?:array|sequence|list) of (?:n )?(?:pairwise )?(?:distinct|different)\b",
    "sorted": r"\b(?:is|are) (?:already )?sorted\b(?! (?:if|when|in|from)\b)",
    "kind": r"\b(?:given|has|have|got|gave|presented|receives?|bought|wrote|writes|invented|there is|consider) "
    r"(?:with |you |him |her "
    r"|us |them )?(?:an? |the |some )(?:\w+ )?(?:correct|valid|regular|balanced|palindromic|sorted|non-?decreasing"
    r"|non-?increasing|increasing|decreasing|bipartite|acyclic|convex|strongly|complete|prime|even|odd|perfect|unimodal"
    r"|bracket|triangulated) \w+",
    "parity": r"(?<!if )(?<!when )(?<!whether )(?<!that )(?<!while )(?<!until )\b[a-z](?:_\w{1,2})? (?:is|are) "
    r"(?:always "
    r"|an? )*(?:odd|even|prime|divisible|powers?|multiples?|perfect|square|coprime)\b",
    "exactly once": r"\b(?:every|each|all) (?:(?!that\b|which\b|who\b|whose\b)\w+ ){1,3}(?:occurs?|appears?|comes?) "
    r"(?:exactly |only |just )?(?:once|twice|\w+ times)\b|\bexactly one (?:cell |character |symbol )?«.»",
    "order": r"\b(?:given|listed|sorted|ordered|arranged|lined up|stand|written)\b[^.]{0,20}\bfrom (?:the )?\w+est\b"
    r"[^.]{0,20}\bto\b",
    "no two": r"\bno two (?!chosen|selected|picked|taken|placed|kept|marked)\w+ (?:have|has|share|stand|lie|are "
    r"the same"
    r"|are equal)\b",
    "one a pair": r"\b(?:(?:every|each|any|no) (?:pairs? of |two )[^.]{1,20}|(?:every|each|any|no) pair )"
    r"(?:is|are|can be|has|have)\b[^.]{0,30}\b(?:at most|no more than|not more than|more than|only) one\b"
    r"|\b(?:at most|no more than|not more than) one [a-z]+ (?:between|connect\w*|link\w*|join\w*|for)[^.]{0,20}"
    r"\b(?:any|every|each|two|pair)\b",
}
_SOME_HOLD = re.compile(
    r"(?:^|[.:] )(?:some|any|all|each|exactly|at least|there are|two|most) [^.]{0,40}\bof the given"
    r" [^.?]{0,60}\b(?:have|has"
    r"|share|shares|are|is|intersects?|contains?|cover)\b"
)
"""“Some n - 1 of the given rectangles have a common point”: told as a fact, it is promised of every input."""
_OF_MANY = frozenset({"tree", "graph", "connected", "acyclic", "permutation", "reachable"})
"""What single numbers cannot be."""
_STORY_ONLY = frozenset({"exactly once", "order"})
_CONDITION = re.compile(
    r"\b(?:if|when|whether|such that|so that|call|called|said|iff|consider|should|must|want|until|needs)\b"
)


_THEOREM = re.compile(
    r"\b(?:(?:it )?can be (?:easily )?(?:shown|proven|proved|seen)|(?:one|we|you) can (?:show|prove|see)|it is easy"
    r" to (?:see|show|prove))\b"
)
"""What can be proven of every input is no promise."""
_UNDER_BOUNDS = re.compile(r"\bhas infinitely many\b|\bunder (?:these|the|the given|given) constraints?\b")
_A_PATH = re.compile(r"(?:there )?(?:is )?always (?:exists?|possible)[^.]{0,30} (?:path|way|route|get|reach)\b")
_AS_TOLD = re.compile(
    r"\b(?:we|let's|let us)(?: can| may| will| shall)? assume that\b|^assume that\b|\b(?:it is"
    r"|we) (?:well )?known? that\b"
)
_OF_INPUT = re.compile(
    r"\b(?:input|given|integers?|numbers?|values?|arrays?|sequences?|strings?|words?|lists?|permutation|graphs?"
    r"|trees?|grid|map|"
    r"distinct|different|sorted|connected|exists?|possible|answers?|solutions?|tests?|always|exactly|at least|at"
    r" most|even|odd"
    r"|every|each)\b|(?<!['’])\b[b-hj-z]\b|_"
)
"""An assumption with none of these is about the story."""


_DEFINITION = re.compile(
    r"\bassume that (?:an?|any|two|some) [a-z ]{1,60} (?:is|are|is called|are called) [a-z ]{1,40} (?:if|when|iff)\b"
    r"|\bassume that [a-z]\([a-z, ]{1,20}\) (?:is|are|denotes|equals)\b"
    r"|\bassume that [^.]{0,80}\b(?:didn't|doesn't|did not|does not) change\b"
    r"|\b(?:this|that|which|rules?|conditions?) (?:also )?guarantees? that\b"
)
"""What a word of the story means, what is supposed for one question only, what follows from a rule."""
_OF_PEOPLE = re.compile(
    r"\b(?:known|assume) that (?!the |each |every |all |any |there |no |these |this |at |a |an |in |some"
    r" )[a-z]+(?: in [a-z]+)?"
    r" (?:cannot|can|must|may|likes?|wants?|never) "
    r"|\bknown that if (?:he|she|it|they) (?:moves?|goes|go|walks?|runs?|passes|takes?)\b"
    r"|\bis characteri[sz]ed (?:by|with) (?:two|three|four|five) (?:integers|numbers|values|parameters)\b"
)
"""What somebody in the story can do, and what its things are described by."""
_OF_VALUES = re.compile(
    r"guarantee|promise|\b(?:numbers?|integers?|digits?|letters?|values?|words?|strings?|sequences?|arrays?"
    r"|lists?|sorted|even|odd|twice|same"
    r"|different|distinct|equal|in a row|side by side)\b"
)
"""What somebody's habits then say of what was read."""
_IN_PLACE = re.compile(
    r"\b(?:numbered|indexed|enumerated|listed|given|i-th)\b[^.]{0,60}\bfrom (?:the )?(?:left|right|west|east|north"
    r"|south|top|bottom|start|beginning)\b"
)
_OF_A_GRID = re.compile(r"\b(?:rows|columns|cells)(?: of the [a-z]+)? (?:are|is|be) $")
_PLACES = re.compile(r"\b(?:coordinates?|positions?|places?|locations?|located|distances?|stands? at)\b")
_ROOTED = re.compile(r"(?<!square )(?<!cube )(?<!digital )\broot(?:ed)?\b")
_THERE_IS = re.compile(
    r"\bassume that there (?:is|are) (?:an?|some) [a-z ]{1,40}?(?P<names>(?:[a-z](?:_\w)?(?:, …)?(?:, | and"
    r" )?)+)(?:\.|$| such)"
)


def _is_told(sentence: str, found: re.Match[str], names: Collection[str]) -> bool:
    """Whether it is a theorem, a definition, or what the story assumes of its own world."""
    if _UNDER_BOUNDS.search(sentence):
        return True
    if _OF_PEOPLE.search(sentence) and not _OF_VALUES.search(sentence):
        return True
    if _THEOREM.search(sentence) or (_DEFINITION.search(sentence) and "it is guaranteed" not in sentence):
        return True
    if (there := _THERE_IS.search(sentence)) and not {
        one[0] for one in re.findall(r"[a-z](?:_\w)?", there["names"])
    } & set(names):
        return True
    said = _AS_TOLD.search(found[0].strip(" .")) or _AS_TOLD.search(sentence)
    return (
        said is not None
        and not _OF_INPUT.search(sentence[said.end() :])
        and not re.search("guarantee|promise", sentence)
    )


def check(sections: Sections, format_: InputFormat, kept_sentences: Collection[str] = ()) -> None:
    """Refuse a promise that the generator would not keep.

    Args:
        sections: The statement, cut.
        format_: What the generator keeps.
        kept_sentences: Those of the story that the format was made with.

    Raises:
        Refused: quotes it.
    """
    kept = _kept(format_)
    names = {item.name.lower() for item in format_.every_item()} | {str(format_.tests).lower()}
    _check_places(sections, format_, kept)
    only_numbers = all(isinstance(item, Number) for item in format_.lines()) and not any(format_.rows())
    for part in (sections.story, sections.output):
        text = " ".join(plain(part).split()).lower()
        for sentence in kept_sentences:
            text = text.replace(sentence.lower(), "")
        for found in _GUARANTEE.finditer(text):
            if "connected" in kept and _A_PATH.match(text[found.start() :]):
                continue
            if found[0].startswith("sorted in") and re.search(r"\bafter\b[^.]{0,40}$", text[: found.start()]):
                continue
            if _holds_each(_around(text, found), format_) or _is_one_a_pair(_around(text, found), format_):
                continue
            if only_numbers and _is_of_the_story(_around(text, found)):
                continue
            if not _HARMLESS.match(text[found.end() :]) and not _is_told(_around(text, found), found, names):
                raise _refused(text, found)
        if part is sections.story and (some := _SOME_HOLD.search(text)) and not _CONDITION.search(some[0]):
            raise _refused(text, some)
        for name, pattern in _STRUCTURES.items():
            if name in kept or (only_numbers and name in _OF_MANY) or (part is sections.output and name in _STORY_ONLY):
                continue
            for found in re.finditer(pattern, text):
                start = text.rfind(". ", 0, found.start()) + 1
                if _is_kept_too(name, found, text[start : found.start()], format_, names):
                    continue
                if not _CONDITION.search(text[start : found.start()]):
                    raise _refused(text, found)


def _check_places(sections: Sections, format_: InputFormat, kept: Collection[str]) -> None:
    """Places of things that are numbered as they stand are sorted; what has a root is a tree.

    Raises:
        Refused: the format does not keep that.
    """
    told = " ".join(plain(f"{sections.input} {sections.constraints}").split()).lower()
    text = " ".join(plain(f"{sections.story} {told}").split()).lower()
    found = next((one for one in _IN_PLACE.finditer(text) if not _OF_A_GRID.search(text[: one.start()])), None)
    if found and _PLACES.search(told) and not {"sorted", "permutation"} & set(kept):
        raise _refused(text, found)
    rooted = _ROOTED.search(told)
    by_index = any(re.search(r"\bi\b", getattr(item, "high", "")) for item in format_.every_item())
    if rooted and "tree" not in kept and not by_index:
        raise _refused(told, rooted)


_ASSUMED = re.compile(r"^you (?:can|may) assume that (?:the )?(?P<what>[a-z' -]{3,90})[.]?$")
_OF_THEM = re.compile(r"\bknown that [a-z]+ in [a-z]+ can [a-z]+ only\b")
_NOTED = re.compile(r"^note that it is always possible to (?P<what>[a-z' -]{3,60})[.]?$")
_OF_NUMBERS = re.compile(
    r"\b(?:even|odd|prime|divisible|multiples?|powers?|squares?|coprime|digits?"
    r"|guarantee\w*|promise\w*)\b"
)


def _is_of_the_story(sentence: str) -> bool:
    """What is supposed of things in a problem that reads nothing but single numbers, and names none of them."""
    if _OF_NUMBERS.search(sentence):
        return False
    if found := _ASSUMED.match(sentence):
        return not _OF_INPUT.search(found["what"])
    return bool(_OF_THEM.search(sentence) or _NOTED.match(sentence))


def _holds_each(sentence: str, format_: InputFormat) -> bool:
    """“A movie of each of k genres occurs” of a list that is made to hold each of 1 … k."""
    return any(text.startswith("holds_all") for text in format_.conditions) and bool(
        re.search(r"\b(?:each|every|all)\b[^.]{0,60}\b(?:occurs?|appears?|at least (?:once|one))\b", sentence)
    )


def _is_one_a_pair(sentence: str, format_: InputFormat) -> bool:
    """“There is at most one road between any two cities” of edges that are drawn so."""
    return any(True for _ in format_.graphs()) and bool(re.search(_STRUCTURES["one a pair"], sentence))


def _is_kept_too(name: str, found: re.Match[str], before: str, format_: InputFormat, names: Collection[str]) -> bool:
    """What the format keeps in another way, or what is said of something that is not read."""
    if name == "tree" and found[0] in ("a tree", "of a tree") and not any(map(_may_name_a_node, format_.every_item())):
        return True
    if name == "tree" and re.search(
        r"\b(?:can you|you (?:have|need) to|to)"
        r" (?:build|construct|draw|make|restore) $",
        before,
    ):
        return True
    if name == "reachable" and re.search(r"\bnot (?:from )?(?:every|each|all)\b", before):
        return True
    if name == "graph" and not re.search(r"connected|simple|acyclic", found[0]):
        return any(looks_like_edges(block) for block in format_.rows())
    if name == "kind" and "prime" in found[0]:
        return any(text.startswith("is_prime") for text in format_.conditions)
    subject = re.search(r"(?:^|[ *:;,(])([a-z])(?:_\w)?(?: also)? $", before)
    return subject is not None and subject[1] not in names and name in ("distinct", "parity", "sorted", "permutation")


def _around(text: str, found: re.Match[str]) -> str:
    """The sentence in which it stands."""
    start = max(text.rfind(mark, 0, max(found.start(), 0) + 1) for mark in (". ", "? ", "! ")) + 1
    end = text.find(". ", found.end())
    return text[start : end if end > 0 else len(text)].strip()


def _kept(format_: InputFormat) -> set[str]:
    kept: set[str] = set()
    for item in format_.every_item():
        if isinstance(item, Numbers):
            kept |= {"permutation", "distinct", "exactly once", "no two"} if item.permutation else set()
            kept |= {"distinct", "no two"} if item.distinct else set()
            # n different numbers from 1 to n.
            kept |= {"permutation"} if item.distinct and (item.low, item.high) == ("1", item.count) else set()
            kept |= {"sorted", "order"} if item.order != "any" else set()
    for block in format_.blocks:
        if isinstance(block, Rows) and block.distinct:
            kept |= {"distinct", "no two"}
    for text in format_.conditions:
        kept |= {"parity"} if "% " in text or text.startswith(("is_prime", "is_power")) else set()
        kept |= {"exactly once", "distinct", "no two"} if text.startswith("one_each") else set()
        kept |= {"sorted", "order"} if text.startswith(("rises", "never_falls")) else set()
        kept |= {"distinct", "no two"} if text.startswith(("all_distinct", "rises")) else set()
    if any(isinstance(item, Number) and item.parity != "any" for item in format_.every_item()):
        kept |= {"parity"}
    if not any(looks_like_edges(block) for block in format_.rows()):
        kept |= {"reachable", "one a pair"}
    for _, graph in format_.graphs():
        kept |= {"graph", "no two", "exactly once", "one a pair"}
        kept |= {"connected", "reachable"} if graph.kind != "simple" else set()
        kept |= {"tree", "acyclic"} if graph.kind == "tree" else set()
    return kept


def _may_name_a_node(item: Item) -> bool:
    """A number that another one bounds; where there is none, no graph is read, whatever grows in the story."""
    return isinstance(item, Number | Numbers) and not re.fullmatch(r"-?\d+", item.high)


def looks_like_edges(block: Rows) -> bool:
    """Rows of two numbers, both from 1 to the same size."""
    ends = [item for item in block.items if isinstance(item, Number) and item.low == "1" and item.high.isidentifier()]
    return len({item.high for item in ends}) < len(ends)


def _refused(text: str, found: re.Match[str]) -> Refused:
    start = text.rfind(" ", 0, max(0, found.start() - 40)) + 1
    quoted = " ".join(text[start : found.end() + 60].split())[:160]
    return Refused(Stage.GRAMMAR, f"a promise about the input outside the Input section: “{quoted}”")
