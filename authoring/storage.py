"""Writing to disk all or nothing, and saying what to do when it fails."""

from __future__ import annotations

import errno
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bootcamp_kit.errors import MachineError

TEMPORARY = ".writing-"


@contextmanager
def disk(asked: str, path: Path) -> Iterator[None]:
    """Turn the system's errors into ours.

    Raises:
        MachineError: whatever ``OSError`` was raised inside.
    """
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        do = "free some space, then resume the run" if full else "see that the folder can be written, then resume"
        raise MachineError(asked, f"{path}: {error.strerror or error}", do) from error


def write_whole(path: Path, data: bytes) -> None:
    """Write a file under another name and move it into place: readers see all of it or nothing.

    Raises:
        MachineError: the disk is full or the folder cannot be written.
    """
    with disk(f"writing {path.name}", path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=TEMPORARY, dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(temporary).chmod(0o644)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise


def write_json(path: Path, raw: Mapping[str, Any]) -> None:
    """Write a JSON file as :func:`write_whole` does; ASCII, as text of a model may hold what UTF-8 cannot."""
    write_whole(path, json.dumps(raw, sort_keys=True, indent=1).encode() + b"\n")
