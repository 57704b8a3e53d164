"""An input format whose words use the letters of the samples alone: where few letters matter, chance misses them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from authoring.compiler.input_format import Block, InputFormat, Line, Rows, Word

MOST, WIDE = 4, 5
"""So many letters are kept, the most frequent; of alphabets that are at least so wide."""


def narrowed(format_: InputFormat, payloads: Sequence[dict[str, Any]]) -> InputFormat:
    """The format with narrower alphabets; the same one where no word has a wide one."""
    return format_.model_copy(update={"blocks": tuple(_block(block, payloads) for block in format_.blocks)})


def _block(block: Block, payloads: Sequence[dict[str, Any]]) -> Block:
    if isinstance(block, Rows) and block.distinct:
        return block  # few letters make too few words
    items = []
    for at, item in enumerate(block.items):
        if isinstance(item, Word) and len(item.alphabet) >= WIDE:
            counts = Counter(letter for payload in payloads for word in _words(block, at, payload) for letter in word)
            kept = sorted(counts, key=lambda letter: (-counts[letter], letter))[:MOST]
            item = item.model_copy(update={"alphabet": "".join(sorted(kept))}) if len(kept) > 1 else item
        items.append(item)
    return block.model_copy(update={"items": tuple(items)})


def _words(block: Line | Rows, at: int, payload: dict[str, Any]) -> Iterator[str]:
    if isinstance(block, Line):
        yield payload[block.items[at].name]
        return
    for row in payload[block.name]:
        yield row[at] if len(block.items) > 1 else row
