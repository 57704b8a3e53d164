"""Parquet files of rows read as the same rows do in JSON Lines; without pyarrow the error names the extra."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from authoring.sources import codecontests, jsonl, read_briefs
from authoring.sources.parquet import ROWS
from tests.authoring.sources.test_rows import CONTEST, QUESTION, rows

pyarrow = pytest.importorskip("pyarrow")


def table(path: Path, *items: dict[str, Any]) -> Path:
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(items)), path)
    return path


def test_rows_are_those_of_json_lines_whatever_else_the_table_holds(tmp_path: Path) -> None:
    items = [{**CONTEST, "name": f"{number}_A. Adding"} for number in range(ROWS + 3)]
    plain = read_briefs(rows(tmp_path / "rows.jsonl", *items)).briefs
    found = read_briefs(table(tmp_path / "rows.parquet", *({**item, "embedding": [0.5] * 99} for item in items)))
    assert found.problems == []
    assert found.briefs == plain
    assert found.briefs[0].wrong[0].code == "print(0)"
    assert CONTEST.keys() <= codecontests.KEYS


def test_other_rows_and_folders_of_tables_are_read_too(tmp_path: Path) -> None:
    table(tmp_path / "asked.parquet", QUESTION)
    (brief,) = read_briefs(tmp_path).briefs
    assert brief.tests or brief.samples


def test_a_bad_row_or_file_is_named_and_costs_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl, "MAX_ROW_BYTES", 10_000)
    long = {**CONTEST, "name": "long", "description": "x" * 20_000}
    table(tmp_path / "a.parquet", CONTEST, {**CONTEST, "name": ""}, long)
    (tmp_path / "b.parquet").write_bytes(b"PAR1 no table PAR1")
    found = read_briefs(tmp_path)
    assert len(found.briefs) == 1
    said = [(Path(problem.path).name, problem.error.found) for problem in found.problems]
    assert [name for name, _ in said] == ["a.parquet:2", "a.parquet:3", "b.parquet"]
    assert said[0][1] == "missing"
    assert "more than" in said[1][1]
    assert "cannot be read as Parquet" in said[2][1]


def test_without_pyarrow_the_error_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = table(tmp_path / "rows.parquet", CONTEST)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (problem,) = read_briefs(path).problems
    assert "bootcamp-foundry[export]" in problem.error.do
