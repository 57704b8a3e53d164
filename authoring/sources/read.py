"""Reads every brief below a path; one that cannot be read never costs the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from authoring.sources import archive, folder, internbootcamp, jsonl, kattis, markdown, parquet, polygon
from bootcamp_kit.brief import Brief
from bootcamp_kit.errors import UsageError

MAX_DEPTH = 4
_FILES = (".md", ".jsonl", ".parquet", ".zip")
"""Read in a folder; a ``.json`` file may be anything and is read only when it is named."""
_PACKAGES = ((kattis.MARK, kattis.read), (polygon.MARK, polygon.read))
NOT_BRIEFS = ("card.toml", "queue.sqlite", "run.json", ".git")
"""A folder below the named one that holds one of these is a task, a state folder, a run or a checkout: passed over.

A checkout of one problem package is a package."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One brief that could not be read.

    Attributes:
        path: The file or folder; for JSON Lines ``FILE:LINE``.
        error: What was asked, found, and what to do.
    """

    path: str
    error: UsageError


class Briefs(NamedTuple):
    """What was found below a path: files before folders, each in the order of their names."""

    briefs: list[Brief]
    problems: list[Problem]


def read_briefs(path: Path) -> Briefs:
    """Read a Markdown file, a file of rows, one brief's folder or problem package, or a folder of any of these.

    A folder that holds ``brief.md`` is one brief, one that holds ``problem.yaml`` or ``problem.xml`` a problem package.
    An InternBootcamp checkout is read as a whole. In any other folder, ``*.md`` (but ``README.md``), ``*.jsonl``,
    ``*.parquet``, ``*.zip`` and subfolders are read; names that begin with a dot are passed over.

    Raises:
        UsageError: ``path`` does not exist, is of no known format, or holds no brief at all.
    """
    found = Briefs([], [])
    taken: dict[str, str] = {}
    for where, read in _all(path):
        if isinstance(read, UsageError):
            found.problems.append(Problem(where, read))
        elif read.id in taken:
            error = UsageError(
                f"brief {where}", f"its id {read.id!r} is taken by {taken[read.id]}", "give each brief its own id"
            )
            found.problems.append(Problem(where, error))
        else:
            taken[read.id] = where
            found.briefs.append(read)
    if not found.briefs and not found.problems:
        raise UsageError(f"reading briefs from {path}", "no brief in it", "see authoring/sources/README.md")
    return found


Read = tuple[str, Brief | UsageError]


def _all(path: Path) -> Iterator[Read]:
    if not path.exists():
        raise UsageError(f"reading briefs from {path}", "it does not exist", "name a .md or .jsonl file, or a folder")
    if path.is_dir() and (bootcamps := internbootcamp.bootcamps_of(path)) is not None:
        yield from internbootcamp.read_all(bootcamps, root=path.resolve())
    elif path.is_dir():
        yield from _below(path, path.resolve(), 0)
    elif path.suffix in (*_FILES, ".json"):
        yield from _file(path, path.resolve().parent)
    else:
        raise UsageError(
            f"reading briefs from {path}",
            f"{path.suffix or 'no suffix'!r} is no known format",
            "use .md, .jsonl, .json, .parquet or .zip",
        )


def _below(path: Path, root: Path, depth: int) -> Iterator[Read]:
    """``root`` is the resolved folder that links may not leave."""
    if depth > MAX_DEPTH:
        yield str(path), UsageError(f"folder {path}", f"more than {MAX_DEPTH} deep", "move the briefs up")
        return
    for mark, read in _PACKAGES:
        if (path / mark).exists() or (path / mark).is_symlink():
            yield str(path), _kept(lambda read=read: read(path, root=root))
            return
    if depth and any((path / name).exists() for name in NOT_BRIEFS):
        return
    if (path / "brief.md").exists() or (path / "brief.md").is_symlink():
        yield str(path), _kept(lambda: folder.read(path, root=root))
        return
    children = sorted(child for child in path.iterdir() if not child.name.startswith("."))
    briefs = [child for child in children if child.suffix in _FILES and child.name.lower() != "readme.md"]
    folders = [child for child in children if child not in briefs and child.is_dir()]
    if depth and not briefs and not folders:
        yield (
            str(path),
            UsageError(f"folder {path}", "no brief, rows or problem package in it", "add brief.md or remove it"),
        )
    for child in briefs:
        yield from _file(child, root)
    for child in folders:
        if not child.resolve().is_relative_to(root):
            yield str(child), UsageError(f"folder {child}", "a link out of the folder", "copy the files instead")
        else:
            yield from _below(child, root, depth + 1)


def _file(path: Path, root: Path) -> Iterator[Read]:
    if path.suffix == ".jsonl":
        yield from jsonl.read(path, root=root)
    elif path.suffix == ".parquet":
        yield from parquet.read(path, root=root)
    elif path.suffix == ".json":
        yield from jsonl.read_list(path, root=root)
    elif path.suffix == ".zip":
        yield from _archive(path, root)
    else:
        yield str(path), _kept(lambda: markdown.read(path, root=root))


def _kept(read: object) -> Brief | UsageError:
    assert callable(read)
    try:
        brief: Brief = read()
    except UsageError as error:
        return error
    return brief


def _archive(path: Path, root: Path) -> Iterator[Read]:
    """What is inside an archive, told of by the archive's name."""
    try:
        with archive.unpacked(path, root=root) as place:
            read = [(where.replace(str(place), str(path)), _renamed(item, place, path)) for where, item in _in(place)]
    except UsageError as error:
        read = [(str(path), error)]
    if not read:
        read = [(str(path), UsageError(f"archive {path}", "no brief in it", "see authoring/sources/README.md"))]
    yield from read


def _in(place: Path) -> Iterator[Read]:
    if any(path.suffix == ".zip" for path in place.rglob("*")):
        yield str(place), UsageError(f"archive {place}", "an archive inside the archive", "unpack it yourself")
        return
    yield from _below(place, place, 0)


def _renamed(item: Brief | UsageError, place: Path, path: Path) -> Brief | UsageError:
    if isinstance(item, Brief):
        return item
    return UsageError(*(part.replace(str(place), str(path)) for part in (item.asked, item.found, item.do)))
