"""The intermediate representation of an input: what stands on which line, and inside which bounds.

It is plain data (``InputFormat.model_dump()``), may be written by hand, and is confirmed on every sample: reading a
sample with :mod:`authoring.compiler.stdio_text` and writing it again must give the same text.

Counts, lengths and bounds are expressions over scalars that come before, see :mod:`authoring.compiler.expressions`.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from authoring.compiler import conditions, expressions

ORDERS = ("any", "nondecreasing", "increasing", "nonincreasing", "decreasing")


def _expression(text: str) -> str:
    return expressions.normal(text)


def _name(text: str) -> str:
    if not text.isidentifier() or not text.isascii() or keyword.iskeyword(text) or len(text) > 30:
        raise ValueError(f"{text[:40]!r} is not a plain name")
    return text


def _alphabet(text: str) -> str:
    if not text or len(set(text)) != len(text) or any(char.isspace() or not char.isprintable() for char in text):
        raise ValueError("an alphabet holds each printable character once, and no white space")
    return text


def _condition(text: str) -> str:
    return conditions.normal(text)


Condition: TypeAlias = Annotated[str, AfterValidator(_condition)]
Expression: TypeAlias = Annotated[str, AfterValidator(_expression)]
Name: TypeAlias = Annotated[str, AfterValidator(_name)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Number(_Part):
    """One integer."""

    kind: Literal["number"] = "number"
    name: Name
    low: Expression
    high: Expression
    parity: Literal["any", "even", "odd"] = "any"


class Numbers(_Part):
    """``count`` integers on one line. Bounds may use ``i``, the index of each; the first has the index ``first``."""

    kind: Literal["numbers"] = "numbers"
    name: Name
    count: Expression
    first: int = 1
    low: Expression
    high: Expression
    order: Literal["any", "nondecreasing", "increasing", "nonincreasing", "decreasing"] = "any"
    distinct: bool = False
    permutation: bool = False


class Word(_Part):
    """A string without white space, of ``low`` to ``high`` characters from ``alphabet``."""

    kind: Literal["word"] = "word"
    name: Name
    low: Expression
    high: Expression
    alphabet: Annotated[str, AfterValidator(_alphabet)]


Item: TypeAlias = Annotated[Number | Numbers | Word, Field(discriminator="kind")]


def _is_wide(item: Item) -> bool:
    low, high = (expressions.constant(text) for text in (item.low, item.high))
    if isinstance(item, Number):
        return low is not None and high is not None and high - low >= 100
    return isinstance(item, Word) and len(item.alphabet) >= 10 and high is not None and high >= 3


class Line(_Part):
    """Items on one line, one blank between them. ``unequal`` names pairs of numbers that differ."""

    kind: Literal["line"] = "line"
    items: Annotated[tuple[Item, ...], Field(min_length=1)]
    unequal: tuple[tuple[Name, Name], ...] = ()


class Graph(_Part):
    """The rows are edges between the nodes 1 … ``nodes``; their ends are the two items named.

    ``kind`` is what the statement promises: ``tree``, ``connected`` or ``simple`` (no loop, no edge twice). Generated
    graphs are always simple, which every promise allows.
    """

    kind: Literal["simple", "connected", "tree"]
    nodes: Name
    ends: tuple[Name, Name]


class Rows(_Part):
    """``count`` lines with the same items: a grid where it is one word, a matrix where it is one list."""

    kind: Literal["rows"] = "rows"
    name: Name
    count: Expression
    items: Annotated[tuple[Item, ...], Field(min_length=1)]
    unequal: tuple[tuple[Name, Name], ...] = ()
    graph: Graph | None = None
    distinct: bool = False
    conditions: tuple[Condition, ...] = ()
    """What holds in each row, of its own items and of scalars."""

    @property
    def is_grid(self) -> bool:
        """Rows of characters, all equally long."""
        return len(self.items) == 1 and isinstance(self.items[0], Word) and self.items[0].low == self.items[0].high

    @property
    def is_ragged(self) -> bool:
        """Rows that hold a list beside other values."""
        return len(self.items) > 1 and any(isinstance(item, Numbers) for item in self.items)

    @property
    def is_crowded(self) -> bool:
        """Distinct rows of values that leave little room for it: many draws hold a row twice."""
        return self.distinct and not any(_is_wide(item) for item in self.items)


Block: TypeAlias = Annotated[Line | Rows, Field(discriminator="kind")]


class InputFormat(_Part):
    """One test case. ``tests`` names the number of test cases that stands before them, where there is one."""

    tests: Name | None = None
    blocks: Annotated[tuple[Block, ...], Field(min_length=1)]
    conditions: tuple[Condition, ...] = ()
    """What holds of the whole input; the name of an item of rows stands for its column there."""

    def lines(self) -> Iterator[Item]:
        """The items outside rows, in order."""
        for block in self.blocks:
            if isinstance(block, Line):
                yield from block.items

    def every_item(self) -> Iterator[Item]:
        """All items, in order."""
        for block in self.blocks:
            yield from block.items

    def rows(self) -> Iterator[Rows]:
        """The blocks of rows."""
        for block in self.blocks:
            if isinstance(block, Rows):
                yield block

    def is_conditional(self) -> bool:
        """Whether an input within all bounds may still not be allowed."""
        return bool(self.conditions) or any(block.conditions or block.is_crowded for block in self.rows())

    def graphs(self) -> Iterator[tuple[Rows, Graph]]:
        """The rows that are edges."""
        for block in self.blocks:
            if isinstance(block, Rows) and block.graph:
                yield block, block.graph

    def sizes(self) -> tuple[str, ...]:
        """The scalars that count something, in order."""
        counting: list[str] = []
        for block in self.blocks:
            counting += expressions.names(block.count) if isinstance(block, Rows) else ()
            counting += (block.graph.nodes,) if isinstance(block, Rows) and block.graph else ()
            for item in block.items:
                if isinstance(item, Numbers):
                    counting += expressions.names(item.count)
                elif isinstance(item, Word):
                    counting += (*expressions.names(item.low), *expressions.names(item.high))
        return tuple(item.name for item in self.lines() if isinstance(item, Number) and item.name in counting)
