"""Reproducible tar archives and their content hash."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import marshal
import sys
import tarfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from sandbox.image.rootfs import Entry

_CACHE_TAG = sys.implementation.cache_tag
_UNCHECKED_HASH = (1).to_bytes(4, "little")


def content_hash(entries: Iterable[Entry], folders: Iterable[str] = ()) -> str:
    """Hex SHA-256 over the paths, modes, links and bytes of the entries, in their order."""
    total = hashlib.sha256()
    for folder in folders:
        total.update(f"folder {folder}\n".encode())
    for entry in entries:
        content = entry.link or hashlib.sha256(entry.read()).hexdigest()
        total.update(f"{entry.path}\t{entry.executable}\t{content}\n".encode())
    return total.hexdigest()


def write_tar(target: IO[bytes], entries: Iterable[Entry], folders: Iterable[str] = ()) -> None:
    """Owner root, time 0, fixed modes; a compiled ``.pyc`` beside every ``.py``, since a read-only root never caches.

    The ``.pyc`` files are of the *unchecked hash* kind: valid whatever the time stamp of the source. Nothing follows
    the two zero blocks that end an archive: podman's reader stops there, and refuses the whole when more is on its way.

    Args:
        target: Empty, and can be truncated.
        entries: Files and links, each path once.
        folders: Further folders, also empty ones.
    """
    with tarfile.open(fileobj=target, mode="w", format=tarfile.PAX_FORMAT) as archive:
        made: set[str] = set()
        for folder in folders:
            _add_folder(archive, made, folder)
        for entry in entries:
            _add_folder(archive, made, entry.path.rpartition("/")[0])
            if entry.link:
                info = tarfile.TarInfo(entry.path)
                info.type, info.linkname, info.mode = tarfile.SYMTYPE, entry.link, 0o777
                archive.addfile(info)
                continue
            data = entry.read()
            _add_file(archive, entry.path, data, executable=entry.executable)
            compiled = compiled_module(entry.path, data) if entry.path.endswith(".py") else None
            if compiled:
                path = _cache_path(entry.path)
                _add_folder(archive, made, path.rpartition("/")[0])
                _add_file(archive, path, compiled, executable=False)
        end = archive.offset + 2 * tarfile.BLOCKSIZE
    target.truncate(end)


def write_folder(target: Path, entries: Iterable[Entry], folders: Iterable[str] = ()) -> None:
    """The same as an archive's content, as files below ``target``."""
    for folder in folders:
        (target / folder).mkdir(parents=True, exist_ok=True)
    for entry in entries:
        path = target / entry.path
        path.parent.mkdir(parents=True, exist_ok=True)
        if entry.link:
            path.symlink_to(entry.link)
            continue
        data = entry.read()
        path.unlink(missing_ok=True)
        path.write_bytes(data)
        path.chmod(0o755 if entry.executable else 0o644)
        compiled = compiled_module(entry.path, data) if entry.path.endswith(".py") else None
        if compiled:
            cached = target / _cache_path(entry.path)
            cached.parent.mkdir(exist_ok=True)
            cached.write_bytes(compiled)


def compiled_module(path: str, source: bytes) -> bytes | None:
    """The bytes of an unchecked-hash ``.pyc``; None when the source does not compile (the library has test data)."""
    try:
        code = compile(source, f"/{path}", "exec", dont_inherit=True, optimize=0)
    except (SyntaxError, ValueError):
        return None
    return importlib.util.MAGIC_NUMBER + _UNCHECKED_HASH + importlib.util.source_hash(source) + marshal.dumps(code)


def _cache_path(path: str) -> str:
    folder, _, name = path.rpartition("/")
    return f"{folder}/__pycache__/{name.removesuffix('.py')}.{_CACHE_TAG}.pyc"


def _add_folder(archive: tarfile.TarFile, made: set[str], folder: str) -> None:
    if not folder or folder in made:
        return
    _add_folder(archive, made, folder.rpartition("/")[0])
    made.add(folder)
    info = tarfile.TarInfo(folder)
    info.type, info.mode = tarfile.DIRTYPE, 0o755
    archive.addfile(info)


def _add_file(archive: tarfile.TarFile, path: str, data: bytes, *, executable: bool) -> None:
    info = tarfile.TarInfo(path)
    info.size, info.mode = len(data), 0o755 if executable else 0o644
    archive.addfile(info, io.BytesIO(data))
