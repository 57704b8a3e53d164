"""Reads a contest input by its format, checks it against the bounds, and writes it again."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from authoring.compiler import conditions, expressions
from authoring.compiler.input_format import Graph, InputFormat, Item, Line, Number, Numbers, Rows, Word

Payload = dict[str, Any]


class Misread(ValueError):
    """The text is not an input of this format; says where."""


def tidy(text: str) -> str:
    r"""``\n`` line ends, no white space at line ends, no blank lines before or after."""
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").split("\n")).strip("\n")


def parse(format_: InputFormat, text: str) -> list[Payload]:
    """The payloads of an input, one a test case; every bound is checked.

    Raises:
        Misread: the text does not fit.
    """
    lines = _Lines(tidy(text).split("\n"))
    count = 1
    if format_.tests:
        count = _integer(lines.next(f"the number of test cases {format_.tests}"), format_.tests)
        if not 1 <= count <= 10_000:
            raise Misread(f"{count} test cases")
    payloads = [_one(format_, lines) for _ in range(count)]
    lines.end()
    return payloads


def render(format_: InputFormat, payloads: Sequence[Payload]) -> str:
    """The input's text; every line ends in a line break."""
    lines = [str(len(payloads))] if format_.tests else []
    for payload in payloads:
        lines += _written(format_, payload)
    return "\n".join(lines) + "\n"


class _Lines:
    def __init__(self, lines: list[str]) -> None:
        self._lines, self._at = lines, 0

    def next(self, what: str) -> str:
        if self._at >= len(self._lines):
            raise Misread(f"the input ends before {what}")
        self._at += 1
        return self._lines[self._at - 1]

    def end(self) -> None:
        if self._at < len(self._lines):
            raise Misread(f"line {self._at + 1} is left over: {self._lines[self._at][:60]!r}")


def _one(format_: InputFormat, lines: _Lines) -> Payload:
    payload: Payload = {}
    scalars: dict[str, int] = {}
    for block in format_.blocks:
        if isinstance(block, Line):
            values = _read(block.items, lines.next(", ".join(item.name for item in block.items)), scalars)
            _check_unequal(block.unequal, values)
            payload.update(values)
            scalars.update({name: value for name, value in values.items() if isinstance(value, int)})
            scalars.update({f"len({name})": len(value) for name, value in values.items() if isinstance(value, str)})
        else:
            rows = []
            for number in range(_evaluated(block.count, scalars, "a count")):
                values = _read(block.items, lines.next(f"row {number + 1} of {block.name}"), scalars)
                _check_unequal(block.unequal, values)
                _check_conditions(block.conditions, {**payload, **values})
                rows.append(list(values.values()) if len(block.items) > 1 else next(iter(values.values())))
            if block.distinct and len({repr(row) for row in rows}) < len(rows):
                raise Misread(f"a row of {block.name} comes twice")
            payload[block.name] = rows
    _check_scalars(format_, scalars)
    for edges, graph in format_.graphs():
        _check_graph(edges, graph, payload[edges.name], scalars[graph.nodes])
    _check_conditions(format_.conditions, _columns(format_, payload))
    return payload


def _check_conditions(texts: Sequence[str], values: Mapping[str, Any]) -> None:
    for text in texts:
        try:
            kept = conditions.holds(text, values)
        except conditions.NotACondition as error:
            raise Misread(str(error)) from error
        if not kept:
            raise Misread(f"not kept: {text}")


def _columns(format_: InputFormat, payload: Payload) -> Payload:
    """Every value by its name; an item of rows as the list of its values."""
    found = dict(payload)
    for block in format_.rows():
        if len(block.items) > 1:
            found.update({item.name: [row[at] for row in payload[block.name]] for at, item in enumerate(block.items)})
        else:
            found[block.items[0].name] = payload[block.name]
    return found


def _check_unequal(pairs: Sequence[tuple[str, str]], values: Mapping[str, Any]) -> None:
    for one, other in pairs:
        if values[one] == values[other]:
            raise Misread(f"{one} and {other} are equal")


def _check_graph(rows: Rows, graph: Graph, values: Sequence[Sequence[Any]], nodes: int) -> None:
    names = [item.name for item in rows.items]
    first, second = (names.index(end) for end in graph.ends)
    edges = [(row[first], row[second]) for row in values]
    if graph.kind != "connected" and (
        any(one == other for one, other in edges) or len({frozenset(edge) for edge in edges}) < len(edges)
    ):
        raise Misread("an edge that leads back to its node, or an edge twice")
    if graph.kind == "simple":
        return
    group = list(range(nodes + 1))

    def root(node: int) -> int:
        while group[node] != node:
            node = group[node]
        return node

    for one, other in edges:
        group[root(one)] = root(other)
    if len({root(node) for node in range(1, nodes + 1)}) > 1:
        raise Misread("the graph is not connected")


