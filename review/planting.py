"""Plants one fault in what judges a task's answers: a small change that a careless author could have written.

Half of the changes tried are those that published verifiers were found with (``careless.py``), half those of the
mutation test (``sandbox/audit/operators.py``): a check or a bound that is missing, ``any`` for ``all``, lengths
compared instead of values, more stripped than allowed. Whether a change is a fault, the gate tells.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from random import Random

from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.python_source import parse_python
from review.careless import careless_edits
from sandbox.audit.mutation import all_edits
from sandbox.audit.operators import Edit

GLARING = ("negate a condition", "accept everything", "first answer for last")
"""Kinds that nobody writes by mistake, or whose text anybody sees."""
MAX_LINE = 120


@dataclass(frozen=True, slots=True)
class Planted:
    """A task with a fault, and the fault in words."""

    folder: TaskFolder
    fault: str


def planted(folder: TaskFolder, rng: Random) -> Iterator[Planted]:
    """Versions of a task with one change each: of both sources in turn, each kind of change in turn, by chance."""
    for pair in zip_longest(_in_turn(folder, careless_edits(folder), rng), _in_turn(folder, all_edits(folder), rng)):
        for edit in filter(None, pair):
            changed = _plain(folder.files[edit.file], edit)
            fault = f"{edit.operator}, {edit.file} line {edit.line}"
            yield Planted(TaskFolder({**folder.files, edit.file: changed}), fault)


def _in_turn(folder: TaskFolder, edits: Iterable[Edit], rng: Random) -> Iterator[Edit]:
    kinds: dict[str, list[Edit]] = {}
    for edit in edits:
        if edit.operator not in GLARING and _in_one_line(folder.files[edit.file], edit):
            kinds.setdefault(edit.operator, []).append(edit)
    order = sorted(kinds)
    rng.shuffle(order)
    for found in kinds.values():
        rng.shuffle(found)
    while order:
        for kind in tuple(order):
            if kinds[kind]:
                yield kinds[kind].pop()
            else:
                order.remove(kind)


def _in_one_line(source: bytes, edit: Edit) -> bool:
    """Whether the change stays in one line of usual length: what was written anew over several lines would show."""
    made = edit.apply(source)
    start, end = made.rfind(b"\n", 0, edit.start) + 1, made.find(b"\n", edit.start)
    return b"\n" not in source[edit.start : edit.end] and "\n" not in edit.text and end - start <= MAX_LINE


def _plain(source: bytes, edit: Edit) -> bytes:
    """The changed file, without brackets that only the change put there."""
    made = edit.apply(source)
    if not (edit.text.startswith("(") and edit.text.endswith(")")):
        return made
    start, end = edit.start, edit.start + len(edit.text.encode())
    bare = made[:start] + edit.text[1:-1].encode() + made[end:]
    try:
        same = ast.dump(parse_python(bare)) == ast.dump(parse_python(made))
    except (SyntaxError, ValueError):
        return made
    return bare if same else made
