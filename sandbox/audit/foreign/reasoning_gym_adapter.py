"""Runs *inside* the sandbox: data sets of the installed package ``reasoning_gym``, at their default configuration."""

from __future__ import annotations

import importlib
import logging
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

FOLDER = "/opt/foreign"
SIZE = 500


@contextmanager
def nowhere_to_write() -> Iterator[None]:
    """A dependency imports matplotlib for pictures nobody asks for, and that insists on a folder of its own.

    The sandbox has none to write to. Told of a folder, it finds that it cannot write there, and goes on.
    """
    real, logger = tempfile.mkdtemp, logging.getLogger("matplotlib")
    tempfile.mkdtemp = lambda *arguments, **named: FOLDER  # type: ignore[assignment]
    logger.disabled = True
    try:
        yield
    finally:
        tempfile.mkdtemp = real


class Library:
    """The registry of data sets."""

    def __init__(self) -> None:
        if FOLDER not in sys.path:
            sys.path.append(FOLDER)
        with nowhere_to_write():
            factory = importlib.import_module("reasoning_gym").factory
        self._create, self._names = factory.create_dataset, list(factory.DATASETS)

    def names(self) -> list[str]:
        """All registered data sets; ``composite`` needs others to be named and is no task of its own."""
        return [name for name in self._names if name != "composite"]

    def task(self, name: str, seed: int, params: dict[str, Any]) -> Task:
        """One data set under one seed."""
        return Task(self._create(name, seed=seed, size=SIZE, **params))

    def axes(self, name: str) -> dict[str, Any]:
        """None: a data set's configuration is no plain constructor."""
        return {}

    def text(self, name: str) -> tuple[str, str]:
        """None: no data set quotes reference code."""
        return "", ""


class Task:
    """One data set."""

    def __init__(self, dataset: Any) -> None:
        self._dataset = dataset

    def case(self, number: int) -> Any:
        """One entry."""
        return self._dataset[number]

    def question(self, item: Any) -> Any:
        """Its prompt."""
        return item["question"]

    def answer(self, item: Any) -> Any:
        """Its stored answer."""
        return item["answer"]

    def payload(self, item: Any) -> Any:
        """What the scorer sees beside the answer."""
        return item.get("metadata")

    def score(self, item: Any, response: str) -> Any:
        """The data set's own score of a bare answer."""
        return self._dataset.score_answer(answer=response, entry=item)
