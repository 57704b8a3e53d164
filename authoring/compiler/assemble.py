"""Puts drafts and bounds together into an :class:`InputFormat`; nothing may be left without bounds or unused."""

from __future__ import annotations

import re
from collections.abc import Sequence

from authoring.compiler import conditions, expressions
from authoring.compiler.bounds import Bounds, Resolver
from authoring.compiler.condition_phrases import Told
from authoring.compiler.input_format import Block, Graph, InputFormat, Item, Line, Number, Numbers, Rows, Word
from authoring.compiler.outcome import Refused, Stage
from authoring.compiler.phrases import Draft, DraftBlock

INDICES = ("i", "j")


def assemble(blocks: Sequence[DraftBlock], *, bounds: Bounds, tests: str | None, told: Told) -> InputFormat:
    """Resolve every bound.

    Raises:
        Refused: a name twice, a bound missing, contradictory, of nothing that is read, or that cannot be kept.
    """
    drafts = [draft for block in blocks for draft in block.items]
    _name_apart(drafts)
    names = [draft.name for draft in drafts] + ([tests] if tests else [])
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise Refused(Stage.GRAMMAR, f"{repeated[0]} is read twice")
    for draft in drafts:
        _own(draft, bounds)
    _absolute_values(drafts, bounds)
    by_index = [
        draft.name for block in blocks if block.count is None for draft in block.items if draft.kind == "numbers"
    ]
    _check_known(names, bounds, () if "i" in names else by_index)
    if tests:
        _check_tests(tests, bounds)
    scalars = [draft.name for block in blocks if block.count is None for draft in block.items if draft.kind == "number"]
    words = [draft.name for block in blocks if block.count is None for draft in block.items if draft.kind == "word"]
    resolver = Resolver(bounds, scalars, [f"len({name})" for name in words])
    made = [_block(block, resolver) for block in blocks]
    _keep_relations(resolver, blocks, told)
    made = [_with_conditions(block, told) for block in made]
    format_ = InputFormat(tests=tests, blocks=tuple(made), conditions=_whole(told, names))
    _check_references(format_, scalars)
    return format_


def _name_apart(drafts: Sequence[Draft]) -> None:
    """Words and lists that the statement gives no name: the second one is another than the first."""
    seen: dict[str, int] = {}
    for draft in drafts:
        if draft.name in ("text", "values"):
            seen[draft.name] = seen.get(draft.name, 0) + 1
            if seen[draft.name] > 1:
                name = f"{draft.name}_{seen[draft.name]}"
                for side in (draft.own.low, draft.own.high):
                    for key in [key for key in side if draft.name in key]:
                        side[key.replace(draft.name, name)] = side.pop(key)
                draft.name = name


def _keep_relations(resolver: Resolver, blocks: Sequence[DraftBlock], told: Told) -> None:
    """A relation that no variable keeps by its own bounds becomes a condition.

    Raises:
        Refused: it is not about single numbers of the whole input or of one row.
    """
    of_rows = {draft.name for block in blocks if block.count is not None for draft in block.items}
    lists = {draft.name for block in blocks for draft in block.items if draft.kind != "number"}
    for left, right in (*resolver.left_over(), *resolver.bounds.lengths):
        plain = [re.sub(r"\|(\w+)\|", "", side).strip() for side in (left, right)]
        used = {name for side in plain if side for name in expressions.names(side)}
        if used & lists:
            raise Refused(Stage.BOUNDS, f"cannot keep {left} ≤ {right}")
        condition = re.sub(r"\|(\w+)\|", r"len(\1)", f"{left} <= {right}")
        (told.each_row if set(conditions.names(condition)) & of_rows else told.whole).append(condition)


def _whole(told: Told, names: Sequence[str]) -> tuple[str, ...]:
    for text in told.whole:
        _check_names(text, names)
    return tuple(dict.fromkeys(map(conditions.normal, told.whole)))


def _check_names(text: str, names: Sequence[str]) -> None:
    try:
        unknown = next((name for name in conditions.names(text) if name not in names), "")
    except conditions.NotACondition as error:
        raise Refused(Stage.GRAMMAR, f"cannot keep “{text}”") from error
    if unknown:
        raise Refused(Stage.GRAMMAR, f"“{text}” speaks of {unknown}, which the Input section does not read")


def _with_conditions(block: Block, told: Told) -> Block:
    """Rows with the conditions on each of them.

    Raises:
        Refused: a condition that speaks of two blocks of rows, or of items that are read behind these.
    """
    if not isinstance(block, Rows):
        return block
    own = {item.name for item in block.items}
    mine = [text for text in told.each_row if own & set(conditions.names(text))]
    if not mine:
        return block
    if len(block.items) == 1:
        raise Refused(Stage.GRAMMAR, f"a condition on each row of one value: “{mine[0]}”")
    return block.model_copy(update={"conditions": tuple(dict.fromkeys(map(conditions.normal, mine)))})


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


