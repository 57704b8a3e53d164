"""JSON Lines: one brief a line.

Keys: ``id family title licence text`` and optionally ``tags``, ``source {kind name url}``,
``samples [{input output}]``, ``solution {language code}``. ``text`` is the statement alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from authoring.sources import fields
from authoring.sources.files import MAX_FILE_BYTES, check_regular, decode
from bootcamp_kit.brief import Brief, Sample, Solution
from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import strict_loads

_KEYS = ("id", "family", "title", "licence", "text", "tags", "source", "samples", "solution")


def read(path: Path, *, root: Path) -> Iterator[tuple[str, Brief | UsageError]]:
    """Yield (``FILE:LINE``, brief or what is wrong with it) for every line that is not blank.

    The file may be of any length; a line longer than a brief may be is refused without being kept in memory.
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
    with file:
        number = 0
        while line := file.readline(MAX_FILE_BYTES + 1):
            number += 1
            where = f"{path}:{number}"
            if len(line) > MAX_FILE_BYTES:
                while line and not line.endswith(b"\n"):
                    line = file.readline(MAX_FILE_BYTES)
                yield (
                    where,
                    UsageError(f"brief {where}", f"a line of more than {MAX_FILE_BYTES:,} bytes", "shorten it"),
                )
            elif line.strip():
                yield where, _kept(line, where)


def _kept(line: bytes, where: str) -> Brief | UsageError:
    try:
        return _brief(line, where)
    except UsageError as error:
        return error


def _brief(line: bytes, where: str) -> Brief:
    text = decode(line, where)
    try:
        raw = strict_loads(text.encode(), max_bytes=MAX_FILE_BYTES)
    except ValueError as error:
        raise UsageError(f"brief {where}", f"not JSON: {error}", "write one JSON object a line") from error
    if not isinstance(raw, dict):
        raise UsageError(f"brief {where}", "not a JSON object", "write one JSON object a line")
    fields.check_keys(raw, "", _KEYS, where)
    samples = [Sample(*_texts(item, "samples", ("input", "output"), where)) for item in _list(raw, "samples", where)]
    solution = None
    if raw.get("solution") is not None:
        spoken, code = _texts(raw["solution"], "solution", ("language", "code"), where)
        solution = Solution(fields.language(spoken), code)
    statement = raw.get("text", "")
    if not isinstance(statement, str):
        raise UsageError(f"brief {where}, key 'text'", "not text", "write the statement as one string")
    return fields.build(raw, where, text=_unix(statement), samples=samples, solution=solution)


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
