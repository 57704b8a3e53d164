"""Writes ``instances.py``: how one input is drawn within the bounds, and how it is written down."""

from __future__ import annotations

from collections.abc import Iterable

from authoring.compiler import conditions, emit_conditions, expressions
from authoring.compiler.assemble import in_order
from authoring.compiler.input_format import Block, InputFormat, Item, Line, Number, Numbers, Rows, Word
from authoring.compiler.levels import axis_name
from authoring.compiler.pieces import HELPERS, MIXES, NEEDS, STYLES_OF
from authoring.compiler.texts import literal

_HEAD = '''"""Inputs of “{title}”: drawn within the statement's bounds, and written as the statement says."""

from __future__ import annotations

import random

from bootcamp_kit.case import Payload
from bootcamp_kit.difficulty import Params

{styles}
def {name}(rng: random.Random, params: Params) -> Payload:
    """One input; the params say how large."""
{body}
    return {payload}
{guard}

def render(payload: Payload) -> str:
    """The input as the program reads it."""
    lines = [
{lines}
    ]
    return "\\n".join(lines) + "\\n"
'''


class Emitter:
    """Collects the lines of ``draw`` and the helpers they use."""

    def __init__(self, format_: InputFormat, axes: Iterable[str]) -> None:
        self.format, self.axes = format_, set(axes)
        self.lines: list[str] = []
        self.helpers: list[str] = []

    def text(self, *, title: str, mix: str) -> str:
        """The module."""
        numbers = in_order([item for item in self.format.lines() if isinstance(item, Number)]) or []
        for item in numbers:
            drawn = self._number(item, is_size=item.name in self.format.sizes())
            self.lines.append(f"{_local(item.name)} = {self._with_parity(item, drawn)}")
            self._differing(item)
        for block in self.format.blocks:
            self._block(block)
        self.lines += emit_conditions.met(self.format, self._use, _local)
        names = [
            block.name if isinstance(block, Rows) else item.name
            for block in self.format.blocks
            for item in (block.items if isinstance(block, Line) else block.items[:1])
        ]
        used = self._with_needs()
        styles = [STYLES_OF[name] for name in used if name in STYLES_OF]
        guard = emit_conditions.guard(self.format)
        body = _HEAD.format(
            name="attempt" if guard else "draw",
            guard=guard,
            title=title.replace("\\", "").replace('"', "'"),
            styles="".join(f"{name} = {_tuple(MIXES[mix][name])}\n" for name in dict.fromkeys(styles))
            + ("\n" if styles else ""),
            body="\n".join("    " + line for line in self.lines),
            payload="{" + ", ".join(f'"{name}": {_local(name)}' for name in names) + "}",
            lines="\n".join(f"        {line}," for line in self._rendered()),
        )
        return body + "".join("\n" + HELPERS[name] for name in HELPERS if name in used)

    def _with_needs(self) -> list[str]:
        used = list(self.helpers)
        for name in used:
            used += [need for need in NEEDS.get(name, ()) if need not in used]
        return used

    def _use(self, helper: str) -> str:
        if helper not in self.helpers:
            self.helpers.append(helper)
        return helper

    def _with_parity(self, item: Number, drawn: str) -> str:
        """An even or an odd value beside the one that was drawn, still inside the bounds."""
        if item.parity == "any":
            return drawn
        odd = int(item.parity == "odd")
        return f"{self._use('of_parity')}({drawn}, {_code(item.low)}, {_code(item.high)}, {odd})"

    def _differing(self, item: Number) -> None:
        """Draw again what must differ from a number of the same line that was drawn before."""
        drawn = {line.split(" = ")[0] for line in self.lines}
        for block in self.format.blocks:
            if not isinstance(block, Line):
                continue
            for pair in block.unequal:
                other = next((name for name in pair if name != item.name), "")
                if item.name in pair and _local(other) in drawn:
                    self.lines.append(f"while {_local(item.name)} == {_local(other)}:")
                    self.lines.append(f"    {_local(item.name)} = rng.randint({_code(item.low)}, {_code(item.high)})")

    def _number(self, item: Number, *, is_size: bool = False) -> str:
        low, high = _code(item.low), _code(item.high)
        if is_size and item.name in self.axes:
            least = self._least(item)
            for block, graph in self.format.graphs():
                if block.count == item.name:
                    nodes = _local(graph.nodes)
                    high = f"min({high}, {nodes} * ({nodes} - 1) // 2)"
                    least = f"max({least}, {nodes} - 1)" if graph.kind == "connected" else least
                elif graph.nodes == item.name:
                    least = str(max(2, int(least))) if least.isdecimal() else least
            return f'{self._use("size")}(rng, {least}, {high}, params["{item.name}"])'
        if item.name in self.axes:
            return f'{self._use("number")}(rng, {low}, {high}, params["{item.name}"])'
        return f"{self._use('between')}(rng, {low}, {high})"

    def _least(self, size: Number) -> str:
        """The smallest size that leaves no list or word empty: an empty line would be hard to show."""
        counts = [block.count for block in self.format.blocks if isinstance(block, Rows)]
        for item in self.format.every_item():
            counts += [item.count] if isinstance(item, Numbers) else [item.low] if isinstance(item, Word) else []
        own = [count for count in counts if expressions.names(count) == (size.name,)]
        least = expressions.constant(size.low)
        if least is None:
            return size.low
        while least < 10 and any(expressions.evaluate(count, {size.name: least}) < 1 for count in own):
            least += 1
        return str(least)

    def _block(self, block: Block) -> None:
        if isinstance(block, Line):
            for item in block.items:
                if not isinstance(item, Number):
                    self.lines.append(f"{_local(item.name)} = {self._value(item)}")
            return
        name, count = _local(block.name), _code(block.count)
        item = block.items[0]
        if block.is_grid and isinstance(item, Word):
            columns, symbols = _code(item.low), literal(item.alphabet)
            self.lines.append(f"{name} = {self._use('grid')}(rng, {count}, {columns}, {symbols})")
        elif len(block.items) == 1 and block.distinct and not block.is_crowded:
            self.lines += [f"{name} = []", f"while len({name}) < {count}:"]
            self.lines += [f"    row = {self._value(item)}", f"    {name} += [row] * (row not in {name})"]
        elif len(block.items) == 1:
            self.lines.append(f"{name} = [{self._value(item)} for _ in range({count})]")
            if order := emit_conditions.column_order(self.format, block):
                self.lines.append(f"{name}{order}")
        else:
            self._rows(block, name, count)

    def _rows(self, block: Rows, name: str, count: str) -> None:
        self.lines.append(f"{name} = []")
        ends = block.graph.ends if block.graph else ()
        if block.graph:
            nodes, kind = _local(block.graph.nodes), block.graph.kind
            drawn = (
                "tree(rng, {0})" if kind == "tree" else f"graph(rng, {{0}}, {count}, connected={kind == 'connected'})"
            )
            self._use("tree" if kind == "tree" else "graph")
            self.lines.append(f"for {', '.join(map(_local, ends))} in {drawn.format(nodes)}:")
        elif block.distinct and not block.is_crowded:
            self.lines.append(f"while len({name}) < {count}:")
        else:
            self.lines.append(f"for _ in range({count}):")
        indent = "    "
        if block.conditions:
            # A row is drawn again until it keeps its conditions; ``allowed`` finds the rare one that does not.
            self.lines.append("    for _ in range(100):")
            indent = "        "
        self._row(block, ends, indent)
        if block.conditions:
            kept = " and ".join(conditions.renamed(text, _local) for text in block.conditions)
            self.lines += [f"        if {kept}:", "            break"]
        row = f"[{', '.join(_local(item.name) for item in block.items)}]"
        if block.distinct and not block.is_crowded:
            self.lines += [f"    row = {row}", f"    {name} += [row] * (row not in {name})"]
        else:
            self.lines.append(f"    {name}.append({row})")
        if order := emit_conditions.column_order(self.format, block):
            self.lines.append(f"{name}{order}")

    def _row(self, block: Rows, ends: tuple[str, ...], indent: str) -> None:
        """The items of one row, except those that are drawn with the whole graph."""
        ordered = in_order([item for item in block.items if isinstance(item, Number)]) or []
        done = set(ends)
        for item in (*ordered, *(item for item in block.items if not isinstance(item, Number))):
            if item.name in ends:
                continue
            self.lines.append(f"{indent}{_local(item.name)} = {self._value(item)}")
            for pair in block.unequal:
                other = next((one for one in pair if one != item.name), "")
                if item.name in pair and other in done:
                    self.lines.append(f"{indent}while {_local(item.name)} == {_local(other)}:")
                    self.lines.append(
                        f"{indent}    {_local(item.name)} = rng.randint({_code(item.low)}, {_code(item.high)})"
                    )
            done.add(item.name)

    def _value(self, item: Item) -> str:
        if isinstance(item, Number):
            return self._number(item)
        if isinstance(item, Word):
            length = _code(item.low)
            if item.low != item.high:
                most = f'params["{axis_name(item)}"]' if axis_name(item) in self.axes else _code(item.high)
                length = f"{self._use('size')}(rng, {_at_least_one(item.low)}, {_code(item.high)}, {most})"
            drawn = f"{self._use('word')}(rng, {length}, {literal(item.alphabet)})"
            if f"is_palindrome({item.name})" in self.format.conditions:
                return f"{self._use('mirrored')}({drawn})"
            return drawn
        return self._numbers(item)

    def _scalars(self) -> list[str]:
        return [item.name for item in self.format.lines() if isinstance(item, Number)]

    def _numbers(self, item: Numbers) -> str:
        count, low, high = _code(item.count), _code(item.low), _code(item.high)
        if item.permutation:
            return f"{self._use('permutation')}(rng, {count})"
        if "i" in {*expressions.names(item.low), *expressions.names(item.high)} - set(self._scalars()):
            end = expressions.normal(f"{item.count} + {item.first}")
            return f"[rng.randint({low}, {high}) for i in range({item.first}, {end})]"
        distinct = item.distinct or item.order in ("increasing", "decreasing")
        span = f"{low}, {high}"
        if axis_name(item) in self.axes:
            wide = f'params["{axis_name(item)}"]'
            wide = f"max({wide}, 2 * {_factor(count)})" if distinct else wide
            span = f"*{self._use('window')}({low}, {high}, {wide})"
        drawn = f"{self._use('distinct_numbers' if distinct else 'numbers')}(rng, {count}, {span})"
        if item.order in ("nondecreasing", "increasing"):
            return f"sorted({drawn})"
        return f"sorted({drawn}, reverse=True)" if item.order != "any" else drawn

    def _rendered(self) -> Iterable[str]:
        if self.format.tests:
            yield '"1"'
        for block in self.format.blocks:
            if isinstance(block, Line):
                yield _line(block.items)
            elif block.is_ragged:
                parts = [
                    f"*row[{at}]" if isinstance(item, Numbers) else f"row[{at}]" for at, item in enumerate(block.items)
                ]
                yield f'*(" ".join(map(str, [{", ".join(parts)}])) for row in payload["{block.name}"])'
            elif len(block.items) > 1 or isinstance(block.items[0], Numbers):
                yield f'*(" ".join(map(str, row)) for row in payload["{block.name}"])'
            elif isinstance(block.items[0], Word):
                yield f'*payload["{block.name}"]'
            else:
                yield f'*map(str, payload["{block.name}"])'


