"""Runs *inside* the sandbox: ways to write an instance down as the input that reference code may read.

Nothing is known of the order and the lines but what payload, statement and prompt show, so many ways are tried; the
host believes one only when what the program then prints is what the task's own scorer accepts.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Any

ANSWERS = re.compile(
    r"answer|solution|expect|correct|result|output|truth|valid|possible|optimal|^ans|^res$|^sol$|^out$|_ans$|steps$|"
    r"^plan$|^gold|target_str|exist|feasible|solvable|^has_|^is_|winner|verdict|^min_|^max_|^best",
    re.IGNORECASE,
)
MOST, MOST_WHOLE, MOST_WORDS, LACKING = 200, 400, 4_000, 0.2
TOLD = "told: "
_TABLES, _LISTS = ("rows", "glued", "counted"), ("row", "column", "zipped")
_GROUPS, _HEADS = ("one", "each", "first", "last"), ("none", "table", "line", "joined", "inline", "front")
_WORD = re.compile(r"-?[A-Za-z0-9_]+(?:\.\d+)?")
_PIECE = re.compile(r"-?[A-Za-z0-9_]+(?:\.\d+)?|[^\w\s]{3,}")
_PLAIN = re.compile(r"-?\d+(?:\s+-?\d+)*|[01.#*]{2,}")

Block = tuple[str, Any]


def layouts(
    payload: Any, statement: str, prompts: Sequence[str], untold: frozenset[str] = frozenset()
) -> Iterator[tuple[str, str]]:
    """(label, input) of one instance; ``prompts`` holds its own prompt first, then those of others.

    Fields whose change no prompt shows (``untold``) are left out of some.
    """
    seen: set[str] = set()
    whole = from_payload(payload, statement)
    part = ((f"{TOLD}{label}", text) for label, text in from_payload(_without(payload, untold), statement))
    several = itertools.chain(
        itertools.islice(whole, MOST_WHOLE if untold else None), part if untold else (), from_prompt(prompts)
    )
    for label, text in several:
        if text.strip() and text not in seen:
            seen.add(text)
            yield label, text
            if len(seen) >= MOST:
                return


def by_label(
    label: str, payload: Any, statement: str, prompts: Sequence[str], untold: frozenset[str] = frozenset()
) -> str:
    """The input with that label; "" where this instance has none."""
    if label.startswith("prompt "):
        return dict(from_prompt(prompts)).get(label, "")
    if label.startswith(TOLD):
        payload, label = _without(payload, untold), label.removeprefix(TOLD)
    return next((text for name, text in from_payload(payload, statement, label) if name == label), "")


def _without(payload: Any, untold: frozenset[str]) -> Any:
    return {key: value for key, value in payload.items() if key not in untold} if isinstance(payload, dict) else payload


def from_prompt(prompts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The lines between the beginning and the end that all prompts share."""
    if len(prompts) < 2:
        return
    whole = [[line.strip() for line in text.splitlines() if line.strip()] for text in prompts]
    own = whole[0]
    start = min(_shared(own, other) for other in whole[1:])
    end = min(_shared(own[::-1], other[::-1]) for other in whole[1:])
    block = own[start : len(own) - end]
    while start and _PLAIN.fullmatch(own[start - 1]):  # numbers that all cases happen to share
        start -= 1
        block.insert(0, own[start])
    if not block:
        return
    values = [_after_colon(line) for line in block]
    yield "prompt block", "\n".join(block) + "\n"
    yield "prompt values", "\n".join(values) + "\n"
    yield "prompt one", "1\n" + "\n".join(block) + "\n"
    yield "prompt numbers", "\n".join(" ".join(re.findall(r"-?\d+", line)) for line in block) + "\n"


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = zip(one, other, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def consistent(text: str, examples: Sequence[str]) -> bool:
    """Whether an input is built like the statement's examples: its first lines' tokens, and how many lines it has."""
    if not examples:
        return False
    known = [_explained(example) for example in examples]
    there = [[told for told in parts if "= -1" not in told] for parts in zip(*known, strict=True)]
    common = [set.intersection(*told) if told else set() for told in there]
    mine = _explained(text)
    return all(not told or "= -1" in own or told & own for told, own in zip(common, mine, strict=True))


def in_order(text: str, prompts: Sequence[str]) -> float:
    """The share of an input's words that a prompt has in the same order, counts of lines and rows left out.

    ``prompts`` holds its own prompt first. Halved, where the input lacks much of what this prompt alone says.
    """
    told = _WORD.findall(prompts[0])[:MOST_WORDS]
    lines = [line.split() for line in text.strip().splitlines()]
    counts = {str(len(lines)), str(len(lines) - 1), *(str(len(line)) for line in lines)}
    asked = [word for line in lines for word in line if word not in counts][:MOST]
    place = found = 0
    for word in asked:
        if not _WORD.fullmatch(word):
            found += word in prompts[0]
            continue
        here = next((at for at in range(place, len(told)) if told[at] == word), None)
        if here is not None:
            found, place = found + 1, here + 1
    pieces = [set(_PIECE.findall(prompt)[:MOST_WORDS]) for prompt in prompts]
    own = pieces[0] - set.intersection(*pieces) if len(pieces) > 1 else set()
    lacks = sum(piece not in text for piece in own) > LACKING * len(own)
    return (found / len(asked) if asked else 1.0) * (0.5 if lacks else 1.0)


def _explained(text: str) -> list[set[str]]:
    """For the number of lines and the first lines' numbers of tokens: what each may be equal to."""
    lines = [line.split() for line in text.strip().splitlines()]
    heads = [(row, place, token) for row, line in enumerate(lines[:3]) for place, token in enumerate(line[:4])]
    sizes = [len(lines), *(len(lines[place]) if place < len(lines) else -1 for place in (0, 1, 2, len(lines) - 1))]
    body = {len(line) for line in lines[1:]}
    sizes.append(body.pop() if len(body) == 1 else -1)
    kinds = [{f"a {_kind(line)}"} for line in lines[:3]] + [{"= -1"}] * max(0, 3 - len(lines))
    return [
        {f"= {size}"}
        | {
            f"token {row} {place} {change:+d}"
            for row, place, token in heads
            for change in (-1, 0, 1, 2, 3, 4)
            if token.lstrip("-").isdecimal() and len(token) < 9 and int(token) + change == size
        }
        for size in sizes
    ] + kinds


def _kind(words: list[str]) -> str:
    """What a line is made of."""
    text = "".join(words)
    if not text.isascii():
        return "foreign text"
    if all(word.lstrip("-").replace(".", "", 1).isdecimal() for word in words):
        return "number"
    return "word" if re.search(r"[A-Za-z]", text) else "sign"


def _after_colon(line: str) -> str:
    return re.split(r"[:：=]", line)[-1].strip(" `*\"'[]()").replace(",", " ")


def from_payload(payload: Any, statement: str, only: str = "") -> Iterator[tuple[str, str]]:
    """The fields one after the other, in several orders, groupings and styles."""
    if isinstance(payload, dict) and len(payload) == 1 and isinstance(next(iter(payload.values())), dict):
        payload = next(iter(payload.values()))
    if not isinstance(payload, dict):
        payload = {"input": payload}
    fields = [(str(name), value) for name, value in payload.items() if not ANSWERS.search(str(name))]
    several = re.search(r"test ?cases?|data ?sets?|number of tests", statement)
    tests = ("1", "") if several else ("", "1")
    for order, group, head, items, table, test in itertools.product(
        _orders(fields, statement), _GROUPS, _HEADS, _LISTS, _TABLES, tests
    ):
        label = f"{order[0]} {group} {head} {items} {table} {test}"
        if only and label != only:
            continue
        style = (group, head, items, table)
        lines = _written([_block(value) for _, value in order[1]], style)
        if test and not any(kind == "cases" for kind, _ in map(_block, (value for _, value in order[1]))):
            lines.insert(0, test)
        yield label, "\n".join(lines) + "\n"


def _orders(fields: list[tuple[str, Any]], statement: str) -> list[tuple[str, list[tuple[str, Any]]]]:
    where = re.search(r"\bInput\b(.*?)\bOutput\b", statement, re.DOTALL)
    told = where.group(1) if where else statement

    def place(name: str) -> int:
        found = re.search(rf"(?<![A-Za-z]){re.escape(name)}(?![A-Za-z])", told)
        return found.start() if found else -1

    scalars = [pair for pair in fields if not isinstance(pair[1], list | dict)]
    others = [pair for pair in fields if isinstance(pair[1], list | dict)]
    named = sorted((pair for pair in scalars if place(pair[0]) >= 0), key=lambda pair: place(pair[0]))
    listed = sorted(others, key=lambda pair: (place(pair[0]) < 0, place(pair[0])))
    mixed = sorted(
        (pair for pair in fields if place(pair[0]) >= 0), key=lambda pair: place(pair[0])
    )  # fmt: skip
    return [("keys", fields), ("scalars", scalars + others), ("named", named + listed), ("mixed", mixed),
            ("lists", others)]  # fmt: skip


def _block(value: Any) -> Block:
    if isinstance(value, bool):
        return "scalar", str(int(value))
    if value is None:
        return "nothing", ""
    if isinstance(value, int | float):
        return "scalar", str(value)
    if isinstance(value, str):
        return ("word", value) if "\n" in value or not re.fullmatch(r"-?\d+(\.\d+)?", value) else ("scalar", value)
    if isinstance(value, dict):
        if value and all(isinstance(item, int | float | str) for item in value.values()):
            return "list", [str(item) for item in value.values()]
        return "fields", [_block(item) for name, item in value.items() if not ANSWERS.search(str(name))]
    if all(not isinstance(item, list | dict) for item in value):
        return ("words" if any(isinstance(item, str) for item in value) else "list"), [_block(i)[1] for i in value]
    if all(isinstance(item, dict) for item in value) and any(
        isinstance(inner, list | dict) for item in value for inner in item.values()
    ):
        return "cases", [[_block(inner) for name, inner in item.items() if not ANSWERS.search(str(name))]
                         for item in value]  # fmt: skip
    return "table", [_row(item) for item in value]


def _row(item: Any) -> list[str]:
    if isinstance(item, dict):
        return [str(value) for name, value in item.items() if not ANSWERS.search(str(name))]
    found: list[str] = []
    for inner in item if isinstance(item, list) else [item]:
        found += _row(inner) if isinstance(inner, list) else [_block(inner)[1] if not isinstance(inner, dict) else ""]
    return found


def _written(blocks: list[Block], style: tuple[str, str, str, str]) -> list[str]:
    group, head, items, table = style
    lines: list[str] = []
    waiting: list[str] = []

    if items == "zipped":
        blocks = _zipped(blocks)

    if head == "front":
        listed = [value for kind, value in blocks if kind in ("list", "words", "table")]
        scalars = [block for block in blocks if block[0] == "scalar"]
        counts: list[Block] = [("scalar", str(len(value))) for value in listed[-1:]]
        blocks = [*scalars, *counts, *(block for block in blocks if block[0] != "scalar")]

    def flush() -> None:
        if waiting:
            lines.extend(_grouped(waiting, group))
            waiting.clear()

    for kind, value in blocks:
        if kind == "scalar":
            waiting.append(value)
        elif kind == "word":
            flush()
            lines.append(value)
        elif kind == "cases":
            flush()
            lines.append(str(len(value)))
            for inner in value:
                lines += _written(inner, style)
        elif kind == "fields":
            flush()
            lines += _written(value, style)
        elif kind != "nothing":
            if head == "joined":
                waiting.append(str(len(value)))
            flush()
            if head == "line" or (head == "table" and kind == "table"):
                lines.append(str(len(value)))
            lines += _listed(kind, value, head, items, table)
    flush()
    return lines


def _zipped(blocks: list[Block]) -> list[Block]:
    """Neighbouring lists of one length as the columns of a table."""
    found: list[tuple[str, Any]] = []
    for kind, value in blocks:
        before: tuple[str, Any] = found[-1] if found else ("", None)
        if kind == "list" and before[0] == "columns" and len(before[1][0]) == len(value):
            found[-1] = ("columns", [*before[1], value])
        elif kind == "list":
            found.append(("columns", [value]))
        else:
            found.append((kind, value))
    return [
        ("table", [list(row) for row in zip(*value, strict=True)]) if kind == "columns" else (kind, value)
        for kind, value in found
    ]


def _listed(kind: str, value: Any, head: str, items: str, table: str) -> list[str]:
    if kind == "table":
        if table == "counted":
            return [" ".join([str(len(row)), *row]) for row in value]
        return [("" if table == "glued" else " ").join(row) for row in value]
    if items == "column" or (kind == "words" and items == "row" and table == "glued"):
        return [str(item) for item in value]
    counted = [str(len(value))] if head == "inline" else []
    return [" ".join([*counted, *map(str, value)])]


def _grouped(tokens: list[str], group: str) -> list[str]:
    if group == "each" or len(tokens) == 1:
        return list(tokens)
    if group == "first":
        return [tokens[0], " ".join(tokens[1:])]
    if group == "last":
        return [" ".join(tokens[:-1]), tokens[-1]]
    return [" ".join(tokens)]
