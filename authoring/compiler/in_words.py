"""An input format in words, for people: what stands on which line, inside which bounds, and what must hold."""

from __future__ import annotations

import string

from authoring.compiler.input_format import InputFormat, Item, Line, Number, Numbers, Rows, Word

_ALPHABETS = {
    string.ascii_lowercase: "a … z",
    string.ascii_uppercase: "A … Z",
    string.ascii_letters: "letters",
    string.digits: "digits",
}


def in_words(format_: InputFormat) -> list[str]:
    """One sentence a line or block, then the conditions."""
    found = [f"number of test cases: {format_.tests} (each task shows one)"] if format_.tests else []
    for block in format_.blocks:
        found.append(_line(block) if isinstance(block, Line) else _rows(block))
        found += [f"  {one} ≠ {other}" for one, other in block.unequal]
        if isinstance(block, Rows):
            found += [f"  each row: {_signs(text)}" for text in block.conditions]
    return found + [f"must hold: {_signs(text)}" for text in format_.conditions]


def _line(block: Line) -> str:
    return "one line: " + "; ".join(map(_item, block.items))


def _rows(block: Rows) -> str:
    what = "; ".join(map(_item, block.items))
    kind = {"tree": ", the edges of a tree", "connected": ", the edges of a connected graph", "simple": ", edges"}
    told = kind[block.graph.kind] + f" of {block.graph.nodes} nodes" if block.graph else ""
    told += ", no row twice" if block.distinct else ""
    return f"{_signs(block.count)} lines, each: {what}{told}"


def _item(item: Item) -> str:
    span = f"{_signs(item.low)} … {_signs(item.high)}"
    if isinstance(item, Number):
        return f"{item.name} = {span}" + (f", {item.parity}" if item.parity != "any" else "")
    if isinstance(item, Word):
        length = _signs(item.low) if item.low == item.high else span
        return f"{item.name}, a word of {length} from {_ALPHABETS.get(item.alphabet, item.alphabet)}"
    return f"{item.name}, {_signs(item.count)} integers {span}{_manner(item)}"


def _manner(item: Numbers) -> str:
    if item.permutation:
        return ", a permutation"
    order = {"any": "", "nondecreasing": ", never falling", "nonincreasing": ", never rising"}
    told = order.get(item.order, f", {item.order}")
    index = f", i from {item.first}" if "i" in f"{item.low} {item.high}".replace("min", "").replace("len", "") else ""
    return told + (", distinct" if item.distinct else "") + index


def _signs(text: str) -> str:
    """An expression or a condition as mathematics writes it, with large numbers as powers of ten."""
    for python, written in (("<=", "≤"), (">=", "≥"), ("!=", "≠"), ("==", "="), ("**", "^"), ("*", "·"), ("//", "/")):
        text = text.replace(python, written)
    return " ".join(_power(part) for part in text.split(" "))


def _power(part: str) -> str:
    zeros = len(part) - len(part.rstrip("0"))
    head = part[: len(part) - zeros]
    if zeros < 4 or not head.lstrip("-").isdecimal() or len(head.lstrip("-")) > 3:
        return part
    return f"{'-' if head == '-1' else '' if head == '1' else head + '·'}10^{zeros}"
