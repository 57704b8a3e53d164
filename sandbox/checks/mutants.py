"""Typed near-miss mutants of a right answer, made on its parsed structure and written back between its delimiters.

Groups, which decide how an accepted mutant is judged (``near_miss.py``):

* ``value``: another value; must not score 1 where the answer is unique, even if ``parse`` reads it as the right one.
* ``form``: another order, a repeated element, another letter: may be the same answer if ``parse`` says so.
* ``tolerance``: just outside the declared tolerance.
* ``loose``: the same number in another dress (unit, quotes, percent sign).
* ``text``: hedged, negated or chained answers; wrong whatever they are parsed to.
* ``last``: the right answer first, another one last.
* ``undelimited``: the right answer without its delimiters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from bootcamp_kit.answers import CLOSE, OPEN
from bootcamp_kit.card import AnswerFormat
from sandbox.checks.structure import DECIMAL, INTEGER, Delimited, Shape, delimited, read_shape

FOREIGN_WORD = "zzqx"
Item = tuple[str, str, Any]  # group, kind, mutated value of the shape's own kind


@dataclass(frozen=True, slots=True)
class Mutant:
    """One changed response."""

    group: str
    kind: str
    response: str


def mutants(response: str, answer: AnswerFormat) -> list[Mutant]:
    """All mutants of a right response, in a fixed order, without repeats."""
    cut = delimited(response)
    if cut is None:
        return []
    shape = read_shape(cut.content, answer)
    found = [
        Mutant(group, kind, cut.wrap(text))
        for group, kind, text in _contents(cut, shape, answer)
        if text.strip() != cut.content.strip()
    ]
    wrong = next((item for item in found if item.group == "value"), None)
    found += _responses(cut, delimited(wrong.response) if wrong else None)
    unique: dict[str, Mutant] = {}
    for item in found:
        unique.setdefault(item.response, item)
    return list(unique.values())


def _contents(cut: Delimited, shape: Shape, answer: AnswerFormat) -> Iterator[tuple[str, str, str]]:
    items = list(_BY_KIND[shape.kind](shape.value, answer))
    if "order" in answer.rewrites:
        items = [item for item in items if item[1] not in ORDER_KINDS]
    for group, kind, value in items:
        yield group, kind, value if isinstance(value, _Raw) else shape.render(value)
    yield "value", "empty", ""
    content = cut.content.strip()
    yield "text", "negated", f"not {content}"
    if shape.kind in ("integer", "decimal", "choice", "word"):
        other = next((value for group, _, value in items if group == "value"), FOREIGN_WORD)
        wrong = other if isinstance(other, str) else shape.render(other)
        yield "text", "hedge_or", f"{content} or {wrong}"
        yield "text", "hedge_or_reversed", f"{wrong} or {content}"
        yield "text", "hedge_list", f"{wrong}, {content}"
        yield "text", "chain", f"{wrong} = {content}"


def _responses(cut: Delimited, wrong: Delimited | None) -> Iterator[Mutant]:
    right = f"{OPEN}{cut.content}{CLOSE}"
    if wrong:
        yield Mutant("last", "right_then_wrong", f"{right} No, I was mistaken: {OPEN}{wrong.content}{CLOSE}")
        yield Mutant("last", "right_in_thinking", f"<think>It is {right}.</think>\nFinal: {OPEN}{wrong.content}{CLOSE}")
    yield Mutant("last", "right_then_garbage", f"{right} or rather {OPEN}{FOREIGN_WORD}{CLOSE}")
    yield Mutant("undelimited", "bare", cut.content.strip())
    yield Mutant("undelimited", "in_prose", f"The answer is {cut.content.strip()}")
    yield Mutant("undelimited", "never_closed", f"{OPEN}{cut.content.strip()}")


class _Raw(str):
    """Mutated content that is text already."""

    __slots__ = ()


def _integer(value: int, answer: AnswerFormat) -> Iterator[Item]:
    yield from _number(Decimal(value), answer)
    yield "value", "digit_appended", _Raw(f"{value}1")
    yield "value", "digit_prepended", _Raw(f"-1{-value}" if value < 0 else f"1{value}")
    yield "text", "mixed_number", _Raw(f"{value} 2/3")
    if value in (0, 1):
        yield "value", "boolean", _Raw("True" if value else "False")


def _decimal(value: Decimal, answer: AnswerFormat) -> Iterator[Item]:
    yield from _number(value, answer)


def _number(value: Decimal, answer: AnswerFormat) -> Iterator[Item]:
    tolerance = Decimal(repr(answer.tolerance))
    changes = {
        "plus_one": value + 1,
        "minus_one": value - 1,
        "times_ten": value * 10,
        "negated": -value,
        "zero": Decimal(0),
        "doubled": value * 2,
        "half_more": value + Decimal("0.5"),
    }
    for kind, changed in changes.items():
        if abs(changed - value) > tolerance * Decimal("1.5") and changed != value:
            yield "value", kind, _Raw(format(changed, "f"))
    if answer.tolerance > 0:
        for kind, factor in (("outside_above", "2.5"), ("outside_below", "-2.5")):
            yield "tolerance", kind, _Raw(format(value + tolerance * Decimal(factor), "f"))
    elif answer.kind == "decimal" and value:
        yield "tolerance", "one_per_mille_more", _Raw(format(value * Decimal("1.001"), "f"))
    for text in ("nan", "inf", "1e309"):
        yield "value", text, _Raw(text)
    yield "loose", "percent", _Raw(f"{value:f}%")
    yield "loose", "unit", _Raw(f"{value:f} cm")
    yield "loose", "quoted", _Raw(f'"{value:f}"')


def _list(items: list[str], answer: AnswerFormat) -> Iterator[Item]:
    yield from _sequence(items)
    numeric = [INTEGER.fullmatch(item) is not None for item in items]
    if items and all(numeric):
        numbers = [int(item) for item in items]
        yield "value", "foreign_appended", [*items, str(max(numbers) + 1)]
        yield "value", "all_plus_one", [str(number + 1) for number in numbers]
        yield "value", "all_minus_one", [str(number - 1) for number in numbers]
        yield "value", "first_minus_one", [str(numbers[0] - 1), *items[1:]]
        yield "value", "last_plus_one", [*items[:-1], str(numbers[-1] + 1)]
        yield "value", "first_zero", ["0", *items[1:]]
        yield "value", "first_negated", [str(-numbers[0]), *items[1:]]
        for place, number in enumerate(numbers):
            if number in (0, 1):
                yield "value", "boolean", [*items[:place], "true" if number else "false", *items[place + 1 :]]
                break
    elif items:
        yield "value", "foreign_appended", [*items, FOREIGN_WORD]
        yield "value", "first_foreign", [FOREIGN_WORD, *items[1:]]
        yield "value", "last_cut", [*items[:-1], items[-1][:-1] or FOREIGN_WORD]


ORDER_KINDS = ("reversed", "rotated", "first_two_swapped", "last_two_swapped")


def _sequence(items: list[Any]) -> Iterator[Item]:
    if len(items) > 1:
        yield "value", "first_only", items[:1]
        yield "value", "first_dropped", items[1:]
        yield "value", "last_dropped", items[:-1]
        yield "form", "reversed", items[::-1]
        yield "form", "rotated", items[1:] + items[:1]
        yield "form", "first_two_swapped", [items[1], items[0], *items[2:]]
        yield "form", "last_two_swapped", [*items[:-2], items[-1], items[-2]]
        yield "value", "second_is_first", [items[0], items[0], *items[2:]]
        yield "value", "all_first", [items[0]] * len(items)
    if items:
        yield "form", "last_repeated", [*items, items[-1]]
        yield "form", "first_repeated", [items[0], *items]


def _rows(rows: list[list[str]], answer: AnswerFormat) -> Iterator[Item]:
    yield from _sequence(rows)
    width = len(rows[0]) if rows else 0
    if not width:
        return
    if all(len(row) == width for row in rows):
        yield "value", "transposed", [list(column) for column in zip(*rows, strict=True)]
    yield "value", "mirrored", [row[::-1] for row in rows]
    yield "value", "ragged", [*rows[:-1], rows[-1][:-1]] if width > 1 else [*rows, rows[0] * 2]
    yield "value", "wider", [[*row, row[-1]] for row in rows]
    symbols = sorted({cell for row in rows for cell in row})
    yield "value", "foreign_symbol", _changed(rows, 0, 0, "?" if "?" not in symbols else "¿")
    for kind, row, column in (
        ("first_cell", 0, 0),
        ("middle_cell", len(rows) // 2, width // 2),
        ("last_cell", len(rows) - 1, len(rows[-1]) - 1),
    ):
        if 0 <= column < len(rows[row]):
            yield "value", kind, _changed(rows, row, column, _other(rows[row][column], symbols))


def _changed(rows: list[list[str]], row: int, column: int, cell: str) -> list[list[str]]:
    copy = [list(line) for line in rows]
    copy[row][column] = cell
    return copy


def _other(cell: str, symbols: list[str]) -> str:
    others = [symbol for symbol in symbols if symbol != cell]
    if others:
        return others[0]
    return str(int(cell) + 1) if INTEGER.fullmatch(cell) else "x" if cell != "x" else "y"


def _json(tree: Any, answer: AnswerFormat) -> Iterator[Item]:
    if isinstance(tree, list):
        yield from _sequence(tree)
        yield "value", "foreign_appended", [*tree, 987654]
        yield "loose", "nested_once_more", [tree]
        nested = next((place for place, item in enumerate(tree) if isinstance(item, list) and item), None)
        if nested is not None:
            for group, kind, value in _sequence(tree[nested]):
                yield group, f"inner_{kind}", [*tree[:nested], value, *tree[nested + 1 :]]
    elif tree:
        first = next(iter(tree))
        yield "value", "key_dropped", {key: value for key, value in tree.items() if key != first}
    for kind, changed in _leaf_changes(tree):
        yield "value", kind, changed


def _leaf_changes(tree: Any) -> Iterator[tuple[str, Any]]:
    paths = list(_leaves(tree, ()))
    for where, path in (("first", paths[0]), ("last", paths[-1])) if paths else ():
        leaf = _at(tree, path)
        if isinstance(leaf, bool) or leaf is None:
            yield f"{where}_leaf_flipped", _put(tree, path, not leaf)
        elif isinstance(leaf, int | float):
            yield f"{where}_leaf_plus_one", _put(tree, path, leaf + 1)
            yield f"{where}_leaf_minus_one", _put(tree, path, leaf - 1)
        else:
            yield f"{where}_leaf_changed", _put(tree, path, leaf + "x")
    for path in paths:
        leaf = _at(tree, path)
        if type(leaf) is int and leaf in (0, 1):
            yield "boolean", _put(tree, path, bool(leaf))
            break


def _leaves(tree: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if isinstance(tree, list):
        for place, item in enumerate(tree):
            yield from _leaves(item, (*path, place))
    elif isinstance(tree, dict):
        for key, item in tree.items():
            yield from _leaves(item, (*path, key))
    else:
        yield path


def _at(tree: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        tree = tree[step]
    return tree


def _put(tree: Any, path: tuple[Any, ...], leaf: Any) -> Any:
    if not path:
        return leaf
    if isinstance(tree, list):
        return [_put(item, path[1:], leaf) if place == path[0] else item for place, item in enumerate(tree)]
    return {key: _put(item, path[1:], leaf) if key == path[0] else item for key, item in tree.items()}


def _word(text: str, answer: AnswerFormat) -> Iterator[Item]:
    if DECIMAL.fullmatch(text) or not text:
        return
    yield "value", "character_appended", text + text[-1]
    yield "value", "character_prepended", text[0] + text
    yield "value", "doubled", text * 2
    if len(text) > 1:
        yield "value", "last_character_dropped", text[:-1]
        yield "value", "first_character_dropped", text[1:]
        yield "form", "reversed", text[::-1]
        yield "form", "first_two_swapped", text[1] + text[0] + text[2:]
        yield "form", "last_two_swapped", text[:-2] + text[-1] + text[-2]
    letters = sorted(set(text))
    other = next((letter for letter in letters if letter.casefold() != text[0].casefold()), None)
    yield "value", "first_character_changed", (other or ("b" if text[0] in "aA" else "a")) + text[1:]
    yield "value", "foreign_word", FOREIGN_WORD


def _text(words: list[str], answer: AnswerFormat) -> Iterator[Item]:
    yield from _sequence(words)
    yield "value", "foreign_appended", [*words, FOREIGN_WORD]
    yield "value", "first_foreign", [FOREIGN_WORD, *words[1:]]
    yield "form", "last_cut", [*words[:-1], words[-1][:-1] or FOREIGN_WORD]


def _choice(text: str, answer: AnswerFormat) -> Iterator[Item]:
    for option in answer.choices:
        if option.casefold() != text.casefold():
            yield "value", "another_choice", option
    yield "value", "no_choice", FOREIGN_WORD
    yield "text", "all_choices", _Raw(" or ".join(answer.choices))
    yield "text", "all_choices_listed", _Raw(", ".join(answer.choices))


_BY_KIND: dict[str, Callable[[Any, AnswerFormat], Iterator[Item]]] = {
    "integer": _integer,
    "decimal": _decimal,
    "list": _list,
    "rows": _rows,
    "json": _json,
    "word": _word,
    "text": _text,
    "choice": _choice,
}
