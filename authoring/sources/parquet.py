"""Parquet files of rows, as data sets are handed out: the same rows as in JSON Lines, read a few at a time.

Needs pyarrow (the extra ``export``). Of a CodeContests table only the columns that are read are loaded.

What is not covered: a file is parsed by pyarrow on the host, with pyarrow's care for broken input; a single row is
loaded whole before its size is looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from authoring.sources import codecontests, jsonl
from authoring.sources.files import check_regular
from bootcamp_kit.brief import Brief
from bootcamp_kit.errors import UsageError

ROWS = 8
"""Read at a time."""
MAX_DEPTH = 20

Read = tuple[str, Brief | UsageError]


def read(path: Path, *, root: Path) -> Iterator[Read]:
    """Yield (``FILE:ROW``, brief or what is wrong with it) for every row; rows count from 1."""
    try:
        check_regular(path, root=root)
        rows = _rows(path)
        told = jsonl.asked_for(path, root)
        for number, row in enumerate(rows, 1):
            where = f"{path}:{number}"
            try:
                _check_size(row, where)
                yield where, jsonl.brief_of_row(row, where, told)
            except UsageError as error:
                yield where, error
    except UsageError as error:
        yield str(path), error


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    asked = f"brief file {path}"
    try:
        import pyarrow  # type: ignore[import-untyped]
        import pyarrow.parquet  # type: ignore[import-untyped]
    except ImportError as error:
        do = "pip install 'bootcamp-foundry[export]', or write the rows as JSON Lines"
        raise UsageError(asked, "Parquet needs pyarrow, which is not installed", do) from error
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            names = file.schema_arrow.names
            wanted = [name for name in names if name in codecontests.KEYS] if "description" in names else None
            for batch in file.iter_batches(batch_size=ROWS, columns=wanted):
                yield from batch.to_pylist()
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        said = " ".join(str(error).split())[:200]
        raise UsageError(asked, f"cannot be read as Parquet: {said}", "check the file, or write JSON Lines") from error


def _check_size(row: Mapping[str, Any], where: str) -> None:
    if _size(row, 0) > jsonl.MAX_ROW_BYTES:
        raise UsageError(f"brief {where}", f"a row of more than {jsonl.MAX_ROW_BYTES:,} characters", "shorten it")


def _size(value: Any, depth: int) -> int:
    if depth > MAX_DEPTH:
        return jsonl.MAX_ROW_BYTES + 1
    if isinstance(value, str | bytes):
        return len(value)
    if isinstance(value, Mapping):
        return sum(_size(inner, depth + 1) for inner in value.values())
    if isinstance(value, list):
        return sum(_size(inner, depth + 1) for inner in value)
    return 8
