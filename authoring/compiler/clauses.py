"""Clauses that tell what numbers stand for: “, where a_i is the price of the i-th seat”, “— the first day, the last”.

A clause is taken apart into words; one list of words says what may narrow the numbers, and a clause that holds none of
them tells a story. What it would tell of one certain element, as of ``a_1``, is no such clause.
"""

from __future__ import annotations

import re

from authoring.compiler.descriptions import is_naming

_INDEXED = r"[A-Za-z]_[ijkv1-9]"
_IS = (
    r"(?:is|are|being|denotes?|denoting|means?|represents?|stands? for|shows?|specif(?:ies|y)|describes?|gives?"
    r"|characteri[sz]es?|equals|indicates?|corresponds? to)(?: equal)?(?: to)?"
)
_START = re.compile(rf"(?:,? where|,? in which|,? with|,| —) (?={_INDEXED}(?:(?: and|,) {_INDEXED})? {_IS} )")
_EACH = re.compile(rf"{_INDEXED}(?:(?: and|,) {_INDEXED})? {_IS} (?P<what>.+)")
_NEXT = re.compile(rf",? and (?={_INDEXED} {_IS} )|, (?={_INDEXED} {_IS} )")
_OF_A_NUMBER = frozenset(
    [
        "even",
        "odd",
        "prime",
        "primes",
        "divisible",
        "divisor",
        "divisors",
        "divides",
        "multiple",
        "multiples",
        "power",
        "powers",
        "square",
        "squares",
        "cube",
        "cubes",
        "guarantee",
        "guaranteed",
        "always",
        "must",
        "not",
        "never",
        "least",
        "less",
        "more",
        "greater",
        "larger",
        "smaller",
        "bigger",
        "exactly",
        "coprime",
        "palindrome",
        "palindromic",
        "perfect",
        "factorial",
        "equal",
        "equals",
        "sum",
        "exceed",
        "exceeds",
        "distinct",
        "different",
        "unique",
        "if",
        "whether",
        "between",
        "same",
        "other",
        "another",
        "no",
        "none",
        "such",
        "so",
        "or",
        "either",
        "parity",
        "degree",
        "digits",
        "satisfies",
        "satisfy",
        "integer",
        "integers",
        "string",
        "strings",
        "word",
        "words",
        "characters",
        "array",
        "sequence",
        "permutation",
        "element",
        "elements",
        "value",
        "values",
    ]
)
"""Words that could set a condition on a number, or name another value that is read."""
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")


_ITH = re.compile(
    rf",? (?:where )?(?:the )?i-th (?:of (?:them|which|these|those)|one|number|integer|value)"
    rf" {_IS.replace('represents?', 'rep?r?esents?')}"
    r" (?P<what>.+)"
)


_STILL_NAMING = re.compile(r"\b(?:two|three|four|five|six) (?:[a-z-]+ )?(?:integers|numbers) [A-Za-z_, ]{1,20}$")
"""“two integers a_i, b_i denoting …”: the second one is named, not told of."""


def without_each(text: str) -> str:
    """Cut off “, where a_i is …” at the end; the text as it is where there is no such clause, or it narrows."""
    if (found := _ITH.search(text)) and found.start() and found.end() == len(text) and is_naming(found["what"]):
        return text[: found.start()].strip(" ,—")
    for found in _START.finditer(text):
        if found[0].strip() == "," and _STILL_NAMING.search(text[: found.start()]):
            continue
        parts = [_EACH.fullmatch(part.strip(" ,")) for part in _NEXT.split(text[found.end() :])]
        if text[: found.start()].strip() and all(part is not None and _is_of_each(part) for part in parts):
            return text[: found.start()].strip(" ,—")
    return text


def _is_of_each(found: re.Match[str]) -> bool:
    """Of ``h_1`` only where it is a list of its own: “h_1 is the height of the i-th student in the first row”."""
    return is_naming(found["what"]) and (not re.match(r"[A-Za-z]_\d", found[0]) or "i-th" in found["what"])


def tells_of_numbers(text: str) -> bool:
    """Whether a clause behind the names of single numbers only says what they count or mark."""
    words = _WORD.findall(text.lower())
    return (
        2 <= len(words) <= 60
        and (words[0] in _BEGINS or words[0] in _COUNTS)
        and not re.search(r"(?<!room )\b\d|_", text)
        and is_naming(_OF_MOST.sub("", text))
        and not any(word in _OF_A_NUMBER and not _counted(words, at) for at, word in enumerate(words))
    )


_BEGINS = frozenset(["the", "its", "their", "his", "her", "maximum", "minimum", "initial", "required", "how"])
_OF_MOST = re.compile(
    r"\b(?:maximum|minimum|maximal|minimal|largest|smallest|possible) (?=(?:possible )?(?:number|amount|length"
    r"|size|cost"
    r"|time|distance|count)\b)"
)


def _counted(words: list[str], at: int) -> bool:
    """“the number of different colours”, “the length of the string”: a word for the things that are counted."""
    before = words[max(0, at - 4) : at]
    return words[at] in _THINGS and any(
        one == "of" and other in _COUNTS for one, other in zip(before[1:], before, strict=False)
    )


_THINGS = frozenset(
    [
        "integers",
        "string",
        "strings",
        "word",
        "words",
        "characters",
        "array",
        "sequence",
        "permutation",
        "different",
        "distinct",
    ]
)
_COUNTS = frozenset(["number", "length", "size", "amount", "count", "total"])
