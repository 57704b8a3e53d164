"""Zip archives of packages, unpacked into a folder of their own that is removed afterwards.

Nothing about an archive is believed: names may not leave it, links and encrypted members are refused, and bytes are
counted as they come out, whatever the directory of the archive says.
"""

from __future__ import annotations

import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from authoring.sources.files import check_regular
from bootcamp_kit.errors import UsageError

MAX_ARCHIVE_BYTES = 64 << 20
MAX_MEMBERS = 5_000
MAX_UNPACKED_BYTES = 128 << 20
MAX_MEMBER_BYTES = 4 << 20
"""A larger member, such as a big secret test, is passed over."""
_CHUNK = 1 << 16


@contextmanager
def unpacked(path: Path, *, root: Path) -> Iterator[Path]:
    """A folder with the archive's files, there until the block ends.

    Raises:
        UsageError: not a zip archive, too large, too many members, or a member nobody should unpack; names it.
    """
    size = check_regular(path, root=root)
    if size > MAX_ARCHIVE_BYTES:
        raise _refused(path, f"{size:,} bytes; the limit is {MAX_ARCHIVE_BYTES:,}")
    with TemporaryDirectory(prefix="bootcamp-source-") as temporary:
        place = Path(temporary).resolve() / path.stem  # a package may be named by its folder
        place.mkdir()
        try:
            with zipfile.ZipFile(path) as archive:
                _unpack(archive, path, place)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
            raise _refused(path, f"not a readable zip archive: {error}") from error
        except OSError as error:
            raise _refused(path, f"cannot be unpacked: {error.strerror or error}") from error
        yield place


def _unpack(archive: zipfile.ZipFile, path: Path, place: Path) -> None:
    members = archive.infolist()
    if len(members) > MAX_MEMBERS:
        raise _refused(path, f"{len(members):,} members; the limit is {MAX_MEMBERS:,}")
    taken: set[str] = set()
    total = 0
    for member in members:
        name = PurePosixPath(member.filename)
        if name.is_absolute() or ".." in name.parts or not name.parts or set("\\:\0") & set(member.filename):
            raise _refused(path, f"a member named {member.filename[:100]!r}")
        if stat.S_ISLNK(member.external_attr >> 16):
            raise _refused(path, f"a link inside, {member.filename[:100]!r}")
        if member.flag_bits & 1:
            raise _refused(path, f"an encrypted member, {member.filename[:100]!r}")
        if member.is_dir():
            continue
        if name.as_posix() in taken:
            raise _refused(path, f"two members named {member.filename[:100]!r}")
        taken.add(name.as_posix())
        if member.file_size > MAX_MEMBER_BYTES:
            continue
        total += _write(archive, member, place.joinpath(*name.parts), path)
        if total > MAX_UNPACKED_BYTES:
            raise _refused(path, f"more than {MAX_UNPACKED_BYTES:,} bytes when unpacked")


def _write(archive: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, path: Path) -> int:
    target.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with archive.open(member) as source, target.open("xb") as file:
        while chunk := source.read(_CHUNK):
            size += len(chunk)
            if size > MAX_MEMBER_BYTES:
                raise _refused(path, f"{member.filename[:100]!r} is larger than it says")
            file.write(chunk)
    return size


def _refused(path: Path, found: str) -> UsageError:
    return UsageError(f"archive {path}", found, "unpack it yourself and name the folder")
