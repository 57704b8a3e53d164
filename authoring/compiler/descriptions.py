"""What a value stands for, as against what is promised of it.

“— the number of rooms”, “(in minutes)”, “, where a_i is the weight of the i-th stone” may be passed over; “— a sorted
list”, “(n is even)”, “, where a_1 is the root” may not. Only noun phrases of a plain kind are recognised as
descriptions; everything else stays, and makes its sentence unreadable.
"""

from __future__ import annotations

import re

PROMISE = re.compile(
    r"\b(?:distinct|different|unique|permutation|sorted|order|increasing|decreasing|ascending|descending|even|odd|prime|"
    r"divisible|multiple|multiples|power|guaranteed?|such that|at least|at most|no two|not|exactly|must|always|only|"
    r"coprime|palindrome|balanced|valid|(?:a|rooted|the|this) tree|graph|edges?|vertex|vertices|connected|connect|once|"
    r"twice|same|equal|sum|between|less|more|greater|never|all|each|every|consecutive|forms?|progression|alternat\w*|"
    r"symmetric|neighbou?rs?|adjacent|cycle|convex|bracket|correct|except|unless|either)\b"
)
_SAYS = re.compile(
    r"\b(?:is|are|was|were|be|being|has|have|had|exists?|fits?|divides?|holds?|contains?|consists?|makes?|follows?|"
    r"satisf\w+|larger|smaller|bigger|longer|shorter|higher|lower|taller|before|after|previous|largest|smallest|"
    r"maxim\w*|minim\w*|roots?|rooted|parents?|winning|legal|optimal|proper|possible|zeros?|positive|negative|unimodal|"
    r"bitonic|zigzag|rotation|rotated|heap|product|that|which|whose|nested|function)\b"
)
_NOUN = re.compile(
    r"(?:the|its|their|his|her|your|how many|number of|total number of|length of|size of|in|given in|measured in) "
    r"[a-z][a-z' -]{1,80}"
)
_MORE = re.compile(r"(?:the |its |their |his |her |number of )?[a-z][a-z' -]{1,80}")
_VARIABLE = r"[A-Za-z](?:_[A-Za-z]{1,2})?"
_MEANS = re.compile(
    rf"(?P<name>{_VARIABLE}) (?:is|denotes|represents|means|gives|stands for|equals|describes) (?P<what>[a-z].*)"
)
_ELEMENTS = re.compile(rf"(?:the )?(?:elements|values) of (?:the )?(?:array|sequence|list)(?: {_VARIABLE})?")


def is_noun_phrase(text: str) -> bool:
    """Whether the text names what something is and says nothing about it."""
    text = text.strip(" ,")
    if _ELEMENTS.fullmatch(text):
        return True
    text = text.lower()
    if PROMISE.search(text) or _SAYS.search(text) or len(text.split()) > 24:
        return False
    first, *rest = re.split(r",? and |, ", text)
    return bool(_NOUN.fullmatch(first)) and all(_MORE.fullmatch(part) for part in rest)


def is_description(text: str) -> bool:
    """The same, also for “a_i is the weight of the i-th stone” and several of these joined by “and”.

    What is said of one certain element, as of ``a_1``, is no description.
    """
    text = text.strip(" ,")
    if is_noun_phrase(text):
        return True
    parts = re.split(rf",? and (?={_VARIABLE} (?:is|denotes|represents|means|gives|stands for) )", text)
    return all((found := _MEANS.fullmatch(part)) is not None and is_noun_phrase(found["what"]) for part in parts)


def without_descriptions(text: str) -> str:
    """Cut a description off the end of a phrase; what is none stays, whole."""
    for mark in (" — ", ", where ", ": ", ", denoting ", ", representing ", ", describing ", ", the i-th of which is "):
        head, found, tail = text.partition(mark)
        if found and is_description(tail):
            return without_descriptions(head)
    head, found, tail = text.rpartition(", the ")
    return head if found and is_noun_phrase(f"the {tail}") else text
