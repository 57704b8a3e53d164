"""Imports a task from bytes in memory: no path, no cache file, nothing that was not in the folder that was hashed.

Runs candidate code: call it inside the sandbox, or on the host for *approved* tasks only (see ``library.load``).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType
from typing import TYPE_CHECKING

from bootcamp_kit.contract import Bootcamp, Oracle
from bootcamp_kit.jsondata import digest

if TYPE_CHECKING:
    from importlib.abc import InspectLoader, MetaPathFinder

    class _Finder(MetaPathFinder, InspectLoader): ...

else:  # `importlib.abc` loads a dozen modules, and every container of the sandbox loads this one

    class _Finder:
        create_module = SourceFileLoader.create_module
        exec_module = SourceFileLoader.exec_module


class TaskFinder(_Finder):
    """Serves one task's ``.py`` files as a package: ``from . import helper``, ``from .bootcamp import X`` work."""

    def __init__(self, package: str, files: Mapping[str, bytes]) -> None:
        self.package, self.files = package, files

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The task's own package and modules; None for everything else."""
        if name == self.package:
            return ModuleSpec(name, self, is_package=True)
        head, _, tail = name.rpartition(".")
        if head == self.package and f"{tail}.py" in self.files:
            return ModuleSpec(name, self, origin=f"<task>/{tail}.py")
        return None

    def is_package(self, fullname: str) -> bool:
        """Whether it is the package itself."""
        return fullname == self.package

    def get_source(self, fullname: str) -> str:
        """Source text of one module."""
        if fullname == self.package:
            return ""
        return self.files[fullname.rpartition(".")[2] + ".py"].decode("utf-8")

    def get_code(self, fullname: str) -> CodeType:
        """Compiled from the bytes in memory; no .pyc is read or written."""
        return compile(self.get_source(fullname), f"<task>/{fullname.rpartition('.')[2]}.py", "exec", dont_inherit=True)

    def get_data(self, path: str) -> bytes:
        """A file of the task by its relative path, e.g. ``__loader__.get_data("reference.py")``.

        Raises:
            OSError: there is none.
        """
        try:
            return self.files[path]
        except KeyError:
            raise OSError(f"no file {path!r} in the task") from None


def package_name(sources: Mapping[str, bytes]) -> str:
    """The package a task is imported as: the same in the sandbox and in a library, another one for other bytes.

    Args:
        sources: ``TaskFolder.sources``.
    """
    listing = "".join(f"{digest(data)}  {path}\n" for path, data in sorted(sources.items()))
    return f"bootcamp_task_{digest(listing.encode())[:24]}"


def load_bootcamp(package: str, files: Mapping[str, bytes]) -> Bootcamp:
    """Import ``bootcamp.py`` and return its ``BOOTCAMP``.

    Raises:
        TypeError: ``BOOTCAMP`` is missing or not a ``Bootcamp``.
        Exception: whatever the module raises while it is imported.
    """
    found = getattr(_module(package, files, "bootcamp"), "BOOTCAMP", None)
    if not isinstance(found, Bootcamp):
        raise TypeError("bootcamp.py must set BOOTCAMP to an instance of bootcamp_kit.contract.Bootcamp")
    return found


def load_oracle(package: str, files: Mapping[str, bytes]) -> Oracle:
    """Import ``oracle.py`` and return its ``ORACLE``. Inside the sandbox only.

    Raises:
        TypeError: ``ORACLE`` is missing or not an ``Oracle``.
        Exception: whatever the module raises while it is imported.
    """
    found = getattr(_module(package, files, "oracle"), "ORACLE", None)
    if not isinstance(found, Oracle):
        raise TypeError("oracle.py must set ORACLE to an instance of bootcamp_kit.contract.Oracle")
    return found


def _module(package: str, files: Mapping[str, bytes], name: str) -> ModuleType:
    import importlib

    if not any(isinstance(item, TaskFinder) and item.package == package for item in sys.meta_path):
        sys.meta_path.insert(0, TaskFinder(package, files))
    return importlib.import_module(f"{package}.{name}")
