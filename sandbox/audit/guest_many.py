"""Runs *inside* the sandbox in the place of a task's ``bootcamp.py``: scores many responses in one call.

The task's own files lie under ``task/``. One answer for many responses saves a frame and a decoding each; what is to be
believed is asked again by itself. Payloads come as text, so that no response sees what another one did to them.
"""

from __future__ import annotations

import json

from bootcamp_kit.case import Answer, Case, Score
from bootcamp_kit.contract import Bootcamp
from bootcamp_kit.loading import load_bootcamp
from sandbox.guest.harness import AskedByParse


class Harness(AskedByParse):
    """Answers ``{"cases": […], "pairs": [[case, response], …]}`` with ``[value, outcome]`` or null for each pair."""

    def __init__(self) -> None:
        self._task: Bootcamp | None = None

    def parse(self, response: str) -> Answer:
        """Score all pairs; null where the verifier raises or returns no score."""
        asked, task = json.loads(response), self._loaded()
        found: list[list[float | str] | None] = []
        for where, text in asked["pairs"]:
            raw = asked["cases"][where]
            case = Case(raw["task_id"], raw["level"], raw["seed"], dict(raw["params"]), json.loads(raw["payload"]))
            try:
                score = Bootcamp.score(task, case, text)
            except Exception:  # noqa: BLE001 - it is asked again by itself, and then told
                found.append(None)
                continue
            found.append([float(score.value), score.outcome.value] if type(score) is Score else None)
        return found

    def _loaded(self) -> Bootcamp:
        if self._task is None:
            read = __loader__.get_data  # type: ignore[name-defined]
            names = json.loads(read("names.json"))
            self._task = load_bootcamp("judged_task", {name: read(f"task/{name}") for name in names})
        return self._task


BOOTCAMP = Harness()
