"""What goes into the image: the running interpreter's standard library, the shared libraries it needs, our code.

No shell, no package manager, no set-uid file, nothing of the host's site-packages.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bootcamp_kit.errors import MachineError

PREFIX = "opt/python"
CODE = "opt/bootcamp"
PACKAGES = "opt/packages"
_VERSION = f"{sys.version_info.major}.{sys.version_info.minor}"
_LEFT_OUT = {
    "__pycache__", "config", "dist-packages", "ensurepip", "idlelib", "lib2to3", "pydoc_data", "site-packages", "test",
    "tests", "tkinter", "turtledemo", "venv",
}  # fmt: skip
_LEFT_OUT_PREFIXES = ("config-", "_tkinter.", "_test", "_ctypes_test.", "_xxtest", "xxlimited")
_STATIC = {
    "etc/passwd": b"root:x:0:0::/:/nologin\n",
    "etc/group": b"root:x:0:\n",
    "etc/nsswitch.conf": b"passwd: files\ngroup: files\nhosts: files\n",
    "etc/hosts": b"127.0.0.1 localhost\n",
    "etc/hostname": b"sandbox\n",
    "etc/resolv.conf": b"",
}
_EMPTY_FOLDERS = ("dev", "proc", "sys", "tmp")


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of the image. Exactly one of ``source``, ``data`` and ``link`` says what it holds."""

    path: str
    source: Path | None = None
    data: bytes | None = None
    link: str = ""
    executable: bool = False

    def read(self) -> bytes:
        """Its bytes."""
        if self.source is not None:
            return self.source.read_bytes()
        return self.data or b""


def interpreter_entries() -> list[Entry]:
    """The base image: interpreter, standard library, shared libraries, a minimal ``/etc``; sorted by path.

    Raises:
        MachineError: this interpreter cannot be packed (not Linux, not glibc, no standard library on disk).
    """
    if sys.platform != "linux":
        raise MachineError(
            "building the sandbox image",
            f"this is {sys.platform}: its interpreter does not run in a Linux container",
            "name a base image that the engine has or can pull, e.g. python:3.12-slim (setting: base_image)",
        )
    executable = _executable()
    stdlib = Path(sysconfig.get_path("stdlib", vars={"base": sys.base_prefix, "installed_base": sys.base_prefix}))
    entries = {entry.path: entry for entry in _standard_library(stdlib)}
    binary = f"{PREFIX}/bin/python{_VERSION}"
    entries[binary] = Entry(binary, source=executable, executable=True)
    for name in ("python3", "python"):
        entries[f"{PREFIX}/bin/{name}"] = Entry(f"{PREFIX}/bin/{name}", link=f"python{_VERSION}")
    extensions = [entry.source for entry in entries.values() if entry.source and ".so" in entry.source.suffixes]
    for library in shared_libraries(executable, extensions):
        name = library.as_posix().lstrip("/")
        # The dynamic loader has a fixed path; every other library is found by LD_LIBRARY_PATH.
        path = name if library.name.startswith("ld-") else f"{PREFIX}/lib/{library.name}"
        entries[path] = Entry(path, source=library.resolve(), executable=True)
    for path, data in _STATIC.items():
        entries[path] = Entry(path, data=data)
    return [entries[path] for path in sorted(entries)]


def empty_folders() -> tuple[str, ...]:
    """Mount points that must exist in a read-only root."""
    return _EMPTY_FOLDERS


def code_entries(root: Path) -> list[Entry]:
    """The thin layer on top: ``bootcamp_kit`` and the guest agent, sorted by path.

    Args:
        root: The folder that holds the packages ``bootcamp_kit`` and ``sandbox``.
    """
    chosen = [root / "sandbox" / "__init__.py"]
    for folder in (root / "bootcamp_kit", root / "sandbox" / "guest"):
        chosen += [path for path in folder.rglob("*.py") if "__pycache__" not in path.parts]
    entries = [Entry(f"{CODE}/{path.relative_to(root).as_posix()}", source=path) for path in chosen]
    return sorted(entries, key=lambda entry: entry.path)


def package_entries(folder: Path) -> list[Entry]:
    """Installed packages and the shared libraries that they need besides the interpreter's own, sorted by path."""
    entries = {}
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        left_out = _LEFT_OUT.intersection(inside.parts) or inside.parts[0] == "bin" or path.suffix == ".pyi"
        if path.is_file() and not left_out:
            entries[f"{PACKAGES}/{inside.as_posix()}"] = Entry(f"{PACKAGES}/{inside.as_posix()}", source=path)
    extensions = [entry.source for entry in entries.values() if entry.source and ".so" in entry.source.suffixes]
    for library in shared_libraries(_executable(), extensions):
        if not library.is_relative_to(folder) and not library.name.startswith("ld-"):
            name = f"{PREFIX}/lib/{library.name}"
            entries[name] = Entry(name, source=library.resolve(), executable=True)
    return [entries[name] for name in sorted(entries)]


def _executable() -> Path:
    return Path(getattr(sys, "_base_executable", sys.executable)).resolve()


def _standard_library(stdlib: Path) -> Iterator[Entry]:
    if not (stdlib / "os.py").is_file():
        raise MachineError(
            "building the sandbox image", f"no standard library in {stdlib}", "use a CPython with its library on disk"
        )
    pending = [stdlib]
    while pending:
        for path in sorted(pending.pop().iterdir()):
            if path.name in _LEFT_OUT or path.name.startswith(_LEFT_OUT_PREFIXES):
                continue
            if path.is_dir():
                pending.append(path)
            elif path.suffix in (".py", ".so") or ".so." in path.name:
                inside = path.relative_to(stdlib).as_posix()
                yield Entry(f"{PREFIX}/lib/python{_VERSION}/{inside}", source=path.resolve())


def shared_libraries(executable: Path, extensions: list[Path]) -> list[Path]:
    """The closure of shared libraries, as the dynamic loader itself tells it in one go, without running anything.

    A library that is not there is left out with the extension that wants it.
    """
    environ = {**os.environ, "LD_TRACE_LOADED_OBJECTS": "1", "LD_PRELOAD": ":".join(map(str, extensions))}
    done = subprocess.run([executable, "-c", "pass"], env=environ, capture_output=True, text=True, check=False)
    paths = re.findall(r"^\s+(?:\S+ => )?(/\S+) \(0x", done.stdout, re.MULTILINE)
    found = {Path(path) for path in paths} - set(extensions)
    if not found:
        raise MachineError(
            "building the sandbox image",
            f"the dynamic loader names no libraries: {done.stderr[:200]}",
            "use a dynamically linked glibc Python, or name a base image (setting: base_image)",
        )
    return sorted(found)
