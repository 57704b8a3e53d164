"""The images and unpacked roots that are there, and the removal of those that nothing of today's is made of."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sandbox.image.build import BASE_REPOSITORY, LABEL, ON_LABEL, TOP_REPOSITORY, content_of
from sandbox.image.libraries import known_profiles

if TYPE_CHECKING:
    from docker import DockerClient

_PODMANS = "docker.io/library/"  # what podman puts before a name without a registry


@dataclass(frozen=True, slots=True)
class Stored:
    """One image, or one unpacked root.

    Attributes:
        name: Its tag, or its path.
        size_mb: What it holds; layers that images share are counted in each.
        current: Today's code, interpreter and lock files make this one.
    """

    name: str
    size_mb: float
    current: bool


def current_names() -> frozenset[str]:
    """Tags and folder names of what would be built now, for every profile."""
    found = set()
    for profile in known_profiles():
        content = content_of(profile)
        found |= {f"{BASE_REPOSITORY}:{digest[:16]}" for digest in (content.base_digest, content.packages_digest)}
        found |= {f"{TOP_REPOSITORY}:{content.digest[:16]}", content.digest[:16]}
    return frozenset(found)


def list_images(client: DockerClient, current: Iterable[str]) -> list[Stored]:
    """All with our label on this engine, those with our code first; one made on a current one is current."""
    known = frozenset(current)
    found = []
    for image in client.images.list(filters={"label": LABEL}):
        size_mb = float(image.attrs.get("Size", 0)) / 1e6
        for tag in image.tags:
            name = tag.removeprefix(_PODMANS)
            found.append(Stored(name, size_mb, not known.isdisjoint((name, image.labels.get(ON_LABEL, "")))))
    return sorted(found, key=lambda stored: (not stored.name.startswith(TOP_REPOSITORY), stored.name))


def prune_images(client: DockerClient, current: Iterable[str]) -> tuple[list[str], list[str]]:
    """Remove all that are not current; those that went, and those that a container or another image still needs."""
    from docker.errors import APIError

    gone, kept = [], []
    for stored in list_images(client, current):
        if stored.current:
            continue
        try:
            client.images.remove(stored.name)
            gone.append(stored.name)
        except APIError as error:
            if error.status_code not in (404, 409):
                raise
            kept.append(stored.name)
    return gone, kept


def list_roots(cache: Path, current: Iterable[str]) -> list[Stored]:
    """The roots unpacked for bubblewrap, and what an interrupted unpacking left."""
    if not cache.is_dir():
        return []
    return [
        Stored(str(path), _size_mb(path), path.name in current) for path in sorted(cache.iterdir()) if path.is_dir()
    ]


def prune_roots(cache: Path, current: Iterable[str]) -> list[str]:
    """Remove all that are not current."""
    gone = [stored.name for stored in list_roots(cache, current) if not stored.current]
    for path in gone:
        shutil.rmtree(path, ignore_errors=True)
    return gone


def _size_mb(folder: Path) -> float:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
