"""Code that keeps conditions: whole inputs are drawn again until they hold, rows one by one."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable

from authoring.compiler import condition_functions, conditions, expressions
from authoring.compiler.input_format import InputFormat, Line, Rows, Word

_CODE = '''

TRIES = 3_000


def draw(rng: random.Random, params: Params) -> Payload:
    """One input that keeps what the statement promises: drawn again until it does."""
    for _ in range(TRIES):
        payload = attempt(rng, params)
        if allowed(payload):
            return payload
    raise RuntimeError("no input among many keeps what the statement promises")


def allowed(payload: Payload) -> bool:
    """Whether an input within all bounds keeps what the statement promises."""
{values}    return (
        {tests}
    )
'''


def guard(format_: InputFormat) -> str:
    """``draw`` and ``allowed``, with the functions they need; "" where nothing is asked of whole inputs."""
    if not format_.is_conditional():
        return ""
    tests = [*format_.conditions, *(_each_row(block) for block in format_.rows() if block.conditions)]
    crowded = [f'payload["{block.name}"]' for block in format_.rows() if block.is_crowded]
    tests += [f"len(set(map(str, {rows}))) == len({rows})" for rows in crowded]
    texts = [*format_.conditions, *(text for block in format_.rows() for text in block.conditions)]
    wanted = {name for text in texts for name in conditions.names(text)}
    called = dict.fromkeys(name for text in texts for name in conditions.called(text))
    values = [f"    {name} = {source}" for name, source in _sources(format_).items() if name in wanted]
    lines = "".join(f"{line}\n" for line in values)
    code = _CODE.format(values=lines, tests="\n        and ".join(tests))
    return code + "".join("\n\n" + inspect.getsource(getattr(condition_functions, name)) for name in called)


def _each_row(block: Rows) -> str:
    names = ", ".join(item.name for item in block.items)
    tests = " and ".join(block.conditions)
    return f'all({tests} for {names} in payload["{block.name}"])'


def _sources(format_: InputFormat) -> dict[str, str]:
    """Where the value of each name stands in a payload."""
    found: dict[str, str] = {}
    for block in format_.blocks:
        for at, item in enumerate(block.items):
            if isinstance(block, Line):
                found[item.name] = f'payload["{item.name}"]'
            else:
                rows = f'payload["{block.name}"]'
                found[item.name] = f"[row[{at}] for row in {rows}]" if len(block.items) > 1 else rows
    return found


_SUM = re.compile(r"sum\((\w+)\) == (.+)")
_HOLDS_ALL = re.compile(r"holds_all\((\w+), (.+)\)")
_ONE_EACH = re.compile(r"one_each\((.+), (\w+), (\w+)\)")


def met(format_: InputFormat, use: Callable[[str], str], local: Callable[[str], str]) -> list[str]:
    """Lines that change what was drawn so that conditions hold which chance would hardly ever meet.

    ``allowed`` looks at all conditions afterwards; what cannot be met is left as it is, for it to find.
    """
    scalars = {item.name for item in format_.lines() if item.kind == "number"}
    lines = list[str]()
    for text in format_.conditions:
        for pattern, helper in ((_SUM, "with_sum"), (_HOLDS_ALL, "holding_all")):
            found = pattern.fullmatch(text)
            if found and _told(found[2], scalars) and (span := _span(format_, found[1], scalars)):
                call = f"{helper}(rng, {{0}}, {span}, {found[2]})"
                if changed := _changed(format_, found[1], call, local):
                    lines += changed
                    use(helper)
        if (found := _ONE_EACH.fullmatch(text)) and _told(found[1], scalars):
            pair = {found[2], found[3]}
            block = next((one for one in format_.rows() if pair == {item.name for item in one.items}), None)
            if block is not None and len(block.items) == 2:
                lines.append(f"{local(block.name)} = {use('shared_out')}(rng, {found[1]})")
    return lines


def _told(expression: str, scalars: set[str]) -> bool:
    try:
        return set(expressions.names(expression)) <= scalars
    except expressions.NotAnExpression:
        return False


def _span(format_: InputFormat, name: str, scalars: set[str]) -> str:
    item = next((item for item in format_.every_item() if item.name == name), None)
    if item is None or isinstance(item, Word) or not (_told(item.low, scalars) and _told(item.high, scalars)):
        return ""
    return f"{item.low}, {item.high}"


def _changed(format_: InputFormat, name: str, call: str, local: Callable[[str], str]) -> list[str]:
    """A list on a line, or a column of rows, replaced by what the call makes of it."""
    for block in format_.blocks:
        for at, item in enumerate(block.items):
            if item.name != name:
                continue
            if isinstance(block, Line):
                ordered = getattr(item, "order", "any") != "any" or getattr(item, "distinct", False)
                return [] if item.kind != "numbers" or ordered else [f"{local(name)} = {call.format(local(name))}"]
            rows = local(block.name)
            if item.kind != "number" or block.graph or block.distinct:
                return []
            if len(block.items) == 1:
                return [f"{rows} = {call.format(rows)}"]
            column = call.format(f"[row[{at}] for row in {rows}]")
            return [f"for row, value in zip({rows}, {column}):", f"    row[{at}] = value"]
    return []


def column_order(format_: InputFormat, block: Rows) -> str:
    """The place of the column by which rows have to stand in order, as code that sorts them; "" where there is none."""
    for at, item in enumerate(block.items):
        if f"rises({item.name})" in format_.conditions or f"never_falls({item.name})" in format_.conditions:
            return f".sort(key=lambda row: row[{at}])" if len(block.items) > 1 else ".sort()"
    return ""
