"""Phrases for what stands on a line: “two integers n and m”, “n integers a_1, …, a_n”, “a string s of length n …”.

A phrase is read whole or not at all. What follows a dash or “where” is a description: it is passed over unless it holds
a word that could be a promise about the input.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from authoring.compiler import expressions
from authoring.compiler.alphabets import NotUnderstood, alphabet
from authoring.compiler.bounds import Bounds, key_of, range_phrase
from authoring.compiler.clauses import tells_of_numbers, without_each
from authoring.compiler.descriptions import is_noun_phrase, names_a_count, without_descriptions

COUNT_WORDS = {
    word: number
    for number, words in enumerate(
        ("", "a an one single", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    )
    for word in words.split()
}
NAME = r"[A-Za-z](?:_?\d{1,2})?(?:_[A-Za-z]{1,2})?"
_NAMES = rf"{NAME}(?:(?:, | and |, and ){NAME})*"
_ELIDED = rf"{NAME}(?:,? {NAME})*,? …,? {NAME}"
_EXPR = r"(?:2\^[a-z]|[A-Za-z0-9_]+(?:(?: ?[-+*·] ?)[A-Za-z0-9_]+)?)"
_COUNT = rf"(?:exactly )?(?P<count>{'|'.join(COUNT_WORDS)}|(?!the\b){_EXPR})"
_GAPS = r"(?:space[- ]separated|single[- ]space[- ]separated|whitespace[- ]separated|separated|blank[- ]separated)"
_KIND = r"(?P<sign>positive|non-?negative|natural|negative)?"
_ADJECTIVES = rf"(?:(?:{_GAPS}|given|other|more|further|such|single|whole|integer) )*"
_INTEGERS = r"(?:integers?|integer numbers?|whole numbers?|numbers?|values?)"
_SPACED = r"(?:,? (?:all )?(?:separated|divided) by (?:a |one |single )*(?:white ?)?(?:spaces?|blanks?))?"

SCALARS = re.compile(
    rf"(?:(?:{_COUNT}|the) )?{_ADJECTIVES}(?:{_KIND} )?{_ADJECTIVES}(?:(?P<parity>even|odd) )?{_INTEGERS}:?"
    rf" (?P<names>{_NAMES}){_SPACED}"
)
BARE = re.compile(rf"(?P<names>{_NAMES})")
COUNTED = re.compile(rf"the (?:number|count|size|length|width|height) of (?:the )?[a-z -]{{1,40}}? (?P<names>{NAME})")
LIST = re.compile(
    rf"(?:the |an? )?(?:(?:array|sequence|list|row) (?:(?P<array>{NAME}) )?of )?{_COUNT}"
    rf" {_ADJECTIVES}(?P<distinct>(?:pairwise )?"
    rf"(?:distinct|different|unique) )?{_ADJECTIVES}(?:{_KIND} )?{_ADJECTIVES}(?:{_INTEGERS}|elements)"
    rf"(?:,| of (?:the )?(?:array|sequence|list)(?: (?P<of>{NAME}))?)?:?(?: (?P<names>{_ELIDED}|{NAME}))?{_SPACED}"
)
ARRAY = re.compile(
    rf"(?:the |an? )?(?:elements of (?:the )?)?(?:array|sequence|list)(?: (?P<of>{NAME}))?(?: of (?:length |size )?"
    rf"(?P<count>{_EXPR})(?: {_INTEGERS})?)?:?,?(?: (?P<names>{_ELIDED}))?{_SPACED}"
)
PERMUTATION = re.compile(
    rf"(?:the |a )permutation(?: (?P<names>{_ELIDED}|{NAME}))?(?: of (?:the )?(?:integers |numbers |integers from "
    rf"|numbers from "
    rf"|length |size )?(?:\(?1(?:,| to|,? ?…,?)?(?: 2,)?(?: …,?)?(?: to)? ?)?(?P<count>{NAME})\)?)"
)
WORD = re.compile(
    r"(?:(?:an?|one|the|a single) )?(?P<adjectives>(?:(?:non-?empty|single|binary|lower-?case|upper-?case|English"
    r"|Latin|decimal) )*)"
    rf"(?P<noun>string|word|text|sequence of characters|row)(?: (?P<name>{NAME}))?(?P<rest>(?:,? .*)?)"
)
CHARACTERS = re.compile(rf"(?:exactly )?(?P<length>{_EXPR}) (?:characters|symbols|cells)(?P<rest>(?:[,:]? .*)?)")
_HEAD = (
    rf"(?:an?|one|two|three|four|five|six|the(?! (?:number|count|length|size|amount) of)|another|(?!the\b){_EXPR})"
    rf" (?!of )(?:(?!and |or )[a-z-]+ ){{0,3}}(?:integers?|numbers?|strings?|words?"
    r"|characters|array|sequence|permutation)\b"
)
_DIVIDE = re.compile(rf"(?:,? and(?: then)?|,(?: then)?|,? followed by(?: a space and)?) (?={_HEAD})")


_ORDER_MARK = re.compile(r" ?\[([a-z -]+)\]$", re.IGNORECASE)
ORDER_MARKS = {
    "rises": "nondecreasing",
    "sorted": "nondecreasing",
    "non-decreasing": "nondecreasing",
    "strictly rises": "increasing",
    "strictly increasing": "increasing",
    "increasing": "increasing",
    "non-increasing": "nonincreasing",
    "decreasing": "decreasing",
}
"""What :mod:`phrasing` writes in square brackets behind a list."""


@dataclass
class Draft:
    """An item whose bounds are not known yet. ``kind`` is number, numbers or word; ``count`` also a word's length."""

    kind: str
    name: str
    count: str | None = None
    alphabet: str | None = None
    distinct: bool = False
    permutation: bool = False
    order: str = "any"
    parity: str = "any"
    first: int = 1
    own: Bounds = field(default_factory=Bounds)


