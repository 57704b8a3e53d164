"""Makes sure the engine has the image: two layers, each tagged by the hash of what went into it.

The base (interpreter and libraries, some 70 MB, seconds) changes with the interpreter; the thin top (kit and agent,
some 200 KB, a fraction of a second) with our code. Both are looked up by tag first.
"""

from __future__ import annotations

import io
import platform
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bootcamp_kit.errors import MachineError
from sandbox.image.archive import content_hash, write_tar
from sandbox.image.rootfs import CODE, PREFIX, Entry, code_entries, empty_folders, interpreter_entries

if TYPE_CHECKING:
    from docker import DockerClient

BASE_REPOSITORY, TOP_REPOSITORY = "bootcamp-python", "bootcamp-sandbox"
LABEL = "bootcamp-foundry.content"
_RECIPE = "1"  # raise it when the way of building changes what is built
_ENVIRONMENT = {
    "PATH": f"/{PREFIX}/bin:/usr/local/bin:/usr/bin:/bin",
    "LD_LIBRARY_PATH": f"/{PREFIX}/lib",
    "LANG": "C.UTF-8",
}
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ImageInfo:
    """The image to run.

    Attributes:
        digest: ``sha256:…`` over the content of both layers: equal on every machine that packs the same files.
        tag: What to give the engine.
        python: Version of the interpreter inside; "" for a foreign base image.
        built: Whether anything had to be built.
        seconds: What the call took.
    """

    digest: str
    tag: str
    python: str
    built: bool
    seconds: float


def ensure_image(
    client: DockerClient, progress: Progress | None = None, *, base_image: str = "", code_root: Path | None = None
) -> ImageInfo:
    """Look the image up, build what is missing.

    Args:
        client: A connected engine.
        progress: Told in one line what is being built, only when something is.
        code_root: The folder of the packages ``bootcamp_kit`` and ``sandbox``; None: where this one lies.
        base_image: A reference with a Python ≥ 3.11 to build on instead of the local interpreter; pulled when absent.

    Raises:
        MachineError: the engine refused, or this interpreter cannot be packed.
    """
    from docker.errors import DockerException

    started = time.monotonic()
    try:
        root = code_root or Path(__file__).parents[2]
        return _ensure(client, progress or (lambda _: None), base_image, root, started)
    except (DockerException, OSError) as error:
        raise MachineError(
            "building the sandbox image", f"{type(error).__name__}: {error}"[:500], "run `bootcamp doctor`"
        ) from error


def _ensure(client: DockerClient, progress: Progress, base_image: str, root: Path, started: float) -> ImageInfo:
    built = False
    if base_image:
        base_tag, base_hash, python = base_image, _foreign_base(client, base_image, progress), ""
    else:
        entries = interpreter_entries()
        base_hash = content_hash(entries, (_RECIPE, *empty_folders()))
        base_tag, python = f"{BASE_REPOSITORY}:{base_hash[:16]}", platform.python_version()
    code = code_entries(root)
    digest = content_hash(code, (_RECIPE, base_hash))
    tag = f"{TOP_REPOSITORY}:{digest[:16]}"
    if not _has(client, tag):
        if not base_image and not _has(client, base_tag):
            progress("building the sandbox's base image from the local interpreter (once, some seconds)")
            _import_base(client, entries, base_tag, base_hash)
        progress("adding the kit and the agent to the sandbox image")
        _add_code(client, base_tag, code, tag, digest)
        built = True
    return ImageInfo(f"sha256:{digest}", tag, python, built, time.monotonic() - started)


def _has(client: DockerClient, tag: str) -> bool:
    from docker.errors import ImageNotFound

    try:
        client.images.get(tag)
    except ImageNotFound:
        return False
    return True


def _foreign_base(client: DockerClient, reference: str, progress: Progress) -> str:
    """Its image id; pulled when absent."""
    if not _has(client, reference):
        progress(f"pulling {reference}")
        client.images.pull(reference)
    return str(client.images.get(reference).id)


def _import_base(client: DockerClient, entries: list[Entry], tag: str, digest: str) -> None:
    repository, _, name = tag.partition(":")
    changes = [f"ENV {key}={value}" for key, value in _ENVIRONMENT.items()] + [f"LABEL {LABEL}={digest}"]
    with tempfile.TemporaryFile() as archive:
        write_tar(archive, entries, empty_folders())
        archive.seek(0)
        client.api.import_image_from_data(archive, repository=repository, tag=name, changes=changes)


def _add_code(client: DockerClient, base: str, code: list[Entry], tag: str, digest: str) -> None:
    """A layer made by copying into a container that never runs, and committing it: needs no builder in the engine."""
    repository, _, name = tag.partition(":")
    archive = io.BytesIO()
    write_tar(archive, code)
    container = client.containers.create(base, ["python3"], network_mode="none", labels={LABEL: digest})
    try:
        container.put_archive("/", archive.getvalue())
        container.commit(
            repository=repository,
            tag=name,
            changes=[f"ENV PYTHONPATH=/{CODE}", f"LABEL {LABEL}={digest}", 'CMD ["python3"]'],
        )
    finally:
        container.remove(force=True)
