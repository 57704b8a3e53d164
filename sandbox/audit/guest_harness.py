"""Runs *inside* the sandbox, sent there as a task of its own: many versions of one task's verifier on many answers.

The sent folder holds this file as ``bootcamp.py``, the task's files under ``task/``, the changed files under
``mutant/N/`` and the questions in ``corpus.json``. ``parse`` is the one entry: it is asked for a version and a range of
questions and returns what each earned. Nothing is compared here: this process is the candidate's.
"""

from __future__ import annotations

import json
from typing import Any

from bootcamp_kit.case import Answer, Case, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.loading import load_bootcamp
from sandbox.guest.harness import AskedByParse

ORIGINAL = -1


class Harness(AskedByParse):
    """Answers ``{"version": n, "places": […]}`` with one verdict each: the score's value, or an exception's type."""

    def __init__(self) -> None:
        self._data: Any = None
        self._versions: dict[int, Bootcamp] = {}
        self._failed: dict[int, str] = {}

    def parse(self, response: str) -> Answer:
        """Score the asked-for places of the corpus with one version."""
        asked = json.loads(response)
        version = asked["version"]
        found: list[float | str] = []
        task = self._version(version)
        for place in asked["places"]:
            if task is None:
                found.append(self._failed[version])
                continue
            where, text = self._corpus["questions"][place]
            raw = self._corpus["cases"][where]
            case = Case(raw["task_id"], raw["level"], raw["seed"], dict(raw["params"]), json.loads(raw["payload"]))
            try:
                score = Bootcamp.score(task, case, text)
                found.append(float(score.value) if type(score) is Score else type(score).__name__)
            except Exception as error:  # noqa: BLE001 - a changed verifier may raise anything: that is its verdict
                found.append(type(error).__name__)
        return list(found)

    @property
    def _corpus(self) -> Any:
        if self._data is None:
            self._data = json.loads(__loader__.get_data("corpus.json"))  # type: ignore[name-defined]
        return self._data

    def _version(self, version: int) -> Bootcamp | None:
        if version not in self._versions and version not in self._failed:
            try:
                self._versions[version] = load_bootcamp(f"version_{version + 1}", self._files(version))
            except Exception as error:  # noqa: BLE001 - it may fail to load in any way
                self._failed[version] = f"not loaded: {type(error).__name__}"
        return self._versions.get(version)

    def _files(self, version: int) -> dict[str, bytes]:
        listing = self._corpus
        read = __loader__.get_data  # type: ignore[name-defined]
        files = {name: read(f"task/{name}") for name in listing["files"]}
        if version != ORIGINAL:
            name, start, end, text = listing["mutants"][version]
            files[name] = files[name][:start] + text.encode() + files[name][end:]
        return files


BOOTCAMP = Harness()
