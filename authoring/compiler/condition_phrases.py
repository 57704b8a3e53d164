"""Sentences that set a condition on the whole input: sums, primes, palindromes, what a list must hold.

A condition may be stronger than its sentence, never weaker: what is generated then is a part of what is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from authoring.compiler import condition_patterns as patterns
from authoring.compiler import phrases, structure
from authoring.compiler.alphabets import NotUnderstood
from authoring.compiler.asides import Asides
from authoring.compiler.phrases import NAME, Draft, DraftBlock


@dataclass
class Told:
    """Conditions that were read: on the whole input, on each row, and columns that stand in order."""

    whole: list[str] = field(default_factory=list)
    each_row: list[str] = field(default_factory=list)


def apply(text: str, blocks: Sequence[DraftBlock], last: Sequence[Draft], told: Told) -> bool:
    """Note the condition that a sentence sets; False where it sets none of a known kind.

    Raises:
        NotUnderstood: the condition is known, what it speaks of is not.
    """
    bare = re.sub(r"^(?:it is (?:also )?guaranteed that|it is known that) ", "", text.strip(" ,:"), flags=re.IGNORECASE)
    seen = _Seen(blocks, last, told)
    return any((found := pattern.fullmatch(bare)) is not None and rule(found, seen) for pattern, rule in _RULES)


def settle(asides: Asides, blocks: Sequence[DraftBlock], told: Told) -> None:
    """What stood among bounds, now that every line is known.

    Raises:
        NotUnderstood: what it speaks of was not read.
    """
    seen = _Seen(blocks, (), told)
    for one, other in asides.unequal:
        _unequal(one, other, seen)
    for name, bound in asides.equal_sums:
        seen.whole(f"sum({seen.listed(name).name}) == {expression(bound)}")
    for one, name in asides.below_sums:
        seen.whole(f"{seen.one(one, 'number').name} <= sum({seen.listed(name).name})")
    for name, sign in asides.orders:
        draft = seen.listed(name)
        if draft.kind == "numbers":
            draft.order = _ORDERS[sign]
        elif sign not in _COLUMN_ORDERS:
            raise NotUnderstood(f"{name}_1 {sign} {name}_2")
        else:
            seen.whole(f"{_COLUMN_ORDERS[sign]}({draft.name})")


_ORDERS = {"≤": "nondecreasing", "<": "increasing", "≥": "nonincreasing", ">": "decreasing"}
_COLUMN_ORDERS = {"≤": "never_falls", "<": "rises"}


def _unequal(one: str, other: str, seen: _Seen) -> None:
    if re.fullmatch(NAME, one) and re.fullmatch(NAME, other):
        structure.note_unequal(one, other, seen.blocks)
        return
    if re.fullmatch(NAME, one) and re.fullmatch(r"\d+", other):
        draft = seen.one(one, "number", "numbers")
        if draft.kind == "numbers":
            if seen.in_rows(draft):
                raise NotUnderstood(f"{one} ≠ {other}")
            seen.whole(f"{other} not in {draft.name}")
            return
    seen.about(f"{one} {other}", f"{expression(one)} != {expression(other)}")


@dataclass(frozen=True, slots=True)
class _Seen:
    blocks: Sequence[DraftBlock]
    last: Sequence[Draft]
    told: Told

    def one(self, name: str | None, *kinds: str) -> Draft:
        """The item that is spoken of: the named one, or the only one of its kind in the sentence before."""
        pool = [draft for block in self.blocks for draft in block.items] if name else list(self.last)
        wanted = phrases.bare(name) if name else None
        found = [draft for draft in pool if draft.kind in kinds and wanted in (None, draft.name)]
        if len(found) != 1:
            raise NotUnderstood(name or "what it speaks of")
        return found[0]

    def in_rows(self, draft: Draft) -> bool:
        return any(block.count is not None and any(item is draft for item in block.items) for block in self.blocks)

    def whole(self, condition: str) -> bool:
        self.told.whole.append(condition)
        return True

    def about(self, expression: str, condition: str) -> bool:
        """A condition on numbers: of each row where the expression names one of a row."""
        names = [phrases.bare(name) for name in re.findall(r"[A-Za-z](?:_\w+)?", expression)]
        rows = [self.in_rows(self.one(name, "number")) for name in names]
        (self.told.each_row if any(rows) else self.told.whole).append(condition)
        return True

    def listed(self, name: str | None) -> Draft:
        """A list on a line or a column of rows; a list in each row is none."""
        draft = self.one(name, "numbers", "number")
        if self.in_rows(draft) == (draft.kind == "numbers"):
            raise NotUnderstood(name or draft.name)
        return draft


def expression(text: str) -> str:
    """An expression of a sentence with bare names, as Python."""
    text = re.sub(r"[A-Za-z]_\w{1,2}", lambda found: phrases.bare(found[0]), text)
    return re.sub(r"(?<![A-Za-z_0-9])(\d+) ?(?=[A-Za-z(])", r"\1*", text.replace("·", "*").replace("−", "-"))


def _sum(found: re.Match[str], seen: _Seen) -> bool:
    sign = "<=" if found["most"] else ">=" if found["least"] else "=="
    return seen.whole(f"sum({seen.listed(found['name']).name}) {sign} {expression(found['bound'])}")


def _lengths(found: re.Match[str], seen: _Seen) -> bool:
    words = [draft for block in seen.blocks for draft in block.items if draft.kind == "word"]
    name = found["name"] or found["also"]
    chosen = [draft for draft in words if name is None or draft.name == phrases.bare(name)]
    if not chosen:
        raise NotUnderstood("whose lengths")
    parts = [f"total_length({one.name})" if seen.in_rows(one) else f"len({one.name})" for one in chosen]
    return seen.whole(f"{' + '.join(parts)} <= {found['bound']}")


def _prime(found: re.Match[str], seen: _Seen) -> bool:
    draft = seen.one(found["name"], "number")
    return seen.about(draft.name, f"is_prime({draft.name})")


def _palindrome(found: re.Match[str], seen: _Seen) -> bool:
    return seen.whole(f"is_palindrome({seen.one(found['name'], 'word').name})")


def _no_leading(found: re.Match[str], seen: _Seen) -> bool:
    name = found["name"] if found["name"] and len(found["name"]) <= 3 else None
    drafts = [draft for block in seen.blocks for draft in block.items if name in (None, draft.name)]
    words = [draft for draft in drafts if draft.kind == "word" and set(draft.alphabet or "") <= set("0123456789")]
    if not drafts or any(seen.in_rows(draft) for draft in words):
        raise NotUnderstood("leading zeros")
    # A number is never written with leading zeros.
    return all(seen.whole(f'{draft.name}[0] != "0"') for draft in words)


def _end(place: int) -> Callable[[re.Match[str], _Seen], bool]:
    def rule(found: re.Match[str], seen: _Seen) -> bool:
        draft = seen.one(found["name"], "word")
        return not seen.in_rows(draft) and seen.whole(f"{draft.name}[{place}] != {_symbol(found['what'])}")

    return rule


def _holds(found: re.Match[str], seen: _Seen) -> bool:
    draft = seen.one(found["name"], "word")
    return not seen.in_rows(draft) and seen.whole(f"{_symbol(found['what'])} in {draft.name}")


def _symbol(char: str) -> str:
    if char in "\\\"'":
        raise NotUnderstood(char)
    return f'"{char}"'


def _all_of(found: re.Match[str], seen: _Seen) -> bool:
    most = expression(found["most"])
    if not found["name"] and not found["least"]:
        columns = [draft for draft in seen.last if draft.kind == "number" and seen.in_rows(draft)]
        if columns and all(draft.kind == "number" for draft in seen.last):
            return seen.whole(f"one_each({most}, {', '.join(draft.name for draft in columns)})")
    draft = seen.listed(found["name"])
    return seen.whole(f"holds_all({draft.name}, {most})" if found["least"] else f"one_each({most}, {draft.name})")


def _some_more(found: re.Match[str], seen: _Seen) -> bool:
    return seen.whole(f"min({(name := seen.listed(found['name'] or found['sum']).name)}) >= 0") and seen.whole(
        f"sum({name}) >= 1"
    )


def _some_story(_: re.Match[str], seen: _Seen) -> bool:
    """“At least one pile is non-empty”: the only list there is counts what lies on the piles."""
    lists = [draft for block in seen.blocks for draft in block.items if draft.kind == "numbers" and block.count is None]
    if len(lists) != 1:
        raise NotUnderstood("which list")
    return seen.whole(f"min({lists[0].name}) >= 0") and seen.whole(f"sum({lists[0].name}) >= 1")


def _divisible(found: re.Match[str], seen: _Seen) -> bool:
    what = expression(found["what"])
    return seen.about(f"{found['what']} {found['by']}", f"({what}) % {expression(found['by'])} == 0")


def _power(found: re.Match[str], seen: _Seen) -> bool:
    return seen.about(found["what"], f"is_power_of_two({expression(found['what'])})")


def _row_order(found: re.Match[str], seen: _Seen) -> bool:
    draft = seen.one(found["name"], "number")
    if not seen.in_rows(draft):
        return False
    how = "never_falls" if "decreasing" in found["how"].lower() else "rises"
    return seen.whole(f"{how}({draft.name})")


def _column_distinct(found: re.Match[str], seen: _Seen) -> bool:
    draft = seen.one(found["name"] or found["other"], "number", "numbers")
    if draft.kind == "numbers" and not seen.in_rows(draft):
        draft.distinct = True
        return True
    return seen.whole(f"all_distinct({seen.listed(draft.name).name})")


def _no_two(found: re.Match[str], seen: _Seen) -> bool:
    """All values of a row together are those of no other row."""
    names = {phrases.bare(name) for name in re.findall(rf"(?<![A-Za-z]){NAME}(?![A-Za-z])", found["names"])}
    blocks = [block for block in seen.blocks if block.count and names == {item.name for item in block.items}]
    if len(blocks) != 1:
        raise NotUnderstood(found["names"])
    blocks[0].distinct = True
    return True


def _time_order(found: re.Match[str], seen: _Seen) -> bool:
    """The column t of the rows stands in order; rows without one are not understood."""
    times = [draft for block in seen.blocks if block.count for draft in block.items if draft.name in ("t", "T")]
    if len(times) != 1:
        raise NotUnderstood("which time")
    how = "never_falls" if "non-decreasing" in found[0].lower() else "rises"
    return seen.whole(f"{how}({times[0].name})")


def _not_first(_: re.Match[str], seen: _Seen) -> bool:
    """No row is the cell (1, 1): both from 1, their sum is at least 3."""
    rows = [block for block in seen.blocks if block.count and {"x", "y"} == {item.name for item in block.items}]
    if len(rows) != 1:
        raise NotUnderstood("which cells")
    seen.told.each_row.append("x + y >= 3")
    return True


def _two_points(_: re.Match[str], seen: _Seen) -> bool:
    """Two points that stand on a line differ: the square of their distance is at least 1."""
    names = {item.name for block in seen.blocks for item in block.items}
    if not {"x_1", "y_1", "x_2", "y_2"} <= names or "x_3" in names:
        raise NotUnderstood("two points")
    return seen.whole("(x_1 - x_2) * (x_1 - x_2) + (y_1 - y_2) * (y_1 - y_2) >= 1")


def _positions(_: re.Match[str], seen: _Seen) -> bool:
    """The one coordinate that a row holds beside other values comes in no other row."""
    rows = [block for block in seen.blocks if block.count is not None]
    if not rows:
        return _two_points(_, seen)
    return seen.whole(f"all_distinct({structure.coordinates(rows[0])[0]})")


def _of_type(found: re.Match[str], seen: _Seen) -> bool:
    """The column t of the rows holds the number of that type; rows without such a column are not understood."""
    number = found["number"] or str(["first", "second", "third"].index(found["word"].lower()) + 1)
    kinds = [draft for draft in seen.last if draft.name == "t" and draft.kind == "number" and seen.in_rows(draft)]
    if len(kinds) != 1:
        raise NotUnderstood("which type")
    return seen.whole(f"{number} in t")


def _all_differ(found: re.Match[str], seen: _Seen) -> bool:
    names = [seen.listed(found[side]).name for side in ("one", "other")]
    return seen.whole(f"all_distinct({', '.join(names)})")


_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], _Seen], bool]], ...] = (
    (patterns.SUM, _sum),
    (patterns.OF_TYPE, _of_type),
    (patterns.ALL_DIFFER, _all_differ),
    (patterns.NO_TWO, _no_two),
    (patterns.POSITIONS, _positions),
    (patterns.POINTS, _two_points),
    (patterns.TIME_ORDER, _time_order),
    (patterns.NOT_FIRST, _not_first),
    (patterns.LENGTHS, _lengths),
    (patterns.PRIME, _prime),
    (patterns.PALINDROME, _palindrome),
    (patterns.NO_LEADING, _no_leading),
    (patterns.FIRST, _end(0)),
    (patterns.LAST, _end(-1)),
    (patterns.HOLDS, _holds),
    (patterns.ALL_OF, _all_of),
    (patterns.SOME_MORE, _some_more),
    (patterns.SOME_STORY, _some_story),
    (patterns.DIVISIBLE, _divisible),
    (patterns.POWER, _power),
    (patterns.ROW_ORDER, _row_order),
    (patterns.COLUMN_DISTINCT, _column_distinct),
)
