"""Rows into shards: each shard appears whole under its name, or not at all; its keys lie in a folder of their own."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import Json

KEYS = "keys"
"""Folder of the marks, 32 bytes a row; not beside the shards, where a reader's ``part-*`` would find them."""
KEY_BYTES = 32
json_text = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode
"""Canonical JSON text; one encoder for all rows, as making one costs as much as using it."""
BATCH = 4_096


@dataclass(frozen=True, slots=True)
class Shard:
    """A finished shard; ``keys_sha256`` is of its file in ``keys/``."""

    name: str
    rows: int
    sha256: str
    keys_sha256: str


class RowFile(Protocol):
    """A file that rows are put into."""

    def put(self, row: Mapping[str, Json]) -> None:
        """Add a row."""

    def close(self) -> None:
        """Everything is in the file."""


class JsonLines:
    """One JSON object a line; keys sorted, UTF-8."""

    suffix = ".jsonl"

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")

    def put(self, row: Mapping[str, Json]) -> None:
        """Add a row."""
        self._file.write(json_line(row))

    def close(self) -> None:
        """Flush to the disk."""
        with self._file:  # closed also where the disk is full
            self._file.flush()
            os.fsync(self._file.fileno())


class Parquet:
    """Columns as in the first row; zstd. The same rows give the same bytes under one version of pyarrow."""

    suffix = ".parquet"

    def __init__(self, path: Path) -> None:
        try:
            import pyarrow.parquet  # type: ignore[import-untyped]
        except ImportError as error:
            do = 'install "bootcamp-foundry[export]"'
            raise UsageError("writing Parquet", "pyarrow is not installed", do) from error
        self._arrow, self._path = pyarrow, path
        self._rows: list[Mapping[str, Json]] = []
        self._writer: Any = None

    def put(self, row: Mapping[str, Json]) -> None:
        """Add a row."""
        self._rows.append(row)
        if len(self._rows) >= BATCH:
            self._flush()

    def close(self) -> None:
        """Write the last rows and the footer."""
        self._flush()
        if self._writer:
            self._writer.close()
            with self._path.open("rb") as file:
                os.fsync(file.fileno())

    def _flush(self) -> None:
        if not self._rows:
            return
        schema = self._writer.schema if self._writer else None
        table = self._arrow.Table.from_pylist(self._rows, schema=schema)
        if self._writer is None:
            self._writer = self._arrow.parquet.ParquetWriter(self._path, table.schema, compression="zstd")
        self._writer.write_table(table)
        self._rows = []


def json_line(row: Mapping[str, Json]) -> bytes:
    """One line of canonical JSON."""
    return json_text(row).encode() + b"\n"


def write_shards(
    folder: Path, rows: Iterable[tuple[bytes, Mapping[str, Json]]], opener: type[JsonLines] | type[Parquet], size: int
) -> Iterator[Shard]:
    """Write (mark, row) pairs; each shard is handed over when it is whole.

    Raises:
        OSError: the disk is full, say: finished shards stay, the unfinished one is removed.
    """
    source = iter(rows)
    (folder / KEYS).mkdir(exist_ok=True)
    number = 0
    while True:
        name = f"part-{number:05d}{opener.suffix}"
        building, keys_path = folder / f".{name}.writing", folder / KEYS / f".{number:05d}.writing"
        written = 0
        try:
            with keys_path.open("wb") as keys:
                file = opener(building)
                try:
                    for mark, row in source:
                        file.put(row)
                        keys.write(mark)
                        written += 1
                        if written >= size:
                            break
                finally:
                    file.close()
            if written:
                kept = keys_of(folder, number)
                keys_path.replace(kept)
                building.replace(folder / name)
                yield Shard(name, written, file_hash(folder / name), file_hash(kept))
        finally:
            for path in (building, keys_path):
                with contextlib.suppress(OSError):
                    path.unlink(missing_ok=True)
        if written < size:
            return
        number += 1


def keys_of(folder: Path, number: int) -> Path:
    """The file of a shard's marks."""
    return folder / KEYS / f"{number:05d}.bin"


def file_hash(path: Path) -> str:
    """Hex SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
