"""An image with another library's files in it: a read-only layer at ``/opt/foreign`` on top of the plain image."""

from __future__ import annotations

import os
import sysconfig
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bootcamp_kit.errors import MachineError, UsageError
from sandbox.audit.foreign.compiler import compiled, key, programs
from sandbox.image.archive import content_hash, write_tar
from sandbox.image.build import LABEL, ON_LABEL
from sandbox.image.rootfs import PREFIX, Entry
from sandbox.service import Sandbox

if TYPE_CHECKING:
    from docker import DockerClient

REPOSITORY = "bootcamp-foreign"
FOLDER = "opt/foreign"
_LEFT_OUT = frozenset({"__pycache__", ".git", "pip", "setuptools", "pkg_resources", "_distutils_hack", "wheel"})
MAX_BYTES, PATIENCE_S = 2 << 30, 900
"""Bytes of all files; seconds in which a busy engine takes them."""
_RUNTIME = (
    "libstdc++.so.6", "libgcc_s.so.1", "libgomp.so.1", "libz.so.1", "libpthread.so.0", "libdl.so.2", "librt.so.1",
    "libutil.so.1",
)  # fmt: skip
_LIBRARY_FOLDERS = ("lib/*-linux-gnu", "usr/lib/*-linux-gnu", "lib64", "usr/lib64", "lib", "usr/lib")


def ensure_layer(sandbox: Sandbox, roots: Sequence[Path], progress: Callable[[str], None]) -> str:
    """The tag of an image that holds the files of these folders; built when it is not there.

    Args:
        sandbox: An entered sandbox on an engine; its plain image is the base.
        roots: Folders whose contents are put together; a file of an earlier one counts.
        progress: Told in one line what is being built.

    Raises:
        UsageError: not a folder, or too large.
        MachineError: the engine refused.
    """
    from docker.errors import DockerException, ImageNotFound

    entries = _entries(roots)
    sources = {name: text for root in roots for name, text in programs(root).items()}
    digest = content_hash(entries, (sandbox.image.digest, key(sources) if sources else ""))
    tag = f"{REPOSITORY}:{digest[:16]}"
    client = sandbox.engine.connect()
    client.api.timeout = PATIENCE_S
    try:
        try:
            client.images.get(tag)
        except ImageNotFound:
            progress(f"packing {len(entries):,} foreign files into an image (once)")
            libraries = compiled(client, sandbox.image.tag, sources, FOLDER, progress, sandbox.settings.run_id)
            _build(client, sandbox.image.tag, [*entries, *libraries], digest)
        return tag
    except (DockerException, OSError) as error:
        raise MachineError("building a foreign image", f"{type(error).__name__}: {error}"[:400], "") from error
    finally:
        client.close()


def _build(client: DockerClient, base: str, entries: list[Entry], digest: str) -> None:
    container = client.containers.create(base, ["python3"], network_mode="none", labels={LABEL: digest})
    try:
        with tempfile.TemporaryFile() as archive, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # foreign sources are compiled to byte code, never run
            write_tar(archive, entries)
            archive.seek(0)
            container.put_archive("/", archive)
        container.commit(repository=REPOSITORY, tag=digest[:16], changes=[f"LABEL {LABEL}={digest} {ON_LABEL}={base}"])
    finally:
        container.remove(force=True)


def _entries(roots: Sequence[Path]) -> list[Entry]:
    found: dict[str, Entry] = {}
    total = 0
    for root in roots:
        if root.suffix == ".py" and root.is_file():
            name = f"{FOLDER}/callables/{root.name}"
            found.setdefault(name, Entry(name, source=root))
            continue
        if not root.is_dir():
            raise UsageError(
                f"foreign files {root}", "not a folder", "name a source checkout or a site-packages folder"
            )
        for path in _files(root):
            name = f"{FOLDER}/{path.relative_to(root).as_posix()}"
            if name not in found:
                total += path.stat().st_size
                found[name] = Entry(name, source=path, executable=".so" in path.suffixes)
        if total > MAX_BYTES:
            raise UsageError(f"foreign files {root}", f"more than {MAX_BYTES >> 30} GiB", "name a smaller folder")
    for entry in _python_2_reader():
        found.setdefault(entry.path, entry)
    for library in _runtime_libraries():
        name = f"{PREFIX}/lib/{library.name}"
        found[name] = Entry(name, source=library.resolve(), executable=True)
    return [found[name] for name in sorted(found)]


def _python_2_reader() -> Iterator[Entry]:
    """``lib2to3`` of this interpreter, where it still has it: reference code is often Python 2."""
    folder = Path(sysconfig.get_path("stdlib")) / "lib2to3"
    for path in _files(folder):
        if path.suffix in (".py", ".txt") and "tests" not in path.parts:
            name = f"{FOLDER}/lib2to3/{path.relative_to(folder).as_posix()}"
            yield Entry(name, source=path)


def _runtime_libraries() -> Iterator[Path]:
    """What compiled packages commonly need besides the interpreter's own; by name, so that no foreign file is read."""
    for name in _RUNTIME:
        places = (path / name for folder in _LIBRARY_FOLDERS for path in sorted(Path("/").glob(folder)))
        library = next((path for path in places if path.exists()), None)
        if library is not None:
            yield library


def _files(root: Path) -> Iterator[Path]:
    """Plain files below a folder; links that lead out of it, and what no library needs at run time, are left out."""
    for folder, names, files in os.walk(root):
        names[:] = sorted(name for name in names if name not in _LEFT_OUT and not (Path(folder) / name).is_symlink())
        for name in sorted(files):
            path = Path(folder) / name
            if path.is_symlink() or not path.is_file() or name.endswith((".pyc", ".pth")):
                continue
            yield path