@dataclass
class DraftBlock:
    """A line, or ``count`` lines with the same items, and what is said of them together.

    Attributes:
        graph: "simple", "connected" or "tree" where the lines are edges; "" where they are not.
        distinct: No line comes twice.
        unequal: Names of two numbers of a line that differ.
    """

    items: list[Draft]
    count: str | None = None
    graph: str = ""
    distinct: bool = False
    unequal: list[tuple[str, str]] = field(default_factory=list)


def things(text: str) -> list[Draft]:
    """The items of one line's phrase.

    Raises:
        NotUnderstood: holds the part that no rule covers.
    """
    text = text.strip(" ,:")
    if found := _ORDER_MARK.search(text):
        drafts = things(text[: found.start()])
        lists = [draft for draft in drafts if draft.kind == "numbers"]
        if len(lists) != 1:
            raise NotUnderstood(text)
        lists[0].order = ORDER_MARKS[found[1].lower()]
        return drafts
    if not _MORE_ITEMS.search(text.partition(" — ")[2]) and (drafts := _told_scalars(text)):
        return drafts
    try:
        return [draft for part in _DIVIDE.split(text) for draft in _thing(part.strip(" ,:"))]
    except NotUnderstood:
        bare_text = without_descriptions(without_each(text))
        if bare_text == text:
            raise
        return [draft for part in _DIVIDE.split(bare_text) for draft in _thing(part.strip(" ,:"))]


def _thing(text: str) -> list[Draft]:
    if drafts := _enumerated(text):
        return drafts
    text = without_descriptions(without_each(_named_elements(text)))
    if drafts := _told_scalars(text):
        return drafts
    for pattern, build in (
        (PERMUTATION, _permutation),
        (SCALARS, _scalars),
        (LIST, _list),
        (COUNTED, _scalars),
        (BARE, _scalars),
        (ARRAY, _array),
        (WORD, _word),
        (CHARACTERS, _characters),
    ):
        if (found := pattern.fullmatch(text)) and (drafts := build(found)):
            return drafts
    raise NotUnderstood(text)


