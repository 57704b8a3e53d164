"""This machine's C++ compiler as an image layer, and the restrictions of every container that compiles."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sandbox.image.archive import content_hash, write_tar
from sandbox.image.build import BASE_REPOSITORY, LABEL, ON_LABEL, content_of
from sandbox.image.rootfs import PREFIX, Entry, shared_libraries
from sandbox.ownership import Owner

if TYPE_CHECKING:
    from docker import DockerClient

REPOSITORY = "bootcamp-compiler"
MEMORY, PIDS = "2g", 64
_HEADERS = ("c++", "x86_64-linux-gnu", "aarch64-linux-gnu", "linux", "asm", "asm-generic", "bits")
PREPARE, PREPARE_S = "/work/guest_run.py", 900
_LOADERS = ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1")


def compiler_id() -> str:
    """Which compiler this machine has; "" for none."""
    found = shutil.which("g++")
    if found is None:
        return ""
    done = subprocess.run([found, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.splitlines()[0] if done.returncode == 0 and done.stdout else ""


def guest_script() -> str:
    """What runs in the container; without a job it compiles the common header beforehand."""
    return resources.files("sandbox.compiled").joinpath("guest_run.py").read_text("utf-8")


def container_options(run_id: str) -> dict[str, Any]:
    """Arguments of ``containers.create`` for a container that compiles: no network, limits, and whose it is."""
    from docker.types import LogConfig, Ulimit

    return {
        "network_mode": "none",
        "cap_drop": ["ALL"],
        "security_opt": ["no-new-privileges"],
        "pids_limit": PIDS,
        "mem_limit": MEMORY,
        "memswap_limit": MEMORY,
        "ipc_mode": "none",
        "log_config": LogConfig(type="none"),
        "ulimits": [
            Ulimit(name="core", soft=0, hard=0),
            Ulimit(name="nproc", soft=4096, hard=4096),  # else podman asks for more than its own
            Ulimit(name="nofile", soft=256, hard=256),
            Ulimit(name="fsize", soft=512 << 20, hard=512 << 20),
        ],
        "environment": {"PATH": f"/{PREFIX}/bin:/usr/bin", "TMPDIR": "/work", "PYTHONDONTWRITEBYTECODE": "1"},
        "labels": Owner.current().labels(run_id, time.time()),
    }


def compiler_image(client: DockerClient, base: str, run_id: str) -> str:
    """The tag of an image with the compiler on top of the interpreter's layer; built when it is missing.

    Args:
        client: The engine.
        base: The sandbox's image; taken where the interpreter's own layer is not there, because it holds our code and
            so changes with every release.
        run_id: Whose containers build it.
    """
    from docker.errors import ImageNotFound

    base = _interpreter_layer(client) or base
    entries = [*_compiler_files(), Entry(PREPARE.lstrip("/"), data=guest_script().encode())]
    digest = _digest(entries, base)
    tag = f"{REPOSITORY}:{digest[:16]}"
    try:
        client.images.get(tag)
    except ImageNotFound:
        container = client.containers.create(base, ["python3", PREPARE], **container_options(run_id))
        try:
            with tempfile.TemporaryFile() as archive:
                write_tar(archive, entries)
                archive.seek(0)
                container.put_archive("/", archive)
            container.start()
            container.wait(timeout=PREPARE_S)
            labels = [f"LABEL {LABEL}={digest} {ON_LABEL}={base}", *without_owner()]
            container.commit(repository=REPOSITORY, tag=digest[:16], changes=labels)
        finally:
            container.remove(force=True)
    return tag


def _interpreter_layer(client: DockerClient) -> str:
    """The tag of the layer that holds the interpreter alone; "" where the engine has none."""
    from docker.errors import ImageNotFound

    if not _LAYERS:
        _LAYERS.append(f"{BASE_REPOSITORY}:{content_of().base_digest[:16]}")
    try:
        client.images.get(_LAYERS[0])
    except ImageNotFound:
        return ""
    return _LAYERS[0]


_LAYERS: list[str] = []


def without_owner() -> list[str]:
    """An image is nobody's: a container of it must not inherit the labels of the one it was committed from."""
    return [f"LABEL {name}=" for name in Owner.current().labels("", 0.0)]


_DIGESTS: dict[tuple[str, str], str] = {}


def _digest(entries: list[Entry], base: str) -> str:
    """The content hash, worked out once a process: it reads some 100 MB."""
    key = (compiler_id(), base)
    if key not in _DIGESTS:
        _DIGESTS[key] = content_hash(entries, (base,))
    return _DIGESTS[key]


@cache
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
    for name in _linked(told):
        found[name.lstrip("/")] = Entry(name.lstrip("/"), source=Path(name).resolve(), executable=True)
    own = Path(told("-print-file-name=include"))
    for path in sorted(own.rglob("*")):
        if path.is_file():
            found[str(path).lstrip("/")] = Entry(str(path).lstrip("/"), source=path)
    for path in [*Path("/usr/include").glob("*.h"), *(p for n in _HEADERS for p in Path("/usr/include", n).rglob("*"))]:
        if path.is_file():
            found[str(path).lstrip("/")] = Entry(str(path).lstrip("/"), source=path)
    return [found[name] for name in sorted(found)]


def _linked(told: Any) -> list[str]:
    """What a program is linked with: start files, libc, libm, libstdc++; where the driver looks for them."""
    names: tuple[str, ...] = (
        "Scrt1.o",
        "crti.o",
        "crtn.o",
        "crtbeginS.o",
        "crtendS.o",
        "libc.so",
        "libc.so.6",
        "libm.so",
        "libm.so.6",
    )
    names += ("libmvec.so.1", "libstdc++.so", "libstdc++.so.6", "libgcc.a", "libgcc_s.so.1", "libgcc_s.so")
    names += ("libc_nonshared.a", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "liblto_plugin.so")
    found = list[str]()
    for name in names:
        place = told(f"-print-file-name={name}")
        if "/" in place and Path(place).is_file():
            found.append(str(Path(place).absolute()) if ".." not in place else str(Path(place).parent.resolve() / name))
    for script in [Path(place) for place in found if place.endswith(".so")]:
        if script.stat().st_size < 4_096:  # a linker script, which names files by their paths
            found += [word for word in script.read_text("ascii", "replace").split() if word.startswith("/")]
    return [place for place in [*found, *_LOADERS] if Path(place).is_file()]
