"""A task folder as a value: relative paths → bytes, and the content hash over them.

The hash can be reproduced with standard tools, inside the folder::

    find . -type f ! -path './evidence/*' ! -path '*/__pycache__/*' | LC_ALL=C sort | xargs sha256sum | sha256sum

Everything outside ``evidence/`` *is* the task: one changed byte changes the hash, and with it report and approval fall.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bootcamp_kit.card import Card
from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import digest

MAX_FILES = 64
MAX_FILE_BYTES = 1 << 20
MAX_TOTAL_BYTES = 4 << 20
REQUIRED = ("card.toml", "brief.md", "bootcamp.py", "oracle.py", "examples.toml")
EVIDENCE = "evidence"
SANDBOX_ONLY = frozenset({"oracle.py", "second_oracle.py", "reference.py"})
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")


@dataclass(frozen=True, slots=True)
class TaskFolder:
    """The files of one task without its ``evidence/``. Paths are POSIX, relative, plain ASCII.

    Raises:
        UsageError: a required file is missing, a path is unsafe, or a size cap is passed.
    """

    files: Mapping[str, bytes]

    def __post_init__(self) -> None:
        object.__setattr__(self, "files", dict(sorted(self.files.items())))
        for path, data in self.files.items():
            _check_path(path)
            if len(data) > MAX_FILE_BYTES:
                raise UsageError(
                    f"task file {path}", f"{len(data)} bytes, more than {MAX_FILE_BYTES}", "make it smaller"
                )
        if len(self.files) > MAX_FILES or sum(map(len, self.files.values())) > MAX_TOTAL_BYTES:
            raise UsageError(
                "task folder", f"more than {MAX_FILES} files or {MAX_TOTAL_BYTES} bytes", "make it smaller"
            )
        missing = [name for name in REQUIRED if name not in self.files]
        if missing:
            raise UsageError(
                "task folder", f"missing {', '.join(missing)}", f"a task folder holds {', '.join(REQUIRED)}"
            )

    @classmethod
    def read(cls, root: Path) -> TaskFolder:
        """Read a folder from disk, without its evidence.

        Raises:
            UsageError: not a folder; a link, a special file or an unsafe name inside; too many or too large files.
        """
        if not root.is_dir() or root.is_symlink():
            raise UsageError(f"task folder {root}", "not a folder", "name the folder that holds card.toml")
        files: dict[str, bytes] = {}
        for path, data in _walk(root):
            files[path] = data
        return cls(files)

    def write(self, root: Path) -> None:
        """Write a new folder: all of it or nothing. ``root`` must not exist.

        Raises:
            UsageError: ``root`` exists.
        """
        if root.exists():
            raise UsageError(f"writing {root}", "it exists already", "choose another place or remove it")
        root.parent.mkdir(parents=True, exist_ok=True)
        building = Path(tempfile.mkdtemp(prefix=".writing-", dir=root.parent))
        try:
            for path, data in self.files.items():
                target = building / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
            building.chmod(0o755)
            building.rename(root)
        except OSError:
            shutil.rmtree(building, ignore_errors=True)
            raise

    @property
    def content_hash(self) -> str:
        """Hex SHA-256 over ``sha256sum``'s listing of the files in byte order of ``./path``."""
        lines = (f"{digest(self.files[path])}  ./{path}\n" for path in sorted(self.files))
        return digest("".join(lines).encode())

    @property
    def card(self) -> Card:
        """The parsed ``card.toml``.

        Raises:
            UsageError: it is not a valid card.
        """
        return Card.parse(self.files["card.toml"])

    @property
    def sources(self) -> dict[str, bytes]:
        """Only what runs: the ``.py`` files and the card."""
        return {path: data for path, data in self.files.items() if path.endswith(".py") or path == "card.toml"}

    @property
    def exported(self) -> dict[str, bytes]:
        """What runs outside the sandbox: the sources without the oracles and their reference."""
        return {path: data for path, data in self.sources.items() if path not in SANDBOX_ONLY}


def _check_path(path: str) -> None:
    parts = path.split("/")
    if not all(_NAME.fullmatch(part) for part in parts) or len(parts) > 4 or parts[0] == EVIDENCE:
        raise UsageError(
            f"task file {path[:120]!r}",
            "not a plain relative path",
            "use letters, digits, '_', '-', '.', at most 4 deep",
        )


def _walk(root: Path) -> Iterator[tuple[str, bytes]]:
    count = total = 0
    pending = [root]
    while pending:
        folder = pending.pop()
        for entry in sorted(os.scandir(folder), key=lambda item: item.name):
            path = Path(entry.path).relative_to(root).as_posix()
            if entry.name == "__pycache__" or path == EVIDENCE:
                continue
            mode = entry.stat(follow_symlinks=False).st_mode
            if stat.S_ISDIR(mode):
                _check_path(path)
                pending.append(Path(entry.path))
                continue
            if not stat.S_ISREG(mode):
                raise UsageError(
                    f"task folder {root}", f"{path[:120]!r} is a link or a special file", "keep plain files only"
                )
            _check_path(path)
            size = entry.stat(follow_symlinks=False).st_size
            count, total = count + 1, total + size
            if count > MAX_FILES or size > MAX_FILE_BYTES or total > MAX_TOTAL_BYTES:
                raise UsageError(
                    f"task folder {root}",
                    f"{path}: past the cap of {MAX_FILES} files, {MAX_FILE_BYTES} bytes each, {MAX_TOTAL_BYTES} in all",
                    "make it smaller",
                )
            yield path, read_plain(Path(entry.path))


def read_plain(path: Path) -> bytes:
    """A plain file's bytes, at most ``MAX_FILE_BYTES``: no link is followed, and a pipe or a device is not waited for.

    Raises:
        OSError: there is none, it may not be read, or it is a link.
        UsageError: it is no plain file, or too large.
    """
    file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode):
            raise UsageError(f"file {path}", "not a plain file", "keep plain files only")
        data = b""
        while len(data) <= MAX_FILE_BYTES:
            piece = os.read(file, min(max(found.st_size, 4096), MAX_FILE_BYTES) + 1)
            data += piece
            if not piece or len(data) == found.st_size:
                break
    finally:
        os.close(file)
    if len(data) > MAX_FILE_BYTES:
        raise UsageError(f"file {path}", f"more than {MAX_FILE_BYTES} bytes", "make it smaller")
    return data
