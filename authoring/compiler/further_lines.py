"""Lines that are told by other lines: “in the same format”, “the second and the third line contain strings s and t”.

Also what rows are announced to hold before a sentence says it of each of them.
"""

from __future__ import annotations

import re
from copy import deepcopy

from authoring.compiler import phrases
from authoring.compiler.alphabets import NotUnderstood
from authoring.compiler.bounds import Bounds
from authoring.compiler.descriptions import narrows
from authoring.compiler.line_reading import Reading
from authoring.compiler.phrases import NAME, Draft, DraftBlock

_SAME_FORMAT = re.compile(
    rf"(?:a |an |the )?(?:description of (?:a |an |the )?)?(?:[a-z-]+ ){{0,3}}?(?:(?P<name>{NAME}) )?(?:(?:given"
    rf"|described"
    rf"|written) )?in (?:the |a )?(?:same|similar|the same) (?:format|way|manner|form)",
    re.IGNORECASE,
)
_TWO = re.compile(
    rf"(?:in )?(?:the )?(?P<first>first|second|third|next|following|last) (?:(?:and|,) (?:the )?(?P<second>second"
    rf"|third|fourth)"
    rf"|two) lines?(?: of (?:the )?input)? (?:contains?|have|has|are) (?:the |two )*(?P<noun>binary strings?"
    rf"|strings?|words?)?"
    rf" ?(?P<one>{NAME}) and (?P<other>{NAME})(?:,? respectively)?(?P<rest>(?:,| of| consist| that| \().*)?",
    re.IGNORECASE,
)
_TOPIC = re.compile(r"(?!an? |one |two |three |four |five |exactly )[a-z][a-z' ,-]{2,90}", re.IGNORECASE)
_ITEM = re.compile(
    r"\b(?:integers?|numbers?|strings?|words?|characters?|letters?|digits?|values?|symbols?|formats?|types?)\b",
    re.IGNORECASE,
)


def in_the_same_format(text: str, reading: Reading) -> list[Draft] | None:
    """“The third line contains the second template in the same format”: the one item of the line before once more."""
    found = _SAME_FORMAT.fullmatch(text.strip(" ,:"))
    if not found or not reading.blocks:
        return None
    before = reading.blocks[-1]
    if before.count is not None or len(before.items) != 1:
        raise NotUnderstood(text)
    (item,) = before.items
    again = deepcopy(item)
    again.name = phrases.bare(found["name"]) if found["name"] else f"{item.name}_2"
    if again.name == item.name:
        raise NotUnderstood(text)
    for side in ("low", "high"):
        mine = getattr(again.own, side)
        for bounds in (item.own, reading.bounds):
            for key, value in getattr(bounds, side).items():
                if key in (item.name, f"|{item.name}|"):
                    mine[key.replace(item.name, again.name)] = value
                    mine.pop(key, None)
    again.own.relations = [
        (left.replace(item.name, again.name), right.replace(item.name, again.name))
        for left, right in (*item.own.relations, *reading.bounds.relations)
        if item.name in (left, right, left.strip("|"), right.strip("|"))
    ]
    again.own = Bounds(again.own.low, again.own.high, again.own.relations)
    return [again]


_NO_COUNT = re.compile(
    r"(?:the |a )?(?:sequence of |list of )?(?:the )?(?:space[- ]separated )?(?P<sign>positive |non-negative"
    r" )?integers(?:"
    r" (?P<name>[a-z](?:_\d)?)(?:_i)?)?"
    r"(?P<rest>(?: —| which| that|,).*)?",
    re.IGNORECASE,
)


def with_count(text: str, reading: Reading) -> str:
    """“The second line contains the sequence of integers”: as many as the one number that was read."""
    found = _NO_COUNT.fullmatch(text)
    numbers = [item for block in reading.blocks if block.count is None for item in block.items if item.kind == "number"]
    if len(numbers) == 1 and (permuted := re.fullmatch(r"(?:the |a )?permutation ([a-z])(?:_i)?", text, re.IGNORECASE)):
        return f"the permutation {permuted[1]} of length {numbers[0].name}"
    if not found or len(numbers) != 1:
        return text
    name = f" {found['name']}" + ("" if "_" in found["name"] else "_i") if found["name"] else ""
    return f"{numbers[0].name} {found['sign'] or ''}integers{name}{found['rest'] or ''}"


def two_lines(text: str) -> tuple[str, list[str]] | None:
    """“The second and third line contain strings s and t, each …”: what each of the two lines contains."""
    found = _TWO.fullmatch(text)
    if not found:
        return None
    noun = re.sub(r"s$", "", found["noun"] or "string")
    rest = re.sub(r"^,? each(?: of them)?(?: of which)? ", " ", found["rest"] or "")
    if found["noun"] is None:
        return None
    return found["first"], [f"a {noun} {name}{rest}" for name in (found["one"], found["other"])]


