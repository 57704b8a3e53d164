"""All answers of a form at a small size: choices, numbers of a range, short lists, orders, small grids, short words.

The form is learned from right answers (``sandbox/checks/structure.py``). Whatever cannot be listed within a cap is not
listed at all, and says so: a part of a space shows nothing about how many answers are right.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from bootcamp_kit.answers import CLOSE, OPEN
from bootcamp_kit.card import AnswerFormat
from sandbox.checks.structure import INTEGER, Shape, delimited, read_shape

MARGIN = 20
MAX_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Space:
    """All answers of one form.

    Attributes:
        words: What they are, for a reader.
        responses: Each as a whole response, in a fixed order.
    """

    words: str
    responses: tuple[str, ...]


def answer_space(right: str, seen: Sequence[str], answer: AnswerFormat, at_most: int) -> Space | str:
    """All answers of the form of a right one, or the reason why they are not listed.

    Args:
        right: The case's right response.
        seen: Right responses of its level: ranges and symbols are learned from them.
        answer: The card's answer format.
        at_most: The most answers to list.
    """
    shape = _shape(right, answer)
    if shape is None:
        return "the right answer has no delimiters"
    others = [found for text in seen if (found := _shape(text, answer)) is not None and found.kind == shape.kind]
    for words, size, contents in _forms(shape, others, answer):
        if 2 <= size <= at_most:
            listed = dict.fromkeys(contents)
            return Space(words, tuple(f"{OPEN}{text}{CLOSE}" for text in listed))
    return f"too many answers of the form {shape.kind}"


def _shape(response: str, answer: AnswerFormat) -> Shape | None:
    cut = delimited(response)
    return read_shape(cut.content, answer) if cut else None


Form = tuple[str, int, Iterable[str]]


def _forms(shape: Shape, others: Sequence[Shape], answer: AnswerFormat) -> Iterator[Form]:
    """Forms the answer may have, the widest first: words, how many, the contents."""
    if shape.kind == "choice":
        yield "every declared choice", len(answer.choices), answer.choices
    elif shape.kind == "integer":
        yield from _numbers([shape.value, *(other.value for other in others)])
    elif shape.kind == "list":
        yield from _lists(shape, others)
        if "order" not in answer.rewrites:
            yield from _orders(shape.value, "elements", shape)
    elif shape.kind == "rows":
        yield from _grids(shape, others)
    elif shape.kind == "word":
        yield from _words(shape, others)
    elif shape.kind == "text":
        yield from _orders(shape.value, "words", shape)


def _numbers(values: Sequence[int]) -> Iterator[Form]:
    low, high = min(0, *values), max(0, *values)
    for margin in (max(MARGIN, high - low), MARGIN):
        first, last = low - margin, high + margin
        yield f"every integer from {first} to {last}", last - first + 1, map(str, range(first, last + 1))


def _lists(shape: Shape, others: Sequence[Shape]) -> Iterator[Form]:
    items = [item for other in (shape, *others) for item in other.value]
    lengths = sorted({len(other.value) for other in (shape, *others)})
    if items and all(INTEGER.fullmatch(item) and len(item) < MAX_DIGITS for item in items):
        numbers = [int(item) for item in items]
        for margin in (1, 0):
            low, high = min(numbers) - margin, max(numbers) + margin
            symbols = [str(number) for number in range(low, min(high + 1, low + 1000))]
            what = f"integers from {low} to {high}"
            yield from _products(shape, symbols, (*range(lengths[0]), *lengths, lengths[-1] + 1), what)
            yield from _products(shape, symbols, lengths, what)
    else:
        yield from _products(shape, sorted(set(items)), lengths, "elements seen in right answers")


def _products(shape: Shape, symbols: Sequence[str], lengths: Sequence[int], what: str) -> Iterator[Form]:
    sizes = sorted(set(lengths))
    if not symbols or not sizes or sizes[-1] > 64:
        return
    size = sum(len(symbols) ** length for length in sizes)
    lists = (list(found) for length in sizes for found in itertools.product(symbols, repeat=length))
    told = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    yield f"every list of {told} {what}", size, (shape.render(found) for found in lists)


def _orders(parts: Sequence[str], what: str, shape: Shape) -> Iterator[Form]:
    """Every order of the right answer's own parts."""
    if 2 <= len(parts) <= 8 and len(set(parts)) > 1:
        orders = (shape.render(list(found)) for found in itertools.permutations(parts))
        yield f"every order of the right answer's {what}", math.factorial(len(parts)), orders


def _grids(shape: Shape, others: Sequence[Shape]) -> Iterator[Form]:
    symbols = sorted({cell for other in (shape, *others) for row in other.value for cell in row})
    widths = [len(row) for row in shape.value]
    cells = sum(widths)
    if not symbols or cells > 64:
        return
    ends = list(itertools.accumulate(widths))

    def contents() -> Iterator[str]:
        for found in itertools.product(symbols, repeat=cells):
            starts = itertools.pairwise((0, *ends))
            yield shape.render([list(found[start:end]) for start, end in starts])

    yield f"every grid of this size over {len(symbols)} symbols", len(symbols) ** cells, contents()


def _words(shape: Shape, others: Sequence[Shape]) -> Iterator[Form]:
    texts = [shape.value, *(other.value for other in others)]
    letters = sorted({letter for text in texts for letter in text})
    lengths = sorted({len(text) for text in texts})
    if letters and lengths[-1] <= 64:
        size = sum(len(letters) ** length for length in lengths)
        found = ("".join(word) for length in lengths for word in itertools.product(letters, repeat=length))
        yield f"every word of {lengths[0]} to {lengths[-1]} of the {len(letters)} letters seen", size, found
    spelled = Shape("word", list(shape.value), "".join)
    yield from _orders(spelled.value, "letters", spelled)