def _line(items: tuple[Item, ...]) -> str:
    if len(items) == 1 and isinstance(items[0], Numbers):
        return f'" ".join(map(str, payload["{items[0].name}"]))'
    if not any(isinstance(item, Numbers) for item in items):
        return 'f"' + " ".join(f"{{payload['{item.name}']}}" for item in items) + '"'
    parts = [
        f'*map(str, payload["{item.name}"])' if isinstance(item, Numbers) else f'str(payload["{item.name}"])'
        for item in items
    ]
    return f'" ".join([{", ".join(parts)}])'


_TAKEN = frozenset(HELPERS) | {
    "rng",
    "params",
    "payload",
    "lines",
    "draw",
    "render",
    "random",
    "sorted",
    "range",
    "map",
    "row",
    "attempt",
    "allowed",
    *conditions.FUNCTIONS,
}


def _local(name: str) -> str:
    """A variable name in the generated code: the statement's own, unless it has a meaning there."""
    return f"{name}_" if name in _TAKEN else name


def _code(expression: str) -> str:
    """An expression as code; only single letters and the like occur in it, so no name needs changing."""
    return expression


def _at_least_one(low: str) -> str:
    """A list of no elements would be an empty line, so sizes begin at 1 whatever the statement allows."""
    constant = expressions.constant(low)
    return low if constant is None else str(max(1, constant))


def _factor(count: str) -> str:
    return count if count.isidentifier() or count.isdecimal() else f"({count})"


def _tuple(values: tuple[str, ...] | tuple[int, ...]) -> str:
    return (
        "("
        + ", ".join(literal(value) if isinstance(value, str) else str(value) for value in values)
        + ("," if len(values) == 1 else "")
        + ")"
    )
