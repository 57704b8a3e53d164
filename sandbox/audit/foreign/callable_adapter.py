"""Runs *inside* the sandbox: Python files with a pair of functions, ``generate(seed)`` and ``score(response, case)``.

A case is what ``generate`` returns: a dict with the text for the solver as ``question`` or ``prompt``, and with its
right answer as ``answer`` where the author has one; or the text alone. ``score`` gets a whole response and that case.
"""

from __future__ import annotations

import importlib.util
import inspect
import random
import sys
from pathlib import Path
from typing import Any

FOLDER = "/opt/foreign"
FILES = Path(FOLDER, "callables")
_TEXTS = ("question", "prompt", "text")


class Library:
    """The files that were named, each one task."""

    def __init__(self) -> None:
        for folder in (FOLDER, str(FILES)):
            if folder not in sys.path:
                sys.path.append(folder)

    def names(self) -> list[str]:
        """Files that define both functions, without their ending."""
        texts = {path.stem: path.read_text("utf-8", "replace") for path in sorted(FILES.glob("*.py"))}
        return [name for name, text in texts.items() if "def generate(" in text and "def score(" in text]

    def task(self, name: str, seed: int, params: dict[str, Any]) -> Task:
        """One file's pair; other parameters are keywords of ``generate``."""
        return Task(self._module(name), seed, params)

    def axes(self, name: str) -> dict[str, Any]:
        """Keywords of ``generate`` with a number as their default."""
        found = inspect.signature(self._module(name).generate).parameters.values()
        return {item.name: item.default for item in found if isinstance(item.default, int | float | tuple | list)}

    def text(self, name: str) -> tuple[str, str]:
        """Source and docstring."""
        return (FILES / f"{name}.py").read_text("utf-8", "replace"), str(self._module(name).__doc__ or "")

    def _module(self, name: str) -> Any:
        full = f"foreign_{name}"
        if full not in sys.modules:
            found = importlib.util.spec_from_file_location(full, FILES / f"{name}.py")
            if found is None or found.loader is None:
                raise LookupError("not a Python file")
            module = importlib.util.module_from_spec(found)
            found.loader.exec_module(module)
            sys.modules[full] = module
        return sys.modules[full]


class Task:
    """One pair of functions."""

    def __init__(self, module: Any, seed: int, params: dict[str, Any]) -> None:
        self._module, self._seed, self._params = module, seed, params

    def case(self, number: int) -> Any:
        """A case; the global generator is seeded too, for authors who use it."""
        random.seed(f"{self._seed} {number}")
        return self._module.generate(self._seed * 1_000_003 + number, **self._params)

    def question(self, item: Any) -> Any:
        """The text for a solver."""
        if isinstance(item, dict):
            return next((item[key] for key in _TEXTS if key in item), None)
        return item

    def answer(self, item: Any) -> Any:
        """The author's right answer, where there is one."""
        return item.get("answer") if isinstance(item, dict) else None

    def payload(self, item: Any) -> Any:
        """The case without its texts."""
        return (
            {key: value for key, value in item.items() if key not in (*_TEXTS, "answer")}
            if isinstance(item, dict)
            else {}
        )

    def score(self, item: Any, response: str) -> Any:
        """The author's score."""
        return self._module.score(response, item)
