"""Code that keeps conditions: whole inputs are drawn again until they hold, rows one by one."""

from __future__ import annotations

import inspect

from authoring.compiler import condition_functions, conditions
from authoring.compiler.input_format import InputFormat, Line, Rows

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


def column_order(format_: InputFormat, block: Rows) -> str:
    """The place of the column by which rows have to stand in order, as code that sorts them; "" where there is none."""
    for at, item in enumerate(block.items):
        if f"rises({item.name})" in format_.conditions or f"never_falls({item.name})" in format_.conditions:
            return f".sort(key=lambda row: row[{at}])" if len(block.items) > 1 else ".sort()"
    return ""
