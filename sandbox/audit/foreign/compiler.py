"""Compiles the C++ reference code that foreign tasks quote: in a container of its own, without a network.

The compiler is this machine's; where there is none, C++ reference code is skipped. Nothing compiled here ever runs on
the host: the libraries that come out go into the foreign layer, and are loaded by confined jobs only.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from bootcamp_kit.jsondata import digest
from sandbox.image.archive import content_hash, write_tar
from sandbox.image.rootfs import PREFIX, Entry, shared_libraries

if TYPE_CHECKING:
    from docker import DockerClient
    from docker.models.containers import Container

REPOSITORY, COMPILED = "bootcamp-compiler", "bootcamp-compiled"
LABEL = "bootcamp-foundry.content"
MAX_LIBRARY, MAX_ALL, SECONDS = 4 << 20, 256 << 20, 1_800
_CODE = re.compile(r"reference code.*?\n```[\w+]*\n(.*?)```", re.DOTALL | re.IGNORECASE)
_HEADERS = ("c++", "x86_64-linux-gnu", "aarch64-linux-gnu", "linux", "asm", "asm-generic", "bits")
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


def compiler_id() -> str:
    """Which compiler this machine has; "" for none."""
    found = shutil.which("g++")
    if found is None:
        return ""
    done = subprocess.run([found, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.splitlines()[0] if done.returncode == 0 and done.stdout else ""


def key(sources: Mapping[str, str]) -> str:
    """What the compiled libraries follow from."""
    return digest(json.dumps([dict(sources), compiler_id(), _wrapper(), _script()], sort_keys=True).encode())


def compiled(
    client: DockerClient, base: str, sources: Mapping[str, str], folder: str, progress: Callable[[str], None]
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
        _compile(client, _image(client, base), sources, tag)
    container = client.containers.create(tag, ["python3"], network_mode="none")
    try:
        return list(_taken_out(container, sources, folder))
    finally:
        container.remove(force=True)


def _compile(client: DockerClient, image: str, sources: Mapping[str, str], tag: str) -> None:
    container = client.containers.create(
        image,
        ["python3", "/work/compile.py"],
        network_mode="none",
        cap_drop=["ALL"],
        security_opt=["no-new-privileges"],
        pids_limit=64,
        mem_limit="2g",
        environment={"PATH": f"/{PREFIX}/bin:/usr/bin", "TMPDIR": "/work"},
    )
    try:
        container.put_archive("/", _packed(sources))
        container.start()
        container.wait(timeout=SECONDS)
        container.commit(repository=COMPILED, tag=tag.partition(":")[2], changes=[f"LABEL {LABEL}={tag}"])
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


def _image(client: DockerClient, base: str) -> str:
    from docker.errors import ImageNotFound

    entries = _compiler_files()
    tag = f"{REPOSITORY}:{content_hash(entries, (base,))[:16]}"
    try:
        client.images.get(tag)
    except ImageNotFound:
        container = client.containers.create(base, ["python3"], network_mode="none")
        try:
            with tempfile.TemporaryFile() as archive:
                write_tar(archive, entries)
                archive.seek(0)
                container.put_archive("/", archive)
            container.commit(repository=REPOSITORY, tag=tag.partition(":")[2], changes=[f"LABEL {LABEL}={tag}"])
        finally:
            container.remove(force=True)
    return tag


def _compiler_files() -> list[Entry]:
    driver = Path(shutil.which("g++") or "g++")

    def told(*arguments: str) -> str:
        return subprocess.run([driver, *arguments], capture_output=True, text=True, check=True).stdout.strip()

    compiler = Path(told("-print-prog-name=cc1plus"))
    tools = {"usr/bin/g++": driver.resolve(), str(compiler).lstrip("/"): compiler.resolve()}
    for name in ("as", "ld"):
        tools[f"usr/bin/{name}"] = Path(shutil.which(told(f"-print-prog-name={name}")) or name).resolve()
    found = {name: Entry(name, source=path, executable=True) for name, path in tools.items()}
    for path in tools.values():
        for library in shared_libraries(path, []):
            name = library.as_posix().lstrip("/")
            found[name] = Entry(name, source=library.resolve(), executable=True)
    own = Path(told("-print-file-name=include"))
    for path in sorted(own.rglob("*")):
        if path.is_file():
            found[str(path).lstrip("/")] = Entry(str(path).lstrip("/"), source=path)
    for path in [*Path("/usr/include").glob("*.h"), *(p for n in _HEADERS for p in Path("/usr/include", n).rglob("*"))]:
        if path.is_file():
            found[str(path).lstrip("/")] = Entry(str(path).lstrip("/"), source=path)
    return [found[name] for name in sorted(found)]


def _wrapper() -> str:
    return resources.files("sandbox.audit.foreign").joinpath(_WRAPPER).read_text("utf-8")


def _script() -> str:
    return resources.files("sandbox.audit.foreign").joinpath("guest_compile.py").read_text("utf-8")
