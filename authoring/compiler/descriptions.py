"""What a value stands for, as against what is promised of it.

“— the number of rooms”, “(in minutes)”, “, where a_i is the weight of the i-th stone” may be passed over; “— a sorted
list”, “(n is even)”, “, where a_1 is the root” may not. Only noun phrases of a plain kind are recognised as
descriptions; everything else stays, and makes its sentence unreadable.
"""

from __future__ import annotations

import re

PROMISE = re.compile(
    r"\b(?:distinct|different|unique|permutation|sorted|order|increasing|decreasing|ascending|descending|even|"
    r"odd|prime|"
    r"divisible|multiple|multiples|power|guaranteed?|such that|at least|at most|no two|not|exactly|must|always|only|"
    r"coprime|palindrome|balanced|valid|(?:a|rooted|the|this) tree|graph|edges?|vertex|vertices|connected|connect|once|"
    r"twice|same|equal|sum|between|less|more|greater|never|all|each|every|consecutive|forms?|progression|alternat\w*|"
    r"symmetric|neighbou?rs?|adjacent|cycle|convex|bracket|correct|except|unless|either)\b"
)
_NARROWS = re.compile(
    r"\b(?:distinct|different (?:from|values|numbers|integers|elements)|unique|permutation|sorted|(?:non-?)"
    r"?(?:in|de)creasing|"
    r"ascending|descending|even|odd|prime|divisible|multiples? of|powers? of|guaranteed?|coprime|palindrom\w*|balanced|"
    r"no two|exactly once|at least|not|never|always|must|once|twice|unless|except|heap|unimodal|bitonic|zigzag|"
    r"rotat\w+|nested|symmetric|convex|cycle|matching|non-?zero|positive|negative|winning|legal|proper|valid|"
    r"correct|regular|parents?|ancestors?|child|children|root|rooted|alternat\w*|consecutive|adjacent|less|more than|"
    r"greater|larger|smaller|bigger|equals? to|square of|factorial|binary|leading|progression|integer part|sum "
    r"of all|disjoint|non-?(?:overlapping|intersecting|crossing|touching)|(?:prefix|suffix|partial|running) sums?"
    r"|cumulative|one after (?:another|the other)|in (?:their|chronological|alphabetical|numerical) order"
    r"|along (?:the|a)|from the (?:lowest|smallest|least|nearest|closest|shortest|earliest|youngest|lightest|cheapest"
    r"|highest|largest|greatest|farthest|tallest|latest|oldest|heaviest))\b"
)
"""Words that may narrow the input; a description without them only says what a value stands for."""
_SOUGHT = re.compile(
    r"(?:the )?(?:number|amount|count|size|length|width|height|quantity|total) (?:of )?(?:the |all )?(?:\w+ ){0,2}"
    r"(?:elements|vertices|nodes|edges|rows|columns|lines|cells|members|children|numbers|integers|permutation|sequence"
    r"|sequences|array|tree|graph|string|strings|maze|cycle|grid)\b[^,;()≤<]*$"
)
"""“the number of elements in the permutation”, of a number that counts: what it counts narrows nothing."""
_SAYS = re.compile(
    r"\b(?:is|are|was|were|be|being|has|have|had|exists?|fits?|divides?|holds?|contains?|consists?|makes?|follows?|"
    r"satisf\w+|larger|smaller|bigger|longer|shorter|higher|lower|taller|before|after|previous|largest|smallest|"
    r"maxim\w*|minim\w*|roots?|rooted|parents?|winning|legal|optimal|proper|possible|zeros?|positive|negative|unimodal|"
    r"bitonic|zigzag|rotation|rotated|heap|product|that|which|whose|nested|function)\b"
)
_NOUN = re.compile(
    r"(?:the|its|their|his|her|your|how many|number of|total number of|length of|size of|in|given in|measured in) "
    r"[a-z][a-z' -]{1,80}|[a-z]+'s [a-z][a-z' -]{1,60}|[a-z]+ (?:[a-z]+ )?(?:in|of|on) (?:the|a|each) "
    r"[a-z][a-z' -]{1,60}"
)
_MORE = re.compile(r"(?:the |its |their |his |her |number of )?[a-z][a-z' -]{1,80}")
_COUNTS = re.compile(
    r"(?:then |the |total |maximum |minimum |initial |possible"
    r" )*(?:numbers?|amounts?|counts?|sizes?|lengths?|widths?|heights?|"
    r"quantity|choices?|texts?|messages?|notes|strings?|words?|group number|transitions|sizes|font sizes|initial \w+|"
    r"costs?|prices?|times?|weights?|capacity|capacities|dimensions?|coordinates?|positions?|ages?|colou?rs?|"
    r"index|indices|endpoints?|ends?|points?|durations?|speeds?|values?|strengths?|powers?|types?|elements|"
    r"level|limit|radius|"
    r"indexes|degrees? of \w+ of|code|codes|descriptions?|names?|borders?|ids?|distances?|lower bound on|upper "
    r"bound on) "
    r"(?:of |at |on |in |for |which |that |when |by |between |required |needed |to |from )"
)
_EDGE = re.compile(
    r"(?:that |— )?(?:there(?:'s| is| be| are| exists?)|the (?:i-th |[a-z]+ )?(?:edge|road|pair|vertices|"
    r"vertexes|nodes|cities|"
    r"ends|endpoints|path|street|indices|numbers of (?:the )?(?:vertices|cities|nodes))|an? (?:\w+ )?(?:edge|"
    r"road|link|path|"
    r"connection|friendship|tunnel|bridge|query)|they mean|vertices|nodes|cities|people|students|person|the "
    r"i-th \w+ (?:connects|"
    r"goes|leads|joins))\b[a-z_,' ()-]*"
)
_TAIL = re.compile(r"(?:the )?[a-z' -]{1,60}$|(?:that|which|when|where|in) [a-z' -]{1,80}$")
_VARIABLE = r"[A-Za-z](?:_[A-Za-z]{1,2})?"
_MEANS = re.compile(
    rf"(?P<name>{_VARIABLE}(?: [-+] \d)?|2\^[a-z]|{_VARIABLE} and {_VARIABLE}) (?:is|are|equals to|denotes|denote"
    rf"|represent|represents|means|gives|stands for|equals|describes) (?P<what>[a-z].*)"
)
_ELEMENTS = re.compile(
    rf"(?:the )?(?:(?:elements|values|numbers) (?:of|in) (?:the )?)?(?:given |initial )?(?:array|sequence|list)"
    rf"(?: {_VARIABLE})?"
)