def _read(items: Sequence[Item], line: str, scalars: Mapping[str, int]) -> dict[str, Any]:
    tokens = line.split(" ") if line else []
    if "" in tokens or "\t" in line:
        raise Misread(f"not one blank between values: {line[:60]!r}")
    known = dict(scalars)
    values: dict[str, Any] = {}
    at = 0
    for item in items:
        wanted = _evaluated(item.count, known, f"the count of {item.name}") if isinstance(item, Numbers) else 1
        part = tokens[at : at + wanted]
        if len(part) < wanted:
            raise Misread(f"{item.name}: {wanted} values expected, {len(part)} found in {line[:60]!r}")
        at += wanted
        if isinstance(item, Number):
            known[item.name] = values[item.name] = _integer(part[0], item.name)
        elif isinstance(item, Numbers):
            values[item.name] = _checked([_integer(token, item.name) for token in part], item, known)
        else:
            values[item.name] = _word(part[0], item, known)
    if at < len(tokens):
        raise Misread(f"{len(tokens) - at} values are left over in the line {line[:60]!r}")
    for item in items:
        if isinstance(item, Number) and item.name not in scalars and set(_names(item)) <= set(known):
            _between(known[item.name], item.low, item.high, known, item.name)
    return values


def _names(item: Number) -> Iterator[str]:
    yield from expressions.names(item.low)
    yield from expressions.names(item.high)


def _check_scalars(format_: InputFormat, scalars: Mapping[str, int]) -> None:
    for item in format_.lines():
        if isinstance(item, Number):
            if item.parity != "any" and scalars[item.name] % 2 != (item.parity == "odd"):
                raise Misread(f"{item.name} is not {item.parity}")
            _between(scalars[item.name], item.low, item.high, scalars, item.name)


def _checked(values: list[int], item: Numbers, known: Mapping[str, int]) -> list[int]:
    for at, value in enumerate(values, item.first):
        _between(value, item.low, item.high, known if "i" in known else {**known, "i": at}, item.name)
    if (item.distinct or item.permutation) and len(set(values)) != len(values):
        raise Misread(f"{item.name} repeats a value")
    if item.permutation and sorted(values) != list(range(1, len(values) + 1)):
        raise Misread(f"{item.name} is not a permutation of 1 … {len(values)}")
    pairs = list(itertools.pairwise(values))
    holds = {
        "any": True,
        "nondecreasing": all(first <= second for first, second in pairs),
        "increasing": all(first < second for first, second in pairs),
        "nonincreasing": all(first >= second for first, second in pairs),
        "decreasing": all(first > second for first, second in pairs),
    }
    if not holds[item.order]:
        raise Misread(f"{item.name} is not {item.order}")
    return values


def _word(token: str, item: Word, known: Mapping[str, int]) -> str:
    _between(len(token), item.low, item.high, known, f"the length of {item.name}")
    foreign = sorted(set(token) - set(item.alphabet))
    if foreign:
        raise Misread(f"{item.name} holds {foreign[0]!r}, which is not one of {item.alphabet!r}")
    return token


def _between(value: int, low: str, high: str, known: Mapping[str, int], what: str) -> None:
    if not _evaluated(low, known, what) <= value <= _evaluated(high, known, what):
        raise Misread(f"{what} is {value}, outside {low} … {high}")


def _evaluated(expression: str, known: Mapping[str, int], what: str) -> int:
    try:
        return expressions.evaluate(expression, known)
    except expressions.NotAnExpression as error:
        raise Misread(f"{what}: {error}") from error


def _integer(token: str, what: str) -> int:
    try:
        value = int(token)
    except ValueError:
        value = None
    if value is None or str(value) != token:
        raise Misread(f"{what}: {token[:40]!r} is not a plain integer")
    return value


def _written(format_: InputFormat, payload: Payload) -> Iterator[str]:
    for block in format_.blocks:
        if isinstance(block, Rows):
            for row in payload[block.name]:
                yield _joined(row if len(block.items) > 1 else [row])
        else:
            yield _joined([payload[item.name] for item in block.items])


def _joined(values: Sequence[Any]) -> str:
    """The values with one blank between them; a list that is empty leaves none."""
    parts = [part for value in values for part in (value if isinstance(value, list) else [value])]
    return " ".join(map(str, parts))
