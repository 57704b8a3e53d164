"""Runs *inside* the sandbox: environments for ``verifiers``, each a module or package of the named folder.

Two shapes are known. A module with ``load_environment()`` gives rows (``prompt`` or ``question``, ``answer``, ``info``)
and a rubric of weighted functions. A module with a ``Taskset`` class gives tasks, each with its data and its rewards.
Rewards that need a runtime, tools, a judge model or a network cannot run here, and say so by raising. Coroutines are
driven by hand, for an event loop needs sockets, of which there are none.
"""

from __future__ import annotations

import importlib
import inspect
import itertools
import json
import random
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = "/opt/foreign"
MOST = 400


class Library:
    """The modules at the top of the folder that look like environments."""

    def __init__(self) -> None:
        if FOLDER not in sys.path:
            sys.path.append(FOLDER)
        self._tasks: dict[tuple[str, int], Any] = {}

    def names(self) -> list[str]:
        """Modules and packages that name ``load_environment`` or a ``Taskset``; not ``verifiers`` itself."""
        found = []
        for path in [*Path(FOLDER).glob("*.py"), *Path(FOLDER).glob("*/__init__.py")]:
            name = path.parent.name if path.name == "__init__.py" else path.stem
            text = path.read_text("utf-8", "replace")
            if name != "verifiers" and ("def load_environment(" in text or ("Taskset" in text and "verifiers" in text)):
                found.append(name)
        return found

    def task(self, name: str, seed: int, params: dict[str, Any]) -> Any:
        """One environment; its own seed is used where ``load_environment`` takes one."""
        random.seed(seed)
        module = importlib.import_module(name)
        load = getattr(module, "load_environment", None)
        if load is not None:
            takes = inspect.signature(load).parameters
            return Environment(load(**({"seed": seed} if "seed" in takes else {}), **params))
        found = [
            item
            for item in vars(module).values()
            if inspect.isclass(item) and item.__module__.startswith(name) and hasattr(item, "load")
        ]
        if not found:
            raise LookupError("no load_environment and no taskset")
        return Tasks(found[-1])

    def axes(self, name: str) -> dict[str, Any]:
        """Numbers that ``load_environment`` takes."""
        load = getattr(importlib.import_module(name), "load_environment", None)
        found = inspect.signature(load).parameters.values() if load else ()
        return {item.name: item.default for item in found if isinstance(item.default, int | float)}

    def text(self, name: str) -> tuple[str, str]:
        """None: no environment quotes reference code."""
        return "", ""


class Environment:
    """Rows and a rubric."""

    def __init__(self, environment: Any) -> None:
        get = getattr(environment, "get_dataset", None)
        rows = get() if get is not None else environment.dataset
        self._rows = list(itertools.islice(iter(rows), MOST))
        self._rubric = environment.rubric
        self._parser = getattr(self._rubric, "parser", None) or getattr(environment, "parser", None)

    def case(self, number: int) -> Any:
        """One row; they go round where there are too few."""
        return dict(self._rows[number % len(self._rows)])

    def question(self, item: Any) -> Any:
        """The text of the prompt."""
        prompt = item.get("prompt", item.get("question"))
        return "\n\n".join(str(turn["content"]) for turn in prompt) if isinstance(prompt, list) else prompt

    def answer(self, item: Any) -> Any:
        """The stored answer."""
        return item.get("answer")

    def payload(self, item: Any) -> Any:
        """``info``."""
        info = item.get("info")
        return json.loads(info) if isinstance(info, str) else info or {}

    def score(self, item: Any, response: str) -> Any:
        """The weighted sum of the rubric's functions."""
        prompt = item.get("prompt", item.get("question"))
        known = {
            "completion": [{"role": "assistant", "content": response}],
            "prompt": prompt if isinstance(prompt, list) else [{"role": "user", "content": prompt}],
            "answer": item.get("answer"),
            "info": self.payload(item),
            "state": {},
            "parser": self._parser,
            "task": item.get("task", ""),
        }
        functions = getattr(self._rubric, "funcs", None) or self._rubric.reward_funcs
        weights = getattr(self._rubric, "weights", None) or getattr(self._rubric, "reward_weights", None)
        return sum(
            weight * float(_called(function, known))
            for function, weight in zip(functions, weights or [1.0] * len(functions), strict=True)
            if weight
        )


class Tasks:
    """A taskset and the rewards of its tasks."""

    def __init__(self, kind: Any) -> None:
        taskset = kind(_config(kind))
        self._tasks = list(itertools.islice(iter(taskset), MOST))

    def case(self, number: int) -> Any:
        """One task; they go round where there are too few."""
        return self._tasks[number % len(self._tasks)]

    def question(self, item: Any) -> Any:
        """The text of the prompt."""
        return item.data.prompt_text

    def answer(self, item: Any) -> Any:
        """A field of the data called ``answer``, where there is one."""
        return getattr(item.data, "answer", None)

    def payload(self, item: Any) -> Any:
        """The data without the prompt."""
        return item.data.model_dump(mode="json", exclude={"prompt", "answer"}, exclude_defaults=True)

    def score(self, item: Any, response: str) -> Any:
        """The weighted sum of the rewards, for a trace whose last reply is the response."""
        vf: Any = importlib.import_module("verifiers.v1")
        trace = vf.Trace.model_construct(root_reply=response, nodes=[], rewards={}, metrics={}, info={}, state=None)
        total = 0.0
        for function in item.hooks("reward"):
            made = _called(function, {"task": item.data, "trace": trace})
            weight = getattr(function, "_vf_weight", 1.0)
            total += weight * sum(map(float, made.values()) if isinstance(made, Mapping) else [float(made)])
        return total


def _config(kind: Any) -> Any:
    for base in getattr(kind, "__orig_bases__", ()):
        for argument in getattr(base, "__args__", ()):
            if inspect.isclass(argument) and argument.__name__.endswith("Config"):
                return argument()
    return importlib.import_module("verifiers.v1").TasksetConfig()


def _called(function: Any, known: dict[str, Any]) -> Any:
    takes = inspect.signature(function).parameters
    every = any(item.kind is inspect.Parameter.VAR_KEYWORD for item in takes.values())
    made = function(**{name: value for name, value in known.items() if every or name in takes})
    if not inspect.iscoroutine(made):
        return made
    try:
        made.send(None)
    except StopIteration as done:
        return done.value
    made.close()
    raise RuntimeError("the reward waits for something outside")
