"""Edges that the story calls a tree, or by which every place can be reached: one fewer than there are nodes.

A tree is the strongest that can be promised of so many edges, so a generator that makes trees only keeps whatever was
promised of them; samples that are none are refused later.
"""

from __future__ import annotations

import re

from authoring.compiler.input_format import Block, Graph, InputFormat, Number, Rows
from authoring.compiler.plain import plain
from authoring.compiler.promises import looks_like_edges
from authoring.compiler.sections import Sections

_TREE = re.compile(
    r"\btrees?\b|\b(?:can|could|possible to) (?:reach|get|travel|go)\b|\breachable\b|\bconnected\b"
    r"|\b(?:path|route|way) between (?:any|every|each)\b"
)
_DIRECTED = re.compile(
    r"(?<!un)\bdirected\b|\barcs?\b|\bone-?way\b|\bparents?\b[^.]{0,40}\b[uvabxy](?:_i)?\b|\bu(?:_i)? is the parent\b"
    r"|\bleads? from\b|\bdirection\b"
)


def supposed(format_: InputFormat, sections: Sections) -> InputFormat:
    """The format with such rows as a tree; as it is where the statement tells of none, or of directions."""
    text = plain(f"{sections.story} {sections.input}").lower()
    if not _TREE.search(text) or _DIRECTED.search(text):
        return format_
    return format_.model_copy(update={"blocks": tuple(map(_with_tree, format_.blocks))})


def _with_tree(block: Block) -> Block:
    if not isinstance(block, Rows) or block.graph or block.conditions or not looks_like_edges(block):
        return block
    ends = [item for item in block.items if isinstance(item, Number) and item.low == "1" and item.high.isidentifier()]
    if len(ends) != 2 or ends[0].high != ends[1].high or block.count != f"{ends[0].high} - 1":
        return block
    return block.model_copy(
        update={"graph": Graph(kind="tree", nodes=ends[0].high, ends=(ends[0].name, ends[1].name)), "distinct": False}
    )
