"""What the TOML files of a large library say, kept from one listing to the next; found by the bytes' hash.

A file that changed has another hash and is read again, so nothing kept here can be out of date: every card is opened
each time, and only the TOML parser is spared, which is half of a listing. Nothing but ``bootcamp library list`` reads
it: what may be run is decided from the files alone.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bootcamp_kit.errors import MachineError
from bootcamp_kit.jsondata import digest
from bootcamp_kit.tomldata import read_toml

FOLDER = "index"
RECORD_TABLES = ("approval", "retired")
WORTH_KEEPING = 100
"""Files parsed in one listing from which on what they say is kept; fewer are parsed as fast."""
MAX_BYTES = 256 << 20


class CardIndex:
    """The index of one library.

    Args:
        state: The state folder, which need not be there.
        library: The library's root.
    """

    def __init__(self, state: Path, library: Path) -> None:
        self._path = state / FOLDER / f"{digest(os.fsencode(library.resolve()))[:16]}.json"
        self._known = self._load()
        self._used: dict[str, Any] = {}
        self._parsed = 0

    def read(self, data: bytes) -> dict[str, Any]:
        """The document's tables.

        Raises:
            ValueError: as :func:`read_toml`.
        """
        return self._read(digest(data), lambda: read_toml(data))

    def read_record(self, data: bytes) -> dict[str, Any]:
        """Of a task's record the tables that a listing wants.

        Raises:
            ValueError: as :func:`read_toml`.
        """

        def parse() -> dict[str, Any]:
            raw = read_toml(data)
            return {name: raw[name] for name in RECORD_TABLES if name in raw}

        return self._read(f"record:{digest(data)}", parse)

    def _read(self, key: str, parse: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        found = self._known.get(key)
        if not isinstance(found, dict):
            found = parse()
            if not _is_json(found):
                return found
            self._parsed += 1
        self._used[key] = found
        return found

    def keep(self, open_state: Callable[[], object]) -> None:
        """Write what this listing read, if enough of it was new; a folder that cannot be written is left as it is.

        Args:
            open_state: Makes the state folder.
        """
        if self._parsed < WORTH_KEEPING:
            return
        with contextlib.suppress(OSError, MachineError):
            open_state()
            self._path.parent.mkdir(exist_ok=True)
            building = self._path.with_name(f".{self._path.name}.{os.getpid()}")
            try:
                building.write_text(json.dumps(self._kept(), separators=(",", ":")), "utf-8")
                building.replace(self._path)
            finally:
                building.unlink(missing_ok=True)

    def _kept(self) -> dict[str, Any]:
        """What other listings of it read as well, unless most of that is of files long gone."""
        gone = len(self._known) > 4 * len(self._used)
        return self._used if gone else {**self._known, **self._used}

    def _load(self) -> dict[str, Any]:
        try:
            if self._path.stat().st_size > MAX_BYTES:
                return {}
            found = json.loads(self._path.read_bytes())
        except (OSError, ValueError, RecursionError):  # none yet, or damaged: it is written anew
            return {}
        return found if isinstance(found, dict) else {}


def _is_json(value: Any) -> bool:
    """Whether it comes back from JSON as it was: a date or a time does not."""
    if isinstance(value, dict):
        return all(map(_is_json, value.values()))
    if isinstance(value, list):
        return all(map(_is_json, value))
    return isinstance(value, (str, int, float))
