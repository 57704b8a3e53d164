"""Tables on a terminal that is narrower than they are."""

from __future__ import annotations

import sys

import pytest
from rich.text import Text

from bootcamp_cli.output import table

COLUMNS = ("brief", "family", "licence", "read as", "characters", "compiler")
ROW = ("exact_load", "arithmetic", "CC-BY-4.0", "codecontests", "1234", "would refuse: the statement shows a picture")


def drawn(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], width: int) -> list[str]:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(width))
    table("what was read", COLUMNS, [ROW, (*ROW[:2], "", *ROW[3:])])
    return [line.rstrip() for line in Text.from_ansi(capsys.readouterr().out).plain.splitlines()]


def test_a_wide_terminal_shows_a_row_as_a_row(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = drawn(monkeypatch, capsys, 140)
    assert sum("│" in line and "exact_load" in line and "codecontests" in line for line in lines) == 2


def test_a_narrower_one_shows_it_without_a_frame(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = drawn(monkeypatch, capsys, 72)
    assert sum("exact_load arithmetic" in line and "codecontests" in line for line in lines) == 2
    assert "│" not in "".join(lines)
    assert max(map(len, lines)) <= 72


def test_a_narrow_one_shows_a_block_for_each_row_and_cuts_no_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = drawn(monkeypatch, capsys, 60)
    assert lines[0] == "what was read"
    assert lines.count("family      arithmetic") == 2
    assert lines.count("licence     CC-BY-4.0") == 1, "an empty cell takes no line"
    assert max(map(len, lines)) <= 60
    assert {word for cell in (*COLUMNS, *ROW) for word in cell.split()} <= set(" ".join(lines).split())
