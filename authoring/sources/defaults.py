"""``source.toml`` beside files of foreign formats: what those do not say of themselves, such as their licence."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from authoring.sources import fields
from authoring.sources.files import read_text
from bootcamp_kit.errors import UsageError
from bootcamp_kit.tomldata import read_toml

NAME = "source.toml"
_KEYS = ("family", "licence", "name", "url", "attribution", "tags")


@dataclass(frozen=True, slots=True)
class Defaults:
    """What holds for every brief below, where a brief does not say otherwise; "" says nothing.

    Attributes:
        family: The folder of the tasks.
        licence: SPDX.
        name: The collection's name.
        url: Where it can be had.
        attribution: Whom the licence asks to name.
        tags: Added to each brief's own.
    """

    family: str = ""
    licence: str = ""
    name: str = ""
    url: str = ""
    attribution: str = ""
    tags: tuple[str, ...] = ()


def defaults_for(path: Path, *, root: Path) -> Defaults:
    """The ``source.toml`` of a folder, or of the one above it where that is still inside ``root``.

    Raises:
        UsageError: it cannot be read, or holds a key nobody reads; names it.
    """
    for folder in (path, path.parent):
        file = folder / NAME
        if (file.exists() or file.is_symlink()) and folder.resolve().is_relative_to(root):
            return _read(file, root)
    return Defaults()


def _read(file: Path, root: Path) -> Defaults:
    try:
        raw = read_toml(read_text(file, root=root))
    except ValueError as error:
        raise UsageError(f"file {file}", f"not TOML: {error}", "correct that line") from error
    fields.check_keys(raw, "", _KEYS, str(file))
    tags = raw.get("tags", [])
    if not isinstance(tags, list) or not all(isinstance(tag, str) and 0 < len(tag) <= 40 for tag in tags):
        raise UsageError(f"file {file}, key 'tags'", "not a list of short texts", 'e.g. ["grid", "paths"]')
    return Defaults(
        **{key: fields.short_text(raw, key, str(file), default="") for key in _KEYS if key != "tags"}, tags=tuple(tags)
    )