def _check_known(names: Sequence[str], bounds: Bounds, by_index: Sequence[str]) -> None:
    known = {*names, *(f"{mark[0]}{name}{mark[1]}" for name in names for mark in (("|", "|"), ("len(", ")"))), *INDICES}
    mentioned = [*bounds.low, *bounds.high]
    mentioned += [name for pair in bounds.relations for side in pair for name in expressions.names(side)]
    for key in mentioned:
        if key not in known:
            raise Refused(Stage.BOUNDS, f"a bound of {key}, which the Input section does not read")
    for index in INDICES:
        if index not in names:
            bounds.low.pop(index, None)
            bounds.high.pop(index, None)
            bounds.relations = [pair for pair in bounds.relations if not _only_counts(pair, index, names)]
            for left, right in bounds.relations:
                if index in {*expressions.names(left), *expressions.names(right)} and not (
                    index == "i" and {left, right} & set(by_index)
                ):
                    raise Refused(Stage.BOUNDS, f"a bound that changes from value to value: {left} ≤ {right}")


def _only_counts(pair: tuple[str, str], index: str, names: Sequence[str]) -> bool:
    """``1 ≤ i ≤ n`` and ``i < j`` say over what an index runs; ``p_i < i`` would say something of a value."""
    if index not in pair:
        return False
    other = pair[0] if pair[1] == index else pair[1]
    return pair[1] != index or other not in names or not other or pair[0] == index


def _check_tests(tests: str, bounds: Bounds) -> None:
    if not bounds.low.get(tests, 1) <= 1 <= bounds.high.get(tests, 1):
        raise Refused(
            Stage.BOUNDS, f"an input of one test case is not allowed: {tests} is at least {bounds.low[tests]}"
        )


def _block(block: DraftBlock, resolver: Resolver) -> Block:
    own = [draft.name for draft in block.items if draft.kind == "number"] if block.count is not None else []
    made = tuple(_item(draft, own, resolver, in_rows=block.count is not None) for draft in block.items)
    unequal = tuple(dict.fromkeys(block.unequal))
    if block.count is None:
        return Line(items=made, unequal=unequal)
    name = "_".join(draft.name for draft in block.items)
    try:
        count = expressions.normal(block.count)
    except expressions.NotAnExpression as error:
        raise Refused(Stage.GRAMMAR, f"cannot read the number of lines “{block.count}”") from error
    graph = _graph(block.graph, count, made) if block.graph else None
    return Rows(
        name="grid" if name == "text" else name,
        count=count,
        items=made,
        unequal=unequal,
        graph=graph,
        distinct=block.distinct,
    )


def _graph(kind: str, count: str, items: Sequence[Item]) -> Graph:
    """Which two items of a row are ends, and what counts the nodes."""
    ends = [item for item in items if isinstance(item, Number) and item.low == "1" and item.high.isidentifier()][:2]
    if len(ends) != 2 or ends[0].high != ends[1].high:
        raise Refused(
            Stage.GRAMMAR, "the edges of a graph whose ends are not two numbers from 1 to the number of nodes"
        )
    nodes = ends[0].high
    if kind == "connected" and count == f"{nodes} - 1":
        kind = "tree"
    if kind == "tree" and count != f"{nodes} - 1":
        raise Refused(Stage.GRAMMAR, f"a tree of {nodes} nodes with {count} edges")
    if kind != "tree" and not count.isidentifier():
        raise Refused(Stage.GRAMMAR, f"a graph with {count} edges is not covered yet")
    return Graph(kind=kind, nodes=nodes, ends=(ends[0].name, ends[1].name))  # type: ignore[arg-type]


def _item(draft: Draft, own: Sequence[str], resolver: Resolver, *, in_rows: bool) -> Item:
    if draft.kind == "word":
        return _word(draft, resolver)
    by_index = draft.kind == "numbers" and not in_rows and "i" not in resolver.scalars
    low, high = resolver.of(draft.name, [*(["i"] if by_index else resolver.lengths if in_rows else []), *own])
    if by_index and "i" in {*expressions.names(low), *expressions.names(high)}:
        _check_indexed(draft)
    if draft.kind == "number":
        return Number(name=draft.name, low=low, high=high, parity=draft.parity)  # type: ignore[arg-type]
    assert draft.count is not None
    if draft.permutation and draft.order != "any":
        raise Refused(Stage.GRAMMAR, f"{draft.name} is a permutation in a given order: there is only one")
    return Numbers(
        name=draft.name,
        count=draft.count,
        first=draft.first,
        low=low,
        high=high,
        order=draft.order,  # type: ignore[arg-type]
        distinct=draft.distinct,
        permutation=draft.permutation,
    )


def _check_indexed(draft: Draft) -> None:
    """Values with bounds of their own are drawn one by one: nothing else may be asked of them."""
    if draft.distinct or draft.permutation or draft.order != "any":
        raise Refused(Stage.BOUNDS, f"a bound that changes from value to value, of {draft.name} with an order")


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
        own: list[str] = []
        if isinstance(block, Rows):
            _known(block.count, seen, f"the number of lines of {block.name}")
        for item in block.items:
            if isinstance(item, Number):
                own.append(item.name)
            if isinstance(item, Numbers):
                _known(item.count, [*seen, *own], f"the count of {item.name}")
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