_ENUMERATED = re.compile(
    rf"(?P<count>two|three|four|five|six|seven) {_ADJECTIVES}(?:{_KIND} )?{_ADJECTIVES}{_INTEGERS}:?"
    rf" (?P<rest>{NAME}\b.*)"
)


def _enumerated(text: str) -> list[Draft]:
    """“three integers n — the number of stones, m — the number of piles and k”: each name with its own description."""
    found = _ENUMERATED.fullmatch(text)
    if not found or " — " not in found["rest"]:
        return []
    parts = [part.strip() for part in re.split(r" — |, and |, | and (?=[A-Za-z](?:_\w+)?(?: —|,|$))", found["rest"])]
    names = [part for part in parts if re.fullmatch(NAME, part)]
    others = [part for part in parts if part not in names and part != "respectively"]
    if len(names) != COUNT_WORDS[found["count"]] or not all(
        is_noun_phrase(bare_part) or names_a_count(bare_part)
        for bare_part in (re.sub(r",? respectively$", "", part) for part in others)
    ):
        return []
    return _signed([Draft("number", bare(name)) for name in names], found["sign"])


_MORE_ITEMS = re.compile(r"\bfollowed by\b|\b[a-z]_\w|\b(?:integers?|strings?|words?|numbers?|characters?) [a-z]\b")


def _told_scalars(text: str) -> list[Draft]:
    """“two integers n and k — the number of rooms, the number of moves that …”: what single numbers count."""
    head, found, tail = text.partition(" — ")
    names = SCALARS.fullmatch(head) if found else None
    if not names or not all(
        is_noun_phrase(part) or names_a_count(part) or tells_of_numbers(part)
        for part in re.split(r" — |,? and (?=the )|, (?=the )|, and ", tail)
    ):
        return []
    return _scalars(names)


def _named_elements(text: str) -> str:
    """“n integers — the elements of the array a” names the list behind the dash."""
    found = re.fullmatch(rf"(.*) — (?:the )?(?:elements|values) of (?:the )?(?:array|sequence|list) ({NAME})", text)
    return f"{found[1]} {found[2]}" if found else text


def _names(text: str) -> list[str]:
    return [bare(name) for name in re.split(r", and |, | and ", text)]


def bare(name: str) -> str:
    """A name usable as an identifier: ``a_i`` → ``a``, ``x_1`` → ``x_1``."""
    key = key_of(name)
    if key is None:
        raise NotUnderstood(name)
    return key


def _signed(drafts: list[Draft], sign: str | None) -> list[Draft]:
    for draft in drafts:
        if sign in ("positive", "natural"):
            draft.own.at_most("1", draft.name)
        elif sign in ("non-negative", "nonnegative"):
            draft.own.at_most("0", draft.name)
        elif sign == "negative":
            draft.own.at_most(draft.name, "-1")
    return drafts


def _scalars(found: re.Match[str]) -> list[Draft]:
    names = _names(found["names"])
    groups = found.groupdict()
    count = groups.get("count")
    if count is not None and COUNT_WORDS.get(count, int(count) if count.isdecimal() else None) != len(names):
        return []
    parity = groups.get("parity") or "any"
    return _signed([Draft("number", name, parity=parity) for name in names], groups.get("sign"))


def _listed(count: str | None, names: str | None, of: str | None) -> tuple[str, str]:
    """Name and count of a list; both may be told by ``a_1, …, a_n``."""
    if names and "…" in names:
        atoms = re.findall(NAME, names)
        base, last = atoms[0].partition("_")[0], atoms[-1].partition("_")[2]
        if any(atom.partition("_")[0] != base for atom in atoms):
            raise NotUnderstood(names)
        from_one = atoms[0].endswith("_1")
        count = re.sub(r"^([A-Za-z])_[ij]$", r"\1", count) if count else count
        if (count is None and not from_one) or (count is not None and from_one and last != count):
            raise NotUnderstood(names)
        return base, count if count is not None else last
    name = bare(names) if names else of
    if count is None:
        raise NotUnderstood(names or of or "a list without a length")
    return name or "values", count


