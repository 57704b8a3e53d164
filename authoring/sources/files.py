"""Reading one file of a brief: capped before it is opened, never through a link that leaves the folder, UTF-8 only."""

from __future__ import annotations

import stat
from pathlib import Path

from bootcamp_kit.errors import UsageError

MAX_FILE_BYTES = 1 << 20


def read_text(path: Path, *, root: Path) -> str:
    r"""The text of a regular file inside ``root``; a byte order mark is dropped and line ends become ``\n``.

    Args:
        path: The file.
        root: The resolved folder it must lie in.

    Raises:
        UsageError: missing, a link out of ``root``, not a regular file, too large, not UTF-8, or not readable.
    """
    size = check_regular(path, root=root)
    if size > MAX_FILE_BYTES:
        raise UsageError(
            f"brief file {path}", f"{size:,} bytes; the limit is {MAX_FILE_BYTES:,}", "shorten it; it was not read"
        )
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise UsageError(f"brief file {path}", f"cannot be read: {error.strerror}", "check its permissions") from error
    return decode(data, str(path))


def check_regular(path: Path, *, root: Path) -> int:
    """The size in bytes of a regular file inside ``root``.

    Raises:
        UsageError: missing, a link out of ``root``, or not a regular file.
    """
    try:
        resolved = path.resolve(strict=True)
        mode = resolved.stat()
    except (OSError, RuntimeError) as error:
        raise UsageError(f"brief file {path}", "missing or not reachable", "check the name and the links") from error
    if not resolved.is_relative_to(root):
        raise UsageError(f"brief file {path}", "a link out of the folder", "copy the file instead")
    if not stat.S_ISREG(mode.st_mode):
        raise UsageError(f"brief file {path}", "not a regular file", "name a file")
    return mode.st_size


def decode(data: bytes, where: str) -> str:
    r"""UTF-8 text with ``\n`` line ends.

    Raises:
        UsageError: not UTF-8, or a NUL inside; names the byte.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"brief file {where}, line {line}", f"byte {error.start} is not UTF-8", "save it as UTF-8"
        ) from error
    if "\0" in text:
        raise UsageError(f"brief file {where}", "a NUL character inside", "save it as plain text")
    return text.replace("\r\n", "\n").replace("\r", "\n")
