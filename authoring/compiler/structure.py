"""What a sentence says of lines together: edges that form a tree, distinct rows, unequal ends."""

from __future__ import annotations

import re
from collections.abc import Sequence

from authoring.compiler import phrases
from authoring.compiler.alphabets import NotUnderstood
from authoring.compiler.phrases import DraftBlock

_EDGES = (
    r"(?:these |the |all |given |this |that |input |described |such |resulting )*(?:edges?|graph|roads?|pairs?|"
    r"lines?|paths?|corridors?|"
    r"tunnels?|bridges?|network|passages|connections?|links?|branches|input|structure|map|railways?|streets|maze)"
    r"(?: (?:of|in) (?:the )?\w+)?"
)
_TREE = re.compile(
    rf"(?:it is guaranteed that )?{_EDGES} (?:always |will |correctly )*(?:is|are|forms?|describes?|represents?|"
    rf"makes?|defines?)"
    r"(?: up)?(?: an?| the)?(?: correct| valid| connected| undirected| proper)* tree(?: structure)?",
    re.IGNORECASE,
)
_CONNECTED = re.compile(
    rf"(?:it is guaranteed that )?(?:{_EDGES} (?:is|are) (?:always )?connected|(?:it is|there is) (?:always )"
    rf"?(?:possible|a way) "
    r"to (?:get|reach|travel|go|move|drive|pass)\b[^.]*\b(?:any|every|each|all)\b[^.]*|(?:any|every|each) \w+ "
    r"(?:is|are|can be) "
    r"(?:reachable|reached|accessible) from (?:any|every|each)(?: other)?(?: \w+)?[^.]*|there is (?:always )"
    r"?(?:a|at least one) (?:path|way|route) between (?:any|every|each)[^.]*)",
    re.IGNORECASE,
)
_SIMPLE = re.compile(
    rf"(?:it is guaranteed that )?(?:{_EDGES} )?(?:(?:there (?:are|is) no|no|has no|have no|does not|do(?:es)"
    rf"?n't|without|contains? no|not|contain|any|the|graph|self|multiple"
    r"|parallel|repeated|edges?|loops?|self-loops?|and|or|nor|in|have|has|neither|between|same|pair|of|vertices|"
    r"nodes|two|"
    r"cities|at|most|one|road|roads|any|each|every|appears?|more|than|once|input|twice|connects?|joins?|to|"
    r"itself|a|vertex|node|city|with|by|"
    r"is|are|given|pairs|also|there|be|be|listed|mentioned|connected|all|will|different|distinct|simple|itself|"
    r"it|no|road|that|unordered)\b[ ,()-]*)+",
    re.IGNORECASE,
)
_IS_SIMPLE = re.compile(
    r"\b(?:loops?|self-loops?|multiple edges|itself|multi-?edges|more than once|twice|at most one|parallel)\b"
)
_PARITY = re.compile(
    r"(?:it is guaranteed that )?(?:the number )?(?P<name>[A-Za-z]) is (?:always )?(?:an? )?(?P<what>even|odd)"
    r"(?: number| integer)?",
    re.IGNORECASE,
)
_UNEQUAL = re.compile(
    r"(?:it is guaranteed that )?(?P<one>[A-Za-z](?:_\w)?) (?:≠|does not equal|is not equal to|and(?= \w(?:_\w)"
    r"? are (?:different|distinct))) (?P<other>[A-Za-z](?:_\w)?)(?: are (?:different|distinct))?",
    re.IGNORECASE,
)
_NUMBERING = re.compile(
    r"(?:(?:consider|assume|let|suppose)(?: that)? )?(?:all )?(?:the )?[a-z]+ (?:are|is|be) (?:numbered|indexed|"
    r"enumerated)"
    r" (?:with (?:integers )?)?from (?:1|0) to [a-z](?: - 1)?(?: from (?:left|top|west) to (?:right|bottom|east))?",
    re.IGNORECASE,
)


def is_numbering(sentence: str) -> bool:
    """Whether it says “The cities are numbered from 1 to n” and nothing else."""
    return bool(_NUMBERING.fullmatch(sentence.strip(" :,")))


def apply(text: str, blocks: Sequence[DraftBlock]) -> bool:
    """“These edges form a tree”, “the graph is connected”, “no loops and multiple edges”, “n is even”, “a ≠ b”.

    Raises:
        NotUnderstood: nothing that was read is of that kind.
    """
    kind = ""
    if text.lower() == "all positions are distinct":
        return _positions_differ(text, blocks)
    if text.lower() == "all rows are distinct":
        rows = [block for block in blocks if block.count is not None]
        if not rows:
            return False
        if len(rows) != 1:
            raise NotUnderstood(text)
        rows[0].distinct = True
        return True
    if _TREE.fullmatch(text):
        kind = "tree"
    elif _CONNECTED.fullmatch(text):
        kind = "connected"
    elif _IS_SIMPLE.search(text) and _SIMPLE.fullmatch(text):
        kind = "simple"
    if kind:
        edges = [block for block in blocks if block.count is not None and _has_ends(block)]
        if len(edges) != 1:
            raise NotUnderstood(text)
        order = ("", "simple", "connected", "tree")
        edges[0].graph = max(edges[0].graph, kind, key=order.index)
        return True
    if found := _PARITY.fullmatch(text):
        targets = [
            item for block in blocks for item in block.items if item.name == found["name"] and item.kind == "number"
        ]
        if len(targets) != 1 or not any(targets[0] in block.items and block.count is None for block in blocks):
            raise NotUnderstood(text)
        targets[0].parity = found["what"].lower()
        return True
    if found := _UNEQUAL.fullmatch(text):
        return note_unequal(found["one"], found["other"], blocks)
    return False


def _positions_differ(text: str, blocks: Sequence[DraftBlock]) -> bool:
    """Rows that hold coordinates and nothing else are all distinct; of others that is not what it says.

    Rows with one coordinate and other values are left to the condition on that column.
    """
    rows = [block for block in blocks if block.count is not None]
    if not rows:
        return False
    if len(rows) == 1 and len(rows[0].items) > 1 and len(coordinates(rows[0])) == 1:
        return False
    if len(rows) != 1 or any(item.name[0].lower() not in "xyz" for item in rows[0].items):
        raise NotUnderstood(text)
    rows[0].distinct = True
    return True


def coordinates(block: DraftBlock) -> list[str]:
    """The names in a row that are coordinates by their letter."""
    return [item.name for item in block.items if item.kind == "number" and re.fullmatch(r"[xyzXYZ]", item.name)]


def note_unequal(one: str, other: str, blocks: Sequence[DraftBlock]) -> bool:
    """Note that two numbers of one line differ.

    Raises:
        NotUnderstood: they do not stand on one line.
    """
    pair = (phrases.bare(one), phrases.bare(other))
    for block in blocks:
        names = [item.name for item in block.items if item.kind == "number"]
        if pair[0] in names and pair[1] in names and pair[0] != pair[1]:
            block.unequal.append(pair)
            return True
    raise NotUnderstood(f"{one} ≠ {other}")


def _has_ends(block: DraftBlock) -> bool:
    return sum(item.kind == "number" for item in block.items) >= 2
