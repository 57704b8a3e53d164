"""Lengths of words that are told elsewhere than the word: by a number described so, or by a name only bounds use.

“n — the length of the string”, then “a string s”; “a string s of length n (1 ≤ n ≤ 100)” where no n is read; ``|S|``
written ``|s|``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from authoring.compiler.bounds import Bounds
from authoring.compiler.condition_phrases import Told
from authoring.compiler.phrases import Draft, DraftBlock

_LENGTH = re.compile(
    r"(?:the )?(?:length|size) of (?:the |a |each |both |given )*(?:initial |given |first |second )?(?:strings?"
    r"|words?|text"
    r"|message|password|sequence|name|garland|note|line)\b",
    re.IGNORECASE,
)


def told_length(text: str, drafts: Sequence[Draft]) -> str:
    """The first number of a line, where its sentence calls it the length of a word; "" where it does not."""
    _, found, tail = text.partition(" — ")
    numbers = [draft for draft in drafts if draft.kind == "number"]
    if not found or not numbers or len(numbers) != len(drafts):
        return ""
    return numbers[0].name if _LENGTH.match(tail.strip()) else ""


def settle(
    blocks: Sequence[DraftBlock], bounds: Bounds, told: Told, lengths: Sequence[str], of_words: Mapping[str, str]
) -> None:
    """Give every word its length from where it was told.

    Args:
        blocks: What was read.
        bounds: What was said of names.
        told: Takes what becomes a condition.
        lengths: Numbers that were called the length of a word.
        of_words: Numbers that are written as the length of one, by its name.
    """
    drafts = [draft for block in blocks for draft in block.items]
    names = {draft.name for draft in drafts}
    for draft in drafts:
        if draft.kind == "word":
            _other_case(draft.name, names, bounds)
    _slips(drafts, names, bounds)
    _products(names, bounds)
    for condition in told.whole:
        found = re.fullmatch(r"(?:total_length|len)\((\w+)\) <= (\d+)", condition)
        if found and not any(
            draft.name == found[1] and (draft.count or f"|{found[1]}|" in draft.own.high) for draft in drafts
        ):
            bounds.high.setdefault(f"|{found[1]}|", int(found[2]))
        _below_a_sum(condition, drafts, bounds)
        # None of several that are not negative is greater than their sum.
        summed = re.fullmatch(r"sum\((\w+)\) <= (\d+)", condition)
        for draft in drafts if summed else []:
            if (
                summed
                and draft.name == summed[1]
                and max(draft.own.low.get(draft.name, -1), bounds.low.get(draft.name, -1)) >= 0
            ):
                bounds.high.setdefault(draft.name, int(summed[2]))
    _unread_counts([draft for block in blocks if block.count is None for draft in block.items], names, bounds, told)
    for draft in drafts:
        if draft.kind == "word" and draft.name in of_words:
            draft.count = draft.count or of_words[draft.name]
    if len(set(lengths)) == 1:
        for draft in drafts:
            key = f"|{draft.name}|"
            if draft.kind == "word" and draft.count is None and key not in bounds.high and key not in draft.own.high:
                draft.count = lengths[0]


def _below_a_sum(condition: str, drafts: Sequence[Draft], bounds: Bounds) -> None:
    """``x <= sum(a)``: x is at most as many times the greatest a as there are; the condition says the rest."""
    found = re.fullmatch(r"(\w+) <= sum\((\w+)\)", condition)
    for draft in drafts if found else []:
        highest = draft.own.high.get(draft.name, bounds.high.get(draft.name, 0))
        if found and draft.name == found[2] and draft.kind == "numbers" and draft.count and highest > 0:
            bounds.at_most(found[1], f"{draft.count}*{highest}")


def _other_case(name: str, names: set[str], bounds: Bounds) -> None:
    other = name.swapcase()
    if other in names or len(name) != 1:
        return
    _renamed(bounds, lambda text: re.sub(rf"\|{other}\|", f"|{name}|", text))


def _slips(drafts: Sequence[Draft], names: set[str], bounds: Bounds) -> None:
    """``1 ≤ ax ≤ 9`` of a list a, and ``k ≤ n2`` for the square of n."""
    for draft in drafts:
        if draft.kind == "numbers" and len(draft.name) == 1:
            for key in [*bounds.low, *bounds.high]:
                if re.fullmatch(rf"{draft.name}_?[a-z]", key) and key not in names:
                    _renamed(bounds, lambda text, key=key, name=draft.name: name if text == key else text)  # type: ignore[misc]
        if draft.kind == "number" and len(draft.name) == 1 and f"{draft.name}2" not in names:
            square = rf"(?<![\w^*]){draft.name}2\b"
            _renamed(bounds, lambda text, square=square, name=draft.name: re.sub(square, f"{name}*{name}", text))  # type: ignore[misc]


def _products(names: set[str], bounds: Bounds) -> None:
    """``xy > 1`` of numbers x and y is their product."""
    for side, is_low in ((bounds.low, True), (bounds.high, False)):
        for key in [key for key in side if re.fullmatch(r"[a-z]{2}", key) and key not in names and set(key) <= names]:
            product, value = f"{key[0]}*{key[1]}", str(side.pop(key))
            bounds.at_most(*((value, product) if is_low else (product, value)))


def _unread_counts(outside: Sequence[Draft], names: set[str], bounds: Bounds, told: Told) -> None:
    """“a string s of length n” with no n that is read: the bounds of n are those of the length of s."""
    words = [
        draft for draft in outside if draft.kind == "word" and draft.count and re.fullmatch(r"[A-Za-z]", draft.count)
    ]
    for count in dict.fromkeys(draft.count or "" for draft in words):
        if count in names or any(draft.kind == "numbers" and draft.count == count for draft in outside):
            continue
        first, *others = [draft for draft in words if draft.count == count]
        first.count = None
        for side in (bounds.low, bounds.high):
            if count in side:
                value = side.pop(count)
                for draft in (first, *others):
                    side[f"|{draft.name}|"] = value
        _renamed(bounds, lambda text, name=first.name, count=count: re.sub(rf"\b{count}\b", f"|{name}|", text))  # type: ignore[misc]
        for draft in others:
            draft.count = None
            told.whole.append(f"len({draft.name}) == len({first.name})")


def _renamed(bounds: Bounds, rename: Callable[[str], str]) -> None:
    for side in (bounds.low, bounds.high):
        for key in list(side):
            side.setdefault(rename(key), side[key])
            if rename(key) != key:
                del side[key]
    pairs = [*bounds.relations, *bounds.lengths]
    bounds.relations, bounds.lengths = [], []
    for left, right in pairs:
        bounds.at_most(rename(left), rename(right))