_ENDS = re.compile(
    r"(?:they|these (?:integers|numbers)|the (?:integers|numbers)) (?:are|represent|denote) (?:the )?(?:numbers"
    r" of (?:the )?"
    r"|indices of (?:the )?|two )(?:cities|vertices|nodes|junctions) (?:that are )?connected by (?:an?|the)"
    r" (?:corresponding )?(?:road|edge)",
    re.IGNORECASE,
)
_BARE_PAIR = re.compile(r"each (?:line|row)s? contains? two integers", re.IGNORECASE)


def ends_of_edges(text: str, reading: Reading) -> list[Draft]:
    """“Each contains two integers. They are the numbers of cities connected by a road”: two ends, from 1 to n.

    n is the first number that was read; a graph of more nodes than that is not what the samples show.
    """
    first = reading.blocks[0].items[0] if reading.blocks else None
    if not _ENDS.fullmatch(text) or first is None or first.kind != "number" or reading.blocks[0].count is not None:
        return []
    if reading.waiting is not None:
        reading.blocks.append(DraftBlock([], reading.waiting))
        reading.waiting = reading.next_line = None
    block = reading.blocks[-1]
    bare = [(item.kind, item.count) for item in block.items]
    if block.count is None or bare not in ([], [("numbers", "2")]):
        raise NotUnderstood(text)
    block.items = [Draft("number", name) for name in _free("uv", reading)]
    for draft in block.items:
        draft.own.at_most("1", draft.name)
        draft.own.at_most(draft.name, first.name)
    return block.items


def _free(names: str, reading: Reading) -> list[str]:
    if {item.name for item in reading.drafts()} & set(names):
        raise NotUnderstood(names)
    return list(names)


_LISTED_AGAIN = re.compile(
    r"each line contains (?P<count>[a-z]) integers (?P<name>[a-z])(?:_1, …, (?P=name)_(?P=count))?", re.IGNORECASE
)


def named_again(text: str, reading: Reading) -> list[Draft]:
    """“Next n lines contain m integers each; the i-th of them contains a_i1, …, a_im”: the name of what was read."""
    found = _LISTED_AGAIN.fullmatch(text)
    block = reading.blocks[-1] if reading.blocks and reading.waiting is None else None
    if not found or block is None or block.count is None or len(block.items) != 1:
        return []
    (item,) = block.items
    if item.kind != "numbers" or item.name != "values" or item.count != found["count"]:
        return []
    item.name = found["name"]
    return [item]


_ARE_WORDS = re.compile(r"both strings (?P<one>[a-z]) and (?P<other>[a-z]) have length (?P<count>[a-z])", re.IGNORECASE)
_IS_WORD = re.compile(r"the string consists of (?:lowercase|uppercase|digits|«).*", re.IGNORECASE)


def are_words(text: str, reading: Reading) -> list[Draft]:
    """“The second line contains s. Both strings s and t have length n”: what had only a name was a word."""
    drafts = reading.drafts()
    if found := _ARE_WORDS.fullmatch(text):
        named = [draft for draft in drafts if draft.name in (found["one"], found["other"]) and _is_bare(draft, reading)]
        if len(named) != 2:
            return []
        for draft in named:
            draft.kind, draft.count = "word", found["count"]
        return named
    if len(drafts) == 1 and _IS_WORD.fullmatch(text) and _is_bare(drafts[0], reading):
        drafts[0].kind = "word"
    return []


def _is_bare(draft: Draft, reading: Reading) -> bool:
    """A name of which nothing else was said, not even that it is a number's."""
    told = (draft.own.low, draft.own.high, reading.bounds.low, reading.bounds.high)
    return draft.kind == "number" and draft.parity == "any" and not any(draft.name in side for side in told)


_UNCOUNTED = re.compile(
    r"(?:each|every) of (?:the )?(?:next|following|remaining) lines (?:contains?|describes?|has) (?P<things>.+)",
    re.IGNORECASE,
)


def uncounted(text: str, reading: Reading) -> tuple[str, str] | None:
    """“Each of the following lines contains …”: as many as the one number that was read; the samples decide."""
    found = None if reading.waiting is not None else _UNCOUNTED.fullmatch(text)
    counts = [item.name for item in reading.drafts() if item.kind == "number"]
    if not found or len(counts) != 1 or len(reading.blocks) != 1:
        return None
    return counts[0], found["things"]


def is_topic(text: str) -> bool:
    """“information about queries”: what rows are about; what stands on each of them has to be told yet."""
    return bool(_TOPIC.fullmatch(text)) and not (_ITEM.search(text) or narrows(text) or re.search(r"\b[b-z]\b", text))


def new_line(drafts: list[Draft], reading: Reading) -> list[Draft]:
    """Add a line."""
    reading.blocks.append(DraftBlock(drafts))
    reading.next_line = None if reading.next_line is None else reading.next_line + 1
    return drafts
