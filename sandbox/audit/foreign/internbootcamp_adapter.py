"""Runs *inside* the sandbox: classes of an InternBootcamp source checkout, each module imported alone.

The package's own ``__init__`` files import every module at once and would let one missing package hide all tasks, so
stand-ins with the same search path take their place; ``bootcamp`` is the name by which most modules import the base.
"""

from __future__ import annotations

import importlib
import json
import random
import sys
import types
from pathlib import Path
from typing import Any

FOLDER = "/opt/foreign"
REASONING = "<think>" + "I read the rules and work through the instance step by step. " * 4 + "</think>\n"


class Library:
    """All modules that define a class of their own."""

    def __init__(self) -> None:
        if FOLDER not in sys.path:
            sys.path.append(FOLDER)
        root = Path(FOLDER) / "internbootcamp"
        self._tasks = root / "bootcamp"
        for name, folder in (("internbootcamp", root), ("internbootcamp.bootcamp", self._tasks)):
            package = types.ModuleType(name)
            package.__path__ = [str(folder)]
            sys.modules[name] = package
        base = importlib.import_module("internbootcamp.bootcamp.base").Basebootcamp
        short = types.ModuleType("bootcamp")
        short.__path__ = [str(self._tasks)]
        for module in (short, sys.modules["internbootcamp.bootcamp"]):
            vars(module)["Basebootcamp"] = base
        sys.modules["bootcamp"] = short
        sys.modules["bootcamp.base"] = sys.modules["internbootcamp.bootcamp.base"]
        self._base = base

    def names(self) -> list[str]:
        """``folder/file`` of every module that says ``(Basebootcamp)``."""
        found = []
        for path in self._tasks.glob("*/*.py"):
            if "(Basebootcamp)" in path.read_text("utf-8", "replace"):
                found.append(f"{path.parent.name}/{path.stem}")
        return found

    def task(self, name: str, seed: int, params: dict[str, Any]) -> Task:
        """The last class of that module with a generator of its own."""
        folder, _, file = name.partition("/")
        random.seed(seed)
        module = importlib.import_module(f"internbootcamp.bootcamp.{folder}.{file}")
        found = [
            item
            for item in vars(module).values()
            if isinstance(item, type)
            and issubclass(item, self._base)
            and item is not self._base
            and item.__module__ == module.__name__
            and hasattr(item, "case_generator")
        ]
        if not found:
            raise LookupError("no class with a case_generator")
        return Task(found[-1](**params), seed)


class Task:
    """One class at its default parameters."""

    def __init__(self, bootcamp: Any, seed: int) -> None:
        self._bootcamp, self._seed = bootcamp, seed

    def case(self, number: int) -> Any:
        """One identity, as the library's own pipeline sees it: after a JSON round trip where that is possible."""
        random.seed(f"{self._seed} {number}")
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(self._seed * 1000 + number)
        made = self._bootcamp.case_generator()
        try:
            return json.loads(json.dumps(made))
        except (TypeError, ValueError):
            return made

    def question(self, item: Any) -> Any:
        """Its prompt."""
        return self._bootcamp.prompt_func(item)

    def answer(self, item: Any) -> Any:
        """None: a stored answer is found by its behaviour."""
        return None

    def payload(self, item: Any) -> Any:
        """The identity."""
        return item

    def score(self, item: Any, response: str) -> Any:
        """The library's own score of a whole response."""
        return type(self._bootcamp).verify_score(REASONING + response, item)
