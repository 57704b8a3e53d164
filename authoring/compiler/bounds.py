"""Bounds out of comparison chains: ``1 ≤ n, m ≤ 9``, ``1 ≤ k ≤ n``, ``0 ≤ a_i < 2*n``, ``|x| ≤ 50``, ``1 ≤ |s| ≤ 20``.

A variable is keyed by its bare name: ``a_i`` and ``a_n`` are both ``a``, ``|s|`` is ``|s|``. Whether bars mean a length
or an absolute value is decided where the variable's kind is known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from authoring.compiler import expressions
from authoring.compiler.outcome import Refused, Stage

COMPARISON = re.compile(r"[≤<≥>]")
_VARIABLE = re.compile(r"(\|?)\s*([A-Za-z]+)(?:_(\w{1,3}))?\s*(\|?)")
_COMMA = "\0"
_MIRROR = {"≤": "≥", "<": ">", "≥": "≤", ">": "<"}
_RANGE = re.compile(
    r"(?:(?:each |each of them |all |which |that )?(?:is |are |lies? |lying |being )?(?:an? |all )?(?:integers? )?)"
    r"(?:between|from|in the range(?: from| between)?|in range) \[?(-?[\w*+-]{1,30}(?: [-+] \d+)?)"
    r"(?: and|,| to| through|…) (-?[\w*+-]{1,30}(?: [-+] \d+)?)\]?(?:,? (?:both )?inclusive(?:ly)?)?"
)


@dataclass
class Bounds:
    """Constants by variable key, the tighter one holding, and relations left ≤ right between expressions."""

    low: dict[str, int] = field(default_factory=dict)
    high: dict[str, int] = field(default_factory=dict)
    relations: list[tuple[str, str]] = field(default_factory=list)
    lengths: list[tuple[str, str]] = field(default_factory=list)
    """Relations left ≤ right with the length of a word on a side, as in ``|b| ≤ |a|``."""

    def at_most(self, left: str, right: str) -> None:
        """Note left ≤ right, each a key or an expression in normal form."""
        low, high = _constant(left), _constant(right)
        if low is not None and high is not None:
            return
        if low is not None and key_of(right):
            self.low[right] = max(low, self.low.get(right, low))
        elif high is not None and key_of(left):
            self.high[left] = min(high, self.high.get(left, high))
        elif "|" in left + right:
            if key_of(left) and "|" not in left and right.startswith("|"):
                self.relations.append((left, f"len({right.strip('|')})"))
            elif (left, right) not in self.lengths:
                self.lengths.append((left, right))
        elif left != right and (left, right) not in self.relations:
            self.relations.append((left, right))

    def check(self) -> None:
        """Refuse bounds that leave no value.

        Raises:
            Refused: a lower bound above the upper one.
        """
        for key, low in self.low.items():
            if key in self.high and self.high[key] < low:
                raise Refused(Stage.BOUNDS, f"contradictory: {key} is at least {low} and at most {self.high[key]}")


def _constant(text: str) -> int | None:
    return None if "|" in text else expressions.constant(text)


def key_of(atom: str) -> str | None:
    """The key of a variable as it is written in a statement; None where it is not one variable."""
    found = _VARIABLE.fullmatch(atom.strip())
    if not found or found[1] != found[4]:
        return None
    # x_1 stays apart from x: it may be a scalar of that name.
    bare = f"{found[2]}_{found[3]}" if found[3] and found[3].isdecimal() else found[2]
    return f"|{bare}|" if found[1] else bare


def chains(text: str) -> list[str]:
    """The comparison chains of a text.

    A semicolon divides them. A comma or “and” does so after a constant or an expression; between two variables it
    makes a list (``1 ≤ n, m ≤ 9``), unless the chain has bounded a variable before: ``1 ≤ k ≤ n, m ≤ 9`` is refused.

    Raises:
        Refused: words among the chains, or a chain that can mean two things.
    """
    refused = Refused(Stage.BOUNDS, f"cannot read the bounds “{text.strip()[:120]}”")
    found: list[str] = []
    for part in text.split(";"):
        current = ""
        # A comma between brackets belongs to min(…) or max(…).
        part = re.sub(
            r"\b(min|max)\s*[({]+([^(){}]*)[)}]+", lambda call: f"{call[1]}({call[2].replace(',', _COMMA)})", part
        )
        for piece in re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", part.strip(" ,.")):
            piece = piece.replace(_COMMA, ",")
            if not current:
                current = piece
                continue
            ends, starts = COMPARISON.split(current)[-1], COMPARISON.split(piece)[0]
            if not _is_variable(ends) or not _is_variable(starts):
                found.append(current)
                current = piece
            elif any(_is_variable(side) for side in COMPARISON.split(current)[:-1]):
                raise refused
            else:
                current += ", " + piece
        if current:
            found.append(current)
    if not found or any(not COMPARISON.search(chain) for chain in found):
        raise refused
    return found


def _is_variable(text: str) -> bool:
    text = text.rpartition(",")[2].strip()
    return text == "…" or key_of(text) is not None


def note_chains(text: str, bounds: Bounds) -> None:
    """Read every chain of ``text`` into ``bounds``.

    Raises:
        Refused: a chain that cannot be read.
    """
    for chain in chains(text):
        parts = [part.strip() for part in COMPARISON.split(chain)]
        signs = COMPARISON.findall(chain)
        if any(sign in "≥>" for sign in signs):
            if any(sign in "≤<" for sign in signs):
                raise Refused(Stage.BOUNDS, f"a comparison turns round in “{chain}”")
            parts, signs = parts[::-1], [_MIRROR[sign] for sign in reversed(signs)]
        groups = [_terms(part, chain) for part in parts]
        if all(_constant(term) is not None for group in groups for term in group):
            raise Refused(Stage.BOUNDS, f"no variable in “{chain}”")
        _note_chain(groups, signs, bounds)


def _note_chain(groups: list[list[str]], signs: list[str], bounds: Bounds) -> None:
    """Neighbours bound each other; of a pair further apart only a constant says something new."""
    for at in range(len(groups)):
        strict = 0
        for to in range(at + 1, len(groups)):
            strict += signs[to - 1] == "<"
            for left in groups[at]:
                for right in groups[to]:
                    if to == at + 1 or _says_more(left, right):
                        bounds.at_most(*_strictly(left, right, strict))


def _says_more(left: str, right: str) -> bool:
    """Whether two that are not neighbours say something that their neighbours do not: a constant and a variable."""
    return (_constant(left) is not None and key_of(right) is not None) or (
        _constant(right) is not None and key_of(left) is not None
    )


def _strictly(left: str, right: str, by: int) -> tuple[str, str]:
    if not by:
        return left, right
    if _constant(left) is not None:
        return expressions.normal(f"{left} + {by}"), right
    if "|" in right:
        raise Refused(Stage.BOUNDS, f"cannot read the bound {left} < {right}")
    return left, expressions.normal(f"({right}) - {by}")


def _terms(part: str, chain: str) -> list[str]:
    if re.match(r"(?:min|max)\(", part):
        try:
            return [expressions.normal(re.sub(r"\b([A-Za-z]+)_[A-Za-z]\w?\b", r"\1", part))]
        except expressions.NotAnExpression as error:
            raise Refused(Stage.BOUNDS, f"cannot read “{part}” in “{chain}”") from error
    atoms = [atom.strip() for atom in re.split(r",|…", part) if atom.strip()]
    keys = [key_of(atom) for atom in atoms]
    found = [key for key in keys if key]
    if atoms and len(found) == len(atoms):
        return list(dict.fromkeys(re.sub(r"_\d+$", "", key) if "…" in part else key for key in found))
    try:
        return [expressions.normal(re.sub(r"\b([A-Za-z]+)_[A-Za-z]\w?\b", r"\1", part))]
    except expressions.NotAnExpression as error:
        raise Refused(Stage.BOUNDS, f"cannot read “{part}” in “{chain}”") from error


def range_phrase(text: str) -> tuple[str, str] | None:
    """The two ends of “between 1 and 100” or “from 0 to n - 1”, where ``text`` is nothing else."""
    found = _RANGE.fullmatch(" ".join(text.replace("(", " ").replace(")", " ").split()).strip(" ,."))
    if not found:
        return None
    try:
        ends = expressions.normal(found[1]), expressions.normal(found[2])
    except expressions.NotAnExpression:
        return None
    # “from left to right” is no range.
    return None if any(name.isalpha() and len(name) > 1 for end in ends for name in expressions.names(end)) else ends


def _widest(bounds: Bounds) -> None:
    """``|b| ≤ |a|`` and ``x ≤ |a|``: what the longest ``a`` allows is a bound too, where there is none."""
    for left, right in (*bounds.lengths, *bounds.relations):
        length = re.sub(r"^len\((\w+)\)$", r"|\1|", right)
        if length.startswith("|") and key_of(left) and length in bounds.high:
            bounds.high.setdefault(left, bounds.high[length])
    for left, right in list(bounds.relations):
        # Of two that are positive, neither is greater than their product.
        factors = left.split("*") if re.fullmatch(r"\w+\*\w+", left) else []
        for factor in factors if all(bounds.low.get(one, 0) >= 1 for one in factors) else []:
            if factor not in bounds.high and not any(pair[0] == factor for pair in bounds.relations):
                bounds.at_most(factor, right)
        # Of two that are not negative, neither is greater than their sum.
        parts = left.split(" + ")
        if len(parts) > 1 and all(bounds.low.get(part, -1) >= 0 for part in parts):
            for part in parts:
                if part not in bounds.high and not any(pair[0] == part for pair in bounds.relations):
                    bounds.relations.append((part, right))


class Resolver:
    """Gives each variable its two bounds: constants first, and each relation where it can be kept.

    A relation between two scalars goes to the one that is read later; one between a variable and an expression goes to
    the variable. Every relation must find a place.
    """

    def __init__(self, bounds: Bounds, scalars: Sequence[str], lengths: Sequence[str] = ()) -> None:
        bounds.check()
        self.lengths = lengths
        self.bounds, self.scalars = bounds, list(scalars)
        _widest(bounds)
        self._placed: dict[tuple[str, str], str] = {}

    def of(self, key: str, own: Sequence[str] = ()) -> tuple[str, str]:
        """Lower and upper bound of ``key``; ``own`` are the scalars of its row, where it stands in one.

        Raises:
            Refused: one of them is missing.
        """
        low = self._one(
            key, self.bounds.low, [(pair, pair[0]) for pair in self.bounds.relations if pair[1] == key], own
        )
        high = self._one(
            key, self.bounds.high, [(pair, pair[1]) for pair in self.bounds.relations if pair[0] == key], own
        )
        for side, word in ((low, "lower"), (high, "upper")):
            if side is None:
                raise Refused(Stage.BOUNDS, f"no {word} bound of {key}")
        assert low is not None and high is not None
        return low, high

    def _one(
        self,
        key: str,
        constants: dict[str, int],
        relations: list[tuple[tuple[str, str], str]],
        own: Sequence[str],
    ) -> str | None:
        known = [*self.scalars, *own]
        merge = "max" if constants is self.bounds.low else "min"
        found = None if key not in constants else str(constants[key])

        def is_later(other: str) -> bool:
            names = expressions.names(other)
            if key not in known or (other not in known and len(names) < 2):
                return False
            return any(name in known and known.index(name) > known.index(key) for name in names)

        # A relation to a later scalar waits for that one, unless nothing else bounds this side.
        for pair, other in sorted(relations, key=lambda relation: is_later(relation[1])):
            names = expressions.names(other)
            if key in names or not set(names) <= set(known) or self._placed.get(pair, key) != key:
                continue
            if is_later(other) and found is not None:
                continue
            self._placed[pair] = key
            if found is None or (other in constants and str(constants[other]) == found):
                found = other
            else:
                found = f"{merge}({found}, {other})"
        return found

    def left_over(self) -> list[tuple[str, str]]:
        """The relations that no variable keeps by itself."""
        return [pair for pair in self.bounds.relations if pair not in self._placed]