def is_noun_phrase(text: str) -> bool:
    """Whether the text names what something is and says nothing about it.

    What counts something (“the number of vertices that are …”) may say of it what it likes: it narrows the things that
    are counted, not the number.
    """
    text = text.strip(" ,")
    if _ELEMENTS.fullmatch(text):
        return True
    text = text.lower()
    if len(text.split()) > 40 or re.search(r"[≤<≥>≠=]|\d{2}", text):
        return False
    text = re.sub(r"^(?:is |are )?(?:equals? to |equal to |denoting |representing )", "", text)
    if _EDGE.fullmatch(text):
        return not _NARROWS.search(text)
    first, *rest = re.split(r",? and (?!the i-th)|, ", text)
    return (
        bool(_plain_noun(first, _NOUN) or _COUNTS.match(first))
        and all(_plain_noun(part, _MORE) or _COUNTS.match(part) or _TAIL.match(part) for part in rest)
        and not _NARROWS.search(_SOUGHT.sub("", text) if _SOUGHT.match(first) else text)
    )


_OF_A_NUMBER = re.compile(
    r"\b(?:even|odd|primes?|divisible|divisors?|divides?|multiples?|powers?|squares?|cubes?|guarantee\w*|always"
    r"|must|not|never"
    r"|at least|at most|less|more|greater|larger|smaller|exactly|only|coprime|palindrom\w*|perfect|factorial"
    r"|equals?|sum|exceed\w*)\b"
)


def names_a_count(text: str) -> bool:
    """“the time of moving between adjacent levels”: what one number counts; of the number itself it says nothing."""
    text = text.strip(" ,").lower()
    return (
        bool(_COUNTS.match(text))
        and len(text.split()) <= 25
        and not _OF_A_NUMBER.search(text)
        and not re.search(r"[≤<≥>≠=]|\d{2}", text)
    )


def narrows(text: str) -> bool:
    """Whether a word in it may narrow the input."""
    return bool(_NARROWS.search(text.lower()))


def _plain_noun(text: str, pattern: re.Pattern[str]) -> bool:
    return bool(pattern.fullmatch(text)) and not PROMISE.search(text) and not _SAYS.search(text)


def is_description(text: str) -> bool:
    """The same, also for “a_i is the weight of the i-th stone” and several of these joined by “and”.

    What is said of one certain element, as of ``a_1``, is no description.
    """
    text = text.strip(" ,")
    if is_noun_phrase(text):
        return True
    parts = re.split(rf",? and (?={_VARIABLE}(?: [-+] \d)? (?:is|denotes|represents|means|gives|stands for) )", text)
    return all((found := _MEANS.fullmatch(part)) is not None and is_noun_phrase(found["what"]) for part in parts)


