"""The list fits any terminal and cuts nothing a person needs; paragraphs are wrapped once."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from review.list_table import ListTable, short_ref
from review.queue import Queue
from review.visible import reflowed
from tests.review.conftest import a_finding, a_submission

LONG = "rather_long_task_identifier_of_fifty_nine_characters_in_all"


def drawn(renderable: object, width: int) -> list[str]:
    console = Console(file=io.StringIO(), width=width, force_terminal=False)
    console.print(renderable)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


@pytest.fixture
def rows(queue: Queue) -> ListTable:
    for task_id, author, findings in (("ivy", "compiler/1", 0), (LONG, "anthropic:a-model-with-a-long-name", 12)):
        queue.submit(a_submission(task_id=task_id, author=author, findings=(a_finding(),) * findings))
    return ListTable([replace(entry, risk=100, claimed_by="x") for entry in queue.items()])


@pytest.mark.parametrize("width", [60, 80, 100, 120, 160])
def test_risk_hash_state_and_report_are_whole_at_every_width(rows: ListTable, width: int) -> None:
    lines = drawn(rows, width)
    assert len(lines) == 3, "one line for each item"
    assert max(map(len, lines)) <= width
    for entry, line in zip(rows.entries, lines[1:], strict=True):
        for words in ("100", entry.content_hash[:12], "queued *", "pass"):
            assert words in line
    assert ("12 findings" in lines[1] + lines[2]) == (width >= 100)
    assert ("compiler/1" in lines[1] + lines[2]) == (width >= 120)
    assert ("Seat rotat" in lines[1]) == (width >= 80)


def test_a_long_reference_loses_the_middle_of_its_id(rows: ListTable) -> None:
    (entry,) = (entry for entry in rows.entries if entry.task_id == LONG)
    assert short_ref(entry, 30) == f"{LONG[:16]}…@{entry.content_hash[:12]}"
    assert short_ref(entry, 200) == entry.ref


WIDE = "Everyone in this long row of seats moves one seat to the left whenever the bell rings, and whoever"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{WIDE}\nsits at the end walks.\n\nNext.", f"{WIDE} sits at the end walks.\n\nNext."),
        ("Short line.\nAnother one.", "Short line.\nAnother one."),
        (f"{WIDE}\n- a list\n- of two", f"{WIDE}\n- a list\n- of two"),
        (f"{WIDE}\n    indented", f"{WIDE}\n    indented"),
        (f"{WIDE}\n1. first\n| a | b |\n# head", f"{WIDE}\n1. first\n| a | b |\n# head"),
        (f"```\n{WIDE}\ncode\n```\n{WIDE}\nwords", f"```\n{WIDE}\ncode\n```\n{WIDE} words"),
        ("", ""),
    ],
)
def test_a_paragraph_broken_for_another_width_is_one_line_again(text: str, expected: str) -> None:
    assert reflowed(text) == expected
