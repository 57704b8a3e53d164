"""Makes sure the engine has the image: layers, each tagged by the hash of what went into it.

The base (interpreter and libraries, some 70 MB, seconds) changes with the interpreter; the packages of a library
profile with its lock file; the thin top (kit and agent, some 200 KB, a fraction of a second) with our code. All are
looked up by tag first.
"""

from __future__ import annotations

import json
import platform
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bootcamp_kit.errors import MachineError, UsageError
from sandbox.image.archive import content_hash, write_tar
from sandbox.image.libraries import PLAIN, Profile, find_profile
from sandbox.image.rootfs import CODE, PACKAGES, PREFIX, Entry, code_entries, empty_folders, interpreter_entries

if TYPE_CHECKING:
    from docker import DockerClient

BASE_REPOSITORY, TOP_REPOSITORY = "bootcamp-python", "bootcamp-sandbox"
LABEL = "bootcamp-foundry.content"
ON_LABEL = "bootcamp-foundry.on"
"""Of an image that others make on one of these, with files of their own: the tag of the one below."""
_RECIPE = "2"  # raise it when the way of building changes what is built
ENVIRONMENT = {
    "PATH": f"/{PREFIX}/bin:/usr/local/bin:/usr/bin:/bin",
    "LD_LIBRARY_PATH": f"/{PREFIX}/lib",
    "LANG": "C.UTF-8",
    "PYTHONPATH": f"/{CODE}:/{PACKAGES}",
    "HOME": "/",
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
    client: DockerClient,
    progress: Progress | None = None,
    *,
    base_image: str = "",
    code_root: Path | None = None,
    profile: str = PLAIN,
) -> ImageInfo:
    """Look the image up, build what is missing.

    Args:
        client: A connected engine.
        progress: Told in one line what is being built, only when something is.
        code_root: The folder of the packages ``bootcamp_kit`` and ``sandbox``; None: where this one lies.
        base_image: A reference with a Python ≥ 3.11 to build on instead of the local interpreter; pulled when absent.
        profile: Which libraries tasks may import.

    Raises:
        UsageError: there is no such profile.
        MachineError: the engine refused, or this interpreter cannot be packed.
    """
    from docker.errors import DockerException

    started = time.monotonic()
    tell = progress or (lambda _: None)
    try:
        if base_image and profile != PLAIN:
            raise UsageError(f"library profile {profile}", "a base image is named", "unset the base image")
        if base_image:
            code = code_entries(code_root or Path(__file__).parents[2])
            tag, digest, built = _ensure_foreign(client, tell, base_image, code)
            return ImageInfo(f"sha256:{digest}", tag, "", built, time.monotonic() - started)
        content = content_of(profile, code_root)
        tag, built = _ensure(client, tell, content)
        python = platform.python_version()
        return ImageInfo(f"sha256:{content.digest}", tag, python, built, time.monotonic() - started)
    except (DockerException, OSError) as error:
        raise MachineError(
            "building the sandbox image", f"{type(error).__name__}: {error}"[:500], "run `bootcamp doctor`"
        ) from error


@dataclass(frozen=True, slots=True)
class Content:
    """What an image holds, before anything slow is done about it.

    Attributes:
        digest: Over everything: the interpreter and its libraries, the profile's lock file, our code.
        base: The interpreter's files; ``base_digest`` is over them.
        profile: Its wheels are fetched only when they are to be written somewhere.
        packages_digest: Over the base and the lock file.
        code: The kit and the agent.
    """

    digest: str
    base: list[Entry]
    base_digest: str
    profile: Profile
    packages_digest: str
    code: list[Entry]


def content_of(profile: str = PLAIN, code_root: Path | None = None) -> Content:
    """What the image of a profile holds when it is made from the local interpreter.

    Raises:
        UsageError: there is no such profile.
        MachineError: this interpreter cannot be packed.
    """
    found = find_profile(profile)
    base = interpreter_entries()
    base_digest = content_hash(base, (_RECIPE, *empty_folders()))
    packages = (
        base_digest if not found.lock else content_hash([Entry("lock", data=found.lock.encode())], (base_digest,))
    )
    code = code_entries(code_root or Path(__file__).parents[2])
    return Content(content_hash(code, (_RECIPE, packages)), base, base_digest, found, packages, code)


def _ensure(client: DockerClient, progress: Progress, content: Content) -> tuple[str, bool]:
    tag = f"{TOP_REPOSITORY}:{content.digest[:16]}"
    if _has(client, tag):
        return tag, False
    base = f"{BASE_REPOSITORY}:{content.base_digest[:16]}"
    if not _has(client, base):
        progress("building the sandbox's base image from the local interpreter (once, some seconds)")
        _import_base(client, content.base, base, content.base_digest)
    packages = f"{BASE_REPOSITORY}:{content.packages_digest[:16]}"
    if not _has(client, packages):
        progress(f"fetching the wheels of profile {content.profile.name} (once)")
        with content.profile.entries() as entries:
            _add_layer(client, base, entries, packages, content.packages_digest)
    progress("adding the kit and the agent to the sandbox image")
    _add_layer(client, packages, content.code, tag, content.digest)
    return tag, True


def _ensure_foreign(client: DockerClient, progress: Progress, base: str, code: list[Entry]) -> tuple[str, str, bool]:
    digest = content_hash(code, (_RECIPE, _foreign_base(client, base, progress)))
    tag = f"{TOP_REPOSITORY}:{digest[:16]}"
    if _has(client, tag):
        return tag, digest, False
    progress("adding the kit and the agent to the sandbox image")
    _add_layer(client, base, code, tag, digest)
    return tag, digest, True


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
    changes = [f"ENV {key}={value}" for key, value in ENVIRONMENT.items()] + [f"LABEL {LABEL}={digest}"]
    with tempfile.TemporaryFile() as archive:
        write_tar(archive, entries, empty_folders())
        archive.seek(0)
        told = client.api.import_image_from_data(archive, changes=changes)
    # Tagged by its id afterwards: podman takes the name given to an import and drops the tag.
    client.api.tag(json.loads(told.splitlines()[-1])["status"], repository, name)


def _add_layer(client: DockerClient, base: str, entries: list[Entry], tag: str, digest: str) -> None:
    """A layer made by copying into a container that never runs, and committing it: needs no builder in the engine."""
    repository, _, name = tag.partition(":")
    container = client.containers.create(base, ["python3"], network_mode="none", labels={LABEL: digest})
    try:
        with tempfile.TemporaryFile() as archive:
            write_tar(archive, entries)
            archive.seek(0)
            container.put_archive("/", archive)
        container.commit(
            repository=repository,
            tag=name,
            changes=[f"ENV PYTHONPATH={ENVIRONMENT['PYTHONPATH']}", f"LABEL {LABEL}={digest}", 'CMD ["python3"]'],
        )
    finally:
        container.remove(force=True)