def _list(found: re.Match[str]) -> list[Draft]:
    word = found["count"]
    if word in COUNT_WORDS and COUNT_WORDS[word] == 1:
        return []
    count = str(COUNT_WORDS.get(word, word))
    unnamed = not (found["names"] or found["of"] or found["array"])
    if count.isdecimal() and not unnamed and not (found["names"] and re.search("[_…]", found["names"])):
        return []  # “two integers n” names one of two
    name, count = _listed(count, found["names"], found["of"] or found["array"])
    draft = Draft("numbers", name, _expression(count), distinct=bool(found["distinct"]))
    if "…" in (found["names"] or "") and (elided := re.match(r"[A-Za-z]_([02])\b", found["names"])):
        draft.first = int(elided[1])
    return _signed([draft], found["sign"])


def _array(found: re.Match[str]) -> list[Draft]:
    if not (found["of"] or found["names"]):
        return []
    name, count = _listed(found["count"], found["names"], found["of"])
    return [Draft("numbers", name, _expression(count))]


def _permutation(found: re.Match[str]) -> list[Draft]:
    name, count = _listed(found["count"], found["names"], None)
    draft = Draft("numbers", name, _expression(count), permutation=True)
    draft.own.at_most("1", name)
    draft.own.at_most(name, _expression(count))
    return [draft]


def _expression(text: str) -> str:
    try:
        return expressions.normal(text)
    except expressions.NotAnExpression as error:
        raise NotUnderstood(text) from error


def _word(found: re.Match[str]) -> list[Draft]:
    draft = Draft("word", bare(found["name"]) if found["name"] else "text")
    if "binary" in found["adjectives"]:
        draft.alphabet = "01"
    elif found["adjectives"].strip() not in ("", "non-empty", "nonempty", "single"):
        draft.alphabet = alphabet(found["adjectives"] + "letters")
    return [_described(draft, found["rest"])]


def _characters(found: re.Match[str]) -> list[Draft]:
    return [_described(Draft("word", "text", _expression(found["length"])), found["rest"])]


def _described(draft: Draft, rest: str) -> Draft:
    """Read a length and an alphabet behind a string's name."""
    rest = re.sub(r"^,? ?whose length$", "", rest.strip(" ,:"))
    length = re.match(
        rf"of (?:exactly )?(?:length (?:exactly )?)?(?P<exact>{_EXPR})(?: (?=characters|letters|symbols|lower|upper"
        rf"|digits|English)"
        r"|(?=,|$| consist| contain| made| over| compos| that| which| where| and)| —)",
        rest,
    )
    span = re.match(
        r"(?:of (?:length )?|whose length is )(?P<range>(?:between|from) \w+ (?:and|to) \w+|at most \w+|up to \w+|not"
        r" (?:more|longer) than \w+)"
        r"(?: (?=characters|letters|symbols|lower|upper|digits))?",
        rest,
    )
    if span:
        if between := range_phrase(span["range"]):
            draft.own.at_most(between[0], f"|{draft.name}|")
            draft.own.at_most(f"|{draft.name}|", between[1])
        else:
            draft.own.at_most(f"|{draft.name}|", _expression(span["range"].split()[-1]))
        rest = rest[span.end() :]
    elif length and not re.fullmatch(
        r"(?:lowercase|uppercase|characters|letters|the|only|small|digits)", length["exact"]
    ):
        draft.count = _expression(length["exact"])
        rest = rest[length.end() :]
    rest = rest.strip(" ,:—")
    if rest:
        draft.alphabet = alphabet(rest)
    return draft
