"""Rows: one for each task, appended, read back after a crash."""

from __future__ import annotations

from pathlib import Path

from sandbox.audit.rows import RowFile, row


def test_rows_are_read_back_the_latest_of_each_task_counts(tmp_path: Path) -> None:
    rows = RowFile(tmp_path / "a" / "audit.jsonl")
    assert rows.read() == []
    rows.add(row("one", "k1", "inconclusive", reason="engine"))
    rows.add(row("two", "k2", "fail", findings=[{"code": "x"}]))
    rows.add(row("one", "k1", "pass"))
    assert [(item["task"], item["verdict"]) for item in rows.read()] == [("one", "pass"), ("two", "fail")]
    assert set(rows.done()) == {"k1", "k2"}


def test_what_could_not_be_measured_is_not_done(tmp_path: Path) -> None:
    rows = RowFile(tmp_path / "audit.jsonl")
    rows.add(row("one", "k1", "not-run", reason="no module named x"))
    assert rows.done() == {}


def test_a_torn_or_foreign_line_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    path.write_bytes(b'{"schema": 99, "task": "old"}\n[]\n{"schema": 1, "task": "to')
    rows = RowFile(path)
    rows.add(row("one", "k1", "pass"))
    assert [item["task"] for item in rows.read()] == ["one"]
