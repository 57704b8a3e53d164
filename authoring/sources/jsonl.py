"""JSON Lines: one brief a line, in our own form or in a foreign one; and ``.json`` files that hold a list of such rows.

Our own keys: ``id family title licence text`` and optionally ``tags``, ``source {kind name url attribution}``,
``samples [{input output}]``, ``solution {language code}``, ``wrong [{language code}]``, ``tests [{input output}]``.
``text`` is the statement alone. Rows of the CodeContests form and question/answer rows are known by their keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from authoring.sources import codecontests, fields, question_answer
from authoring.sources.defaults import Defaults, defaults_for
from authoring.sources.files import MAX_FILE_BYTES, check_regular, decode
from bootcamp_kit.brief import Brief, Sample, Solution
from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import strict_loads

MAX_ROW_BYTES = 16 << 20
"""Rows of data sets carry hundreds of solutions, of which few are kept."""
_KEYS = ("id", "family", "title", "licence", "text", "tags", "source", "samples", "solution", "wrong", "tests")

Read = tuple[str, Brief | UsageError]
Told = Callable[[], Defaults]


def read(path: Path, *, root: Path) -> Iterator[Read]:
    """Yield (``FILE:LINE``, brief or what is wrong with it) for every line that is not blank.

    The file may be of any length; a line longer than a row may be is refused without being kept in memory.
    """
    try:
        check_regular(path, root=root)
        file = path.open("rb")
    except UsageError as error:
        yield str(path), error
        return
    except OSError as error:
        yield str(path), UsageError(f"brief file {path}", f"cannot be read: {error.strerror}", "check its permissions")
        return
    told = asked_for(path, root)
    with file:
        number = 0
        while line := file.readline(MAX_ROW_BYTES + 1):
            number += 1
            where = f"{path}:{number}"
            if len(line) > MAX_ROW_BYTES:
                while line and not line.endswith(b"\n"):
                    line = file.readline(MAX_FILE_BYTES)
                yield (
                    where,
                    UsageError(f"brief {where}", f"a line of more than {MAX_ROW_BYTES:,} bytes", "shorten it"),
                )
            elif line.strip():
                yield where, _kept(line, where, told)


def read_list(path: Path, *, root: Path) -> Iterator[Read]:
    """The same for a ``.json`` file with one list of rows."""
    told = asked_for(path, root)
    try:
        size = check_regular(path, root=root)
        if size > MAX_ROW_BYTES:
            raise UsageError(f"brief file {path}", f"{size:,} bytes", "write it as JSON Lines, one row a line")
        rows = _loaded(path.read_bytes(), str(path))
        if not isinstance(rows, list):
            raise UsageError(f"brief file {path}", "not a list of rows", "write one list, or JSON Lines")
    except UsageError as error:
        yield str(path), error
        return
    except OSError as error:
        yield str(path), UsageError(f"brief file {path}", f"cannot be read: {error.strerror}", "check its permissions")
        return
    for number, row in enumerate(rows, 1):
        where = f"{path}:{number}"
        try:
            yield where, brief_of_row(row, where, told)
        except UsageError as error:
            yield where, error


def asked_for(path: Path, root: Path) -> Told:
    """The ``source.toml`` beside a file, read when the first foreign row asks for it."""
    return cache(lambda: defaults_for(path.parent, root=root))


def _kept(line: bytes, where: str, told: Told) -> Brief | UsageError:
    try:
        return brief_of_row(_loaded(line, where), where, told)
    except UsageError as error:
        return error


def _loaded(data: bytes, where: str) -> Any:
    text = decode(data, where)
    try:
        return strict_loads(text.encode(), max_bytes=MAX_ROW_BYTES)
    except ValueError as error:
        raise UsageError(f"brief {where}", f"not JSON: {error}", "write one JSON object a line") from error


def brief_of_row(raw: Any, where: str, told: Told) -> Brief:
    """One row of any form that is known.

    Raises:
        UsageError: names the row, and the key.
    """
    if not isinstance(raw, dict):
        raise UsageError(f"brief {where}", "not a JSON object", "write one JSON object a line")
    if "text" not in raw and "family" not in raw:
        if codecontests.is_row(raw):
            return codecontests.read(raw, told(), where=where)
        if question_answer.is_row(raw):
            return question_answer.read(raw, told(), where=where)
    fields.check_keys(raw, "", _KEYS, where)
    solution = None
    if raw.get("solution") is not None:
        spoken, code = _texts(raw["solution"], "solution", ("language", "code"), where)
        solution = Solution(fields.language(spoken), code)
    statement = raw.get("text", "")
    if not isinstance(statement, str):
        raise UsageError(f"brief {where}, key 'text'", "not text", "write the statement as one string")
    programs = [_texts(item, "wrong", ("language", "code"), where) for item in _list(raw, "wrong", where)]
    return fields.build(
        raw,
        where,
        text=_unix(statement),
        samples=_samples(raw, "samples", where),
        solution=solution,
        wrong=[Solution(fields.language(spoken), code) for spoken, code in programs],
        tests=_samples(raw, "tests", where),
    )


def _samples(raw: Mapping[str, Any], key: str, where: str) -> list[Sample]:
    return [Sample(*_texts(item, key, ("input", "output"), where)) for item in _list(raw, key, where)]


def _list(raw: Mapping[str, Any], key: str, where: str) -> list[Any]:
    value = raw.get(key, [])
    if not isinstance(value, list):
        raise UsageError(f"brief {where}, key {key!r}", "not a list", "see authoring/sources/README.md")
    return value


def _texts(raw: Any, table: str, keys: tuple[str, str], where: str) -> tuple[str, str]:
    if not isinstance(raw, dict):
        raise UsageError(f"brief {where}, key {table!r}", "not an object", f"give {' and '.join(keys)}")
    fields.check_keys(raw, table, keys, where)
    first, second = (raw.get(key) for key in keys)
    if not isinstance(first, str) or not isinstance(second, str):
        raise UsageError(f"brief {where}, key {table!r}", f"{' or '.join(keys)} missing or not text", "give both")
    return _unix(first), _unix(second)


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
