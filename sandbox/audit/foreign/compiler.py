"""Compiles the C++ reference code that foreign tasks quote: in a container of its own, without a network.

The compiler is this machine's (``sandbox/compiled``); where there is none, C++ reference code is skipped. Nothing
compiled here ever runs on the host: the libraries that come out go into the foreign layer, and are loaded by confined
jobs only.
"""

from __future__ import annotations

import io
import json
import re
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from bootcamp_kit.jsondata import digest
from sandbox.compiled.toolchain import compiler_id, compiler_image, container_options, without_owner
from sandbox.image.archive import write_tar
from sandbox.image.build import LABEL
from sandbox.image.rootfs import Entry

if TYPE_CHECKING:
    from docker import DockerClient
    from docker.models.containers import Container

COMPILED = "bootcamp-compiled"
MAX_LIBRARY, MAX_ALL, SECONDS = 4 << 20, 256 << 20, 1_800
_CODE = re.compile(r"reference code.*?\n```[\w+]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_WRAPPER = "guest_wrapper.cpp"


def programs(root: Path) -> dict[str, str]:
    """Name of a module (``folder.file``) → the C++ it quotes, for a checkout that has any."""
    found = {}
    for path in sorted(root.glob("internbootcamp/bootcamp/*/*.py")):
        text = path.read_text("utf-8", "replace").replace('\\"', '"')
        code = _CODE.search(text)
        if code and "#include" in code.group(1):
            found[f"{path.parent.name}.{path.stem}"] = code.group(1)
    return found


def key(sources: Mapping[str, str]) -> str:
    """What the compiled libraries follow from."""
    return digest(json.dumps([dict(sources), compiler_id(), _wrapper(), _script()], sort_keys=True).encode())


def compiled(
    client: DockerClient,
    base: str,
    sources: Mapping[str, str],
    folder: str,
    progress: Callable[[str], None],
    run_id: str,
) -> list[Entry]:
    """One library for each program that compiles; what was compiled before is taken from an image that holds it."""
    from docker.errors import ImageNotFound

    if not sources or not compiler_id():
        return []
    tag = f"{COMPILED}:{key(sources)[:16]}"
    try:
        client.images.get(tag)
    except ImageNotFound:
        progress(f"compiling {len(sources)} C++ reference programs in a container (once)")
        _compile(client, compiler_image(client, base, run_id), sources, tag, run_id)
    container = client.containers.create(tag, ["python3"], **container_options(run_id))
    try:
        return list(_taken_out(container, sources, folder))
    finally:
        container.remove(force=True)


def _compile(client: DockerClient, image: str, sources: Mapping[str, str], tag: str, run_id: str) -> None:
    container = client.containers.create(image, ["python3", "/work/compile.py"], **container_options(run_id))
    try:
        container.put_archive("/", _packed(sources))
        container.start()
        container.wait(timeout=SECONDS)
        container.commit(
            repository=COMPILED, tag=tag.partition(":")[2], changes=[f"LABEL {LABEL}={tag}", *without_owner()]
        )
    finally:
        container.remove(force=True)


def _taken_out(container: Container, sources: Mapping[str, str], folder: str) -> Iterator[Entry]:
    stream, _ = container.get_archive("/work/out")
    with tempfile.TemporaryFile() as file:
        size = 0
        for chunk in stream:
            size += len(chunk)
            if size > MAX_ALL:
                return
            file.write(chunk)
        file.seek(0)
        with tarfile.open(fileobj=file) as archive:
            yield from _libraries(archive, sources, folder)


def _libraries(archive: tarfile.TarFile, sources: Mapping[str, str], folder: str) -> Iterator[Entry]:
    for member in archive:
        name = member.name.removeprefix("out/")
        if member.isfile() and name.removesuffix(".so") in sources and 0 < member.size <= MAX_LIBRARY:
            data = archive.extractfile(member)
            if data is not None:
                yield Entry(f"{folder}/.reference/{name}", data=data.read(), executable=True)


def _packed(sources: Mapping[str, str]) -> bytes:
    entries = [Entry(f"work/in/{name}.cpp", data=(text + _wrapper()).encode()) for name, text in sources.items()]
    entries += [Entry("work/compile.py", data=_script().encode()), Entry("work/out/.keep", data=b"\n")]
    target = io.BytesIO()
    write_tar(target, entries)
    return target.getvalue()


def _wrapper() -> str:
    return resources.files("sandbox.audit.foreign").joinpath(_WRAPPER).read_text("utf-8")


def _script() -> str:
    return resources.files("sandbox.audit.foreign").joinpath("guest_compile.py").read_text("utf-8")
