"""How alike two tasks are."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.similarity import (
    MAX_FILE_BYTES,
    code_shape,
    code_similarity,
    likeness,
    statement_similarity,
    text_shape,
)

SOURCE = b'''
"""Counts ways."""
def ways(rows, target):
    """All of them."""
    # a remark
    total = 0
    for row in rows:
        total += len(row) * 3
        if total > target:
            return sorted(row)[0]
    return total
'''
RENAMED = b"""
def count(lines: list, goal: int) -> int:
    s = 1
    for x in lines:
        s += len(x) * 17
        if s > goal:
            return sorted(x)[5]
    return s
"""
OTHER = b"""
class Grid:
    def neighbours(self, place):
        row, column = place
        yield from ((row + 1, column), (row, column + 1), (row - 1, column), (row, column - 1))

    def flood(self):
        seen, pending = set(), [(0, 0)]
        while pending:
            place = pending.pop()
            if place not in seen:
                seen.add(place)
                pending.extend(self.neighbours(place))
        return seen
"""


def test_names_constants_and_remarks_make_no_difference() -> None:
    assert code_similarity({"a.py": SOURCE}, {"b.py": RENAMED}) == 1.0


def test_other_code_is_far_away() -> None:
    assert code_similarity({"a.py": SOURCE}, {"a.py": OTHER}) < 0.1


def test_a_changed_line_costs_a_part() -> None:
    assert 0.4 < code_similarity({"a.py": SOURCE}, {"a.py": SOURCE.replace(b"total > target", b"not total")}) < 1.0


def test_likeness_does_not_depend_on_the_order() -> None:
    first, second = code_shape({"a.py": SOURCE}), code_shape({"a.py": SOURCE + OTHER})
    assert likeness(first, second) == likeness(second, first) > 0.2
    assert code_shape({"a.py": SOURCE, "b.py": OTHER}) == code_shape({"b.py": OTHER, "a.py": SOURCE})


def test_stamped_code_can_be_taken_off() -> None:
    stamped = code_shape({"a.py": OTHER})
    first, second = code_shape({"a.py": OTHER, "b.py": SOURCE}), code_shape({"a.py": OTHER, "b.py": b"x = [1]\n"})
    assert likeness(first, second) > 0.5
    assert likeness(first.without(stamped), second.without(stamped)) < 0.1


@pytest.mark.parametrize(
    "source", [b"", b"def (", b"\x00", b"\xff\xfe\xfa", b"(" * 5_000, b"x = " + b"-" * 3_000 + b"1"]
)
def test_whatever_is_no_python_is_compared_all_the_same(source: bytes) -> None:
    assert 0.0 <= code_similarity({"a.py": source}, {"a.py": SOURCE}) < 0.3


def test_nothing_and_nothing_have_nothing_in_common() -> None:
    assert code_similarity({}, {"card.toml": b"id = 1"}) == 0.0
    assert statement_similarity("", "the a of") == 0.0


def test_statements_that_differ_in_numbers_are_the_same_statement() -> None:
    text = "Count the paths of at most 17 steps through the maze."
    assert statement_similarity(text, text.replace("17", "90").upper()) == 1.0


def test_statements_about_other_things_are_far_apart() -> None:
    one = "You are given a maze. Print the length of the shortest path from the first cell to the last cell."
    two = "You are given a list of weights. Print the number of subsets whose sum equals the target."
    assert statement_similarity(one, two) < 0.2
    assert statement_similarity(one, one.replace("maze", "labyrinth")) > 0.6


def test_large_input_costs_little() -> None:
    started = time.process_time()
    big = b"x = [1]\n" * (MAX_FILE_BYTES // 8 + 10)
    assert code_similarity({"a.py": big}, {"a.py": big}) == 1.0
    assert text_shape("word " * 1_000_000) == text_shape("word " * 500_000)
    assert time.process_time() - started < 60


def test_different_tasks_of_the_library_are_not_taken_for_copies() -> None:
    root = Path(__file__).parents[1] / "sound_tasks"
    folders = [TaskFolder.read(path.parent) for path in sorted(root.glob("*/card.toml"))]
    shapes = [code_shape(folder.sources) for folder in folders]
    pairs = [(a, b) for index, a in enumerate(shapes) for b in shapes[:index]]
    assert max(likeness(a, b) for a, b in pairs) < 0.8