_MARKS = (
    " — ",
    ", where ",
    " where ",
    ": ",
    ", denoting ",
    ", representing ",
    ", describing ",
    " denoting ",
    " representing ",
    " describing ",
    ", the i-th of which is ",
    ", i-th of which stands for ",
    ", the i-th of them is ",
    " showing ",
    ", showing ",
    ", meaning ",
    " meaning ",
    " that means ",
    " that mean ",
    " that describes ",
    " that describe ",
    " which represents ",
    " which represent ",
    " that represents ",
    " that represent ",
    " which denotes ",
    " which denote ",
    " that denote ",
    " in which ",
    " which is ",
    " which are ",
    ", which are ",
    ", which is ",
    " which means ",
    " which equals ",
    ", which means ",
    " indicating ",
    ", indicating ",
    ", meaning that ",
    ", i.e. ",
    ", corresponding to ",
    " corresponding to ",
    ", standing for ",
    " specifying ",
    ", specifying ",
    " saying ",
    " saying that ",
    " that give ",
    ", that give ",
    " standing for ",
    ", that means ",
    ", that means that ",
    ", that mean that ",
    ", indicating that ",
    " indicating that ",
    ", denoting that ",
    ", which describes ",
    ", which describe ",
    " which describe ",
    " which describe ",
    " which shows ",
    " which show ",
    ", which ",
    ", that is ",
    " giving ",
    ", giving ",
    ": the i-th number represents ",
    ", respectively",
)


_NAMING_MARKS = frozenset(
    [
        ", which describe ",
        " which describe ",
        " — ",
        ", denoting ",
        ", representing ",
        ", describing ",
        " denoting ",
        " representing ",
        " describing ",
        " showing ",
        ", showing ",
        ", meaning ",
        " meaning ",
        ", meaning that ",
        " indicating ",
        ", indicating ",
        " which means ",
        " which equals ",
        ", which means ",
        ", which describes ",
        " specifying ",
        ", indicating that ",
        ", denoting that ",
        " saying ",
        " saying that ",
        " that give ",
        ", that give ",
        " standing for ",
        " which represent ",
        ", that means ",
        ", that means that ",
        ", that mean that ",
        " indicating that ",
    ]
)
"""Behind these stands what a value is called in the story."""
_NARROWS_TOO = re.compile(
    r"\b(?:(?:can|may|could|might) (?:also |only )?(?:be|have|not|repeat|contain|occur|appear|take|equal)|if|no"
    r"|none|nothing|next|previous|before it|one before|otherwise|possible|repeat\w*|zero or one"
    r"|primes?|only|exists?|contains?|maximal|minimal|first element|last element|degrees of|in (?:the )"
    r"?order of|rounded|"
    r"divides?|every value|all values|each value|majority|sum of shown|as many|formed by|forming|forms?|bits?|"
    r"digits of|"
    r"description of|template|sequence of (?:brackets|moves)|bracket|tree such|graph such|such that|so that|"
    r"polygon|triangle|quadrilateral|rhombus|"
    r"clockwise|degenerate|parallel|perpendicular|collinear|intersect\w*|overlap\w*|disjoint|inside|consistent|"
    r"schedule|"
    r"bipartite|acyclic|complete|closed|circular|unit|lattice|magic|latin|happy number|perfect|"
    r"largest|smallest|greatest|in the form|equal numbers?|in ascending|chronological\w*|order)\b"
)


_INSTRUCTS = re.compile(
    r"\b(?:you|he|she|they|we|person from which|[a-z]+) (?:must|need to|has to|have to|should)"
    r" (?=change|add|take|do|set|put|replace|remove|swap|append|answer|find|perform|assign)"
)
"""“you must change the value of a_i to x” tells what a query does."""


_ROOM = re.compile(r"\b(?:room|problem|building|contest) \d+$|\bof (?:the )?i-th child$")


def is_naming(text: str) -> bool:
    """Whether a clause behind a dash or “denoting” tells the story of a value and sets no condition on it."""
    text = _ROOM.sub("", _INSTRUCTS.sub("", text.strip(" ,").lower()))
    return (
        len(text.split()) <= 40
        and not _NARROWS.search(text)
        and not _NARROWS_TOO.search(text)
        and not re.search(r"[≤<≥>≠={]|\d{2}", text)
        and not re.search(
            r"\b(?:an?|one|two|\w) (?:integers?|strings?)\b|\blines?\b|\b(?:numbers?|integers?)"
            r" [a-z]_|\bfollowed by\b",
            text,
        )
    )


def without_descriptions(text: str) -> str:
    """Cut a description off the end of a phrase; what is none stays, whole."""
    text = re.sub(r",? (?:respectively|correspondingly|accordingly)$", "", text)
    for mark in _MARKS:
        head, found, tail = text.partition(mark)
        if found and head.strip() and (is_description(tail) or (mark in _NAMING_MARKS and is_naming(tail))):
            return without_descriptions(head)
    head, found, tail = text.rpartition(", the ")
    return head if found and is_noun_phrase(f"the {tail}") else text
