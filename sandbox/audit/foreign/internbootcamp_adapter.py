"""Runs *inside* the sandbox: classes of an InternBootcamp source checkout, each module imported alone.

The package's own ``__init__`` files import every module at once and would let one missing package hide all tasks, so
stand-ins with the same search path take their place; ``bootcamp`` is the name by which most modules import the base.
"""

from __future__ import annotations

import importlib
import inspect
import json
import random
import re
import sys
import types
from pathlib import Path
from typing import Any

FOLDER = "/opt/foreign"
MOST_RAWS = 500
_FROM_KEYWORDS = re.compile(
    r"(?:params|kwargs|config|options)\.get\(\s*['\"](\w+)['\"]\s*,\s*([^()\n]+|\([^()\n]*\))\)"
)
_NAMED = re.compile(r"(?:params|kwargs|config|options)\.get\(\s*['\"](\w+)['\"]")
_FROM_DEFAULTS = re.compile(r"['\"](\w+)['\"]\s*:\s*([\d.e()*+\- _,]+?)\s*(?:,\s*(?:#.*)?\n|,\s*(?=['\"])|\n|\})")
_NUMBER = re.compile(r"\(?\s*-?[\d_.e]+(?:\s*[*+,-]{1,2}\s*-?[\d_.e]+)*\s*\)?")
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
        random.seed(seed)
        found = self._class(name)
        given = {key: tuple(value) if isinstance(value, list) else value for key, value in params.items()}
        return Task(found(**given), seed)

    def text(self, name: str) -> tuple[str, str]:
        """Source and docstring of its module."""
        source = (self._tasks / f"{name}.py").read_text("utf-8", "replace")
        return source, str(getattr(sys.modules.get(self._module(name)), "__doc__", "") or "")

    def class_name(self, name: str) -> str:
        """The class that is the task."""
        return str(self._class(name).__name__)

    def axes(self, name: str) -> dict[str, Any]:
        """Named parameters of the constructor with defaults, and what it takes from keywords by name."""
        found = self._class(name)
        own = found.__dict__.get("__init__")
        if own is None:
            return {}
        axes = {
            item.name: item.default
            for item in inspect.signature(own).parameters.values()
            if item.default is None or isinstance(item.default, int | float | tuple | list)
        }
        if any(item.kind is inspect.Parameter.VAR_KEYWORD for item in inspect.signature(own).parameters.values()):
            source = inspect.getsource(own)
            for key, default in [*_FROM_KEYWORDS.findall(source), *_FROM_DEFAULTS.findall(source)]:
                if key not in axes and _NUMBER.fullmatch(default.strip()):
                    axes[key] = eval(default, {"__builtins__": {}})  # noqa: S307 - digits and operators, in the sandbox
            for key in _NAMED.findall(source):
                axes.setdefault(key, None)
        return {
            key: value for key, value in axes.items() if value is None or isinstance(value, int | float | tuple | list)
        }

    def _module(self, name: str) -> str:
        folder, _, file = name.partition("/")
        return f"internbootcamp.bootcamp.{folder}.{file}"

    def _class(self, name: str) -> Any:
        module = importlib.import_module(self._module(name))
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
        return found[-1]


def _differs(made: Any, read: Any) -> bool:
    return bool(made != read)


class Task:
    """One class at its default parameters."""

    def __init__(self, bootcamp: Any, seed: int) -> None:
        self._bootcamp, self._seed = bootcamp, seed
        self._raws: dict[int, Any] = {}

    def case(self, number: int) -> Any:
        """One identity, as the library's own pipeline sees it: after a JSON round trip where that is possible."""
        random.seed(f"{self._seed} {number}")
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed((self._seed * 1000 + number) % 2**32)
        made = self._bootcamp.case_generator()
        try:
            read = json.loads(json.dumps(made))
        except (TypeError, ValueError):
            return made
        if len(self._raws) < MOST_RAWS and _differs(made, read):
            self._raws[number] = made
        return read

    def raw(self, number: int, item: Any) -> Any:
        """The identity as it was made, where a JSON round trip changed it."""
        return self._raws.get(number, item)

    def reads(self, response: str) -> list[int] | None:
        """None where no answer is found in a response; else the sizes of its parts, as far as it has such."""
        found = type(self._bootcamp).extract_output(REASONING + response)
        if found is None:
            return None
        return [len(part) for part in found if isinstance(part, list | str)] if isinstance(found, list) else []

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
