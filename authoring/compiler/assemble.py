"""Puts drafts and bounds together into an :class:`InputFormat`; nothing may be left without bounds or unused."""

from __future__ import annotations

from collections.abc import Sequence

from authoring.compiler import expressions
from authoring.compiler.bounds import Bounds, Resolver
from authoring.compiler.input_format import Block, InputFormat, Item, Line, Number, Numbers, Rows, Word
from authoring.compiler.outcome import Refused, Stage
from authoring.compiler.phrases import Draft

INDICES = ("i", "j")


def assemble(blocks: Sequence[tuple[list[Draft], str | None]], *, bounds: Bounds, tests: str | None) -> InputFormat:
    """Resolve every bound.

    Raises:
        Refused: a name twice, a bound missing, contradictory, of nothing that is read, or that cannot be kept.
    """
    drafts = [draft for items, _ in blocks for draft in items]
    names = [draft.name for draft in drafts] + ([tests] if tests else [])
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise Refused(Stage.GRAMMAR, f"{repeated[0]} is read twice")
    for draft in drafts:
        _own(draft, bounds)
    _absolute_values(drafts, bounds)
    _check_known(names, bounds)
    if tests:
        _check_tests(tests, bounds)
    scalars = [draft.name for items, count in blocks if count is None for draft in items if draft.kind == "number"]
    resolver = Resolver(bounds, scalars)
    made = [_block(items, count, resolver) for items, count in blocks]
    resolver.check_all_placed()
    format_ = InputFormat(tests=tests, blocks=tuple(made))
    _check_references(format_, scalars)
    return format_


def _own(draft: Draft, bounds: Bounds) -> None:
    for key, low in draft.own.low.items():
        bounds.at_most(str(low), key)
    for key, high in draft.own.high.items():
        bounds.at_most(key, str(high))
    for left, right in draft.own.relations:
        bounds.at_most(left, right)


def _absolute_values(drafts: Sequence[Draft], bounds: Bounds) -> None:
    """``|x| ≤ 50`` of a number is -50 … 50; of a string it stays the length."""
    for draft in drafts:
        key = f"|{draft.name}|"
        if draft.kind == "word":
            continue
        if key in bounds.low and bounds.low.pop(key) > 0:
            raise Refused(Stage.BOUNDS, f"a lower bound of {key} cannot be kept")
        if key in bounds.high:
            most = bounds.high.pop(key)
            bounds.at_most(str(-most), draft.name)
            bounds.at_most(draft.name, str(most))


def _check_known(names: Sequence[str], bounds: Bounds) -> None:
    known = {*names, *(f"|{name}|" for name in names), *INDICES}
    mentioned = [*bounds.low, *bounds.high]
    mentioned += [name for pair in bounds.relations for side in pair for name in expressions.names(side)]
    for key in mentioned:
        if key not in known:
            raise Refused(Stage.BOUNDS, f"a bound of {key}, which the Input section does not read")
    for index in INDICES:
        if index not in names:
            bounds.low.pop(index, None)
            bounds.high.pop(index, None)
            bounds.relations = [pair for pair in bounds.relations if index not in pair]


def _check_tests(tests: str, bounds: Bounds) -> None:
    if not bounds.low.get(tests, 1) <= 1 <= bounds.high.get(tests, 1):
        raise Refused(
            Stage.BOUNDS, f"an input of one test case is not allowed: {tests} is at least {bounds.low[tests]}"
        )


def _block(items: Sequence[Draft], count: str | None, resolver: Resolver) -> Block:
    own = [draft.name for draft in items if draft.kind == "number"] if count is not None else []
    made = tuple(_item(draft, own, resolver) for draft in items)
    if count is None:
        return Line(items=made)
    if len(made) > 1 and any(isinstance(item, Numbers) for item in made):
        raise Refused(Stage.GRAMMAR, "rows that hold a list beside other values are not covered yet")
    name = "_".join(draft.name for draft in items)
    try:
        return Rows(name="grid" if name == "text" else name, count=expressions.normal(count), items=made)
    except expressions.NotAnExpression as error:
        raise Refused(Stage.GRAMMAR, f"cannot read the number of lines “{count}”") from error


def _item(draft: Draft, own: Sequence[str], resolver: Resolver) -> Item:
    if draft.kind == "word":
        return _word(draft, resolver)
    low, high = resolver.of(draft.name, own)
    if draft.kind == "number":
        return Number(name=draft.name, low=low, high=high)
    assert draft.count is not None
    if draft.permutation and draft.order != "any":
        raise Refused(Stage.GRAMMAR, f"{draft.name} is a permutation in a given order: there is only one")
    return Numbers(
        name=draft.name,
        count=draft.count,
        low=low,
        high=high,
        order=draft.order,  # type: ignore[arg-type]
        distinct=draft.distinct,
        permutation=draft.permutation,
    )


def _word(draft: Draft, resolver: Resolver) -> Word:
    if draft.alphabet is None:
        raise Refused(Stage.GRAMMAR, f"the characters of {draft.name} are not said")
    if "`" in draft.alphabet:
        raise Refused(Stage.GRAMMAR, "a backtick in the input cannot be shown in a prompt")
    key = f"|{draft.name}|"
    if draft.count is not None:
        return Word(name=draft.name, low=draft.count, high=draft.count, alphabet=draft.alphabet)
    # An empty word cannot stand between blanks, so 1 is a lower bound of every length that is not given.
    resolver.bounds.low.setdefault(key, 1)
    low, high = resolver.of(key)
    return Word(name=draft.name, low=low, high=high, alphabet=draft.alphabet)


def _check_references(format_: InputFormat, scalars: Sequence[str]) -> None:
    """Counts may only use scalars read before them; bounds may not go round in a circle."""
    seen: list[str] = []
    for block in format_.blocks:
        if isinstance(block, Rows):
            _known(block.count, seen, f"the number of lines of {block.name}")
        for item in block.items:
            if isinstance(item, Numbers):
                _known(item.count, seen, f"the count of {item.name}")
            if isinstance(item, Word):
                _known(item.low, seen, f"the length of {item.name}")
            if isinstance(item, Number) and isinstance(block, Line):
                seen.append(item.name)
    if in_order([item for item in format_.lines() if isinstance(item, Number)]) is None:
        raise Refused(Stage.BOUNDS, "bounds that depend on one another in a circle")


def _known(expression: str, seen: Sequence[str], what: str) -> None:
    for name in expressions.names(expression):
        if name not in seen:
            raise Refused(Stage.GRAMMAR, f"{what} is {expression}, and {name} is not read before it")


def in_order(numbers: Sequence[Number]) -> list[Number] | None:
    """The scalars so that each comes after those its bounds mention; None where there is no such order."""
    names = {item.name for item in numbers}
    left, done = list(numbers), list[Number]()
    while left:
        for item in left:
            needs = {*expressions.names(item.low), *expressions.names(item.high)} & names
            if needs <= {other.name for other in done}:
                done.append(item)
                left.remove(item)
                break
        else:
            return None
    return done
