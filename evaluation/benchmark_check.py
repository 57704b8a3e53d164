"""Whether a benchmark is what its library makes, and whether its cases are in training data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bootcamp_kit import __version__
from bootcamp_kit.jsondata import Json, canonical, digest
from bootcamp_kit.library import Task
from evaluation.benchmark import excluded_marks
from evaluation.export.items import case_mark


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is not as the benchmark says."""

    what: str
    found: str


def verify(
    head: Mapping[str, Json], items: Sequence[Mapping[str, Json]], tasks: Mapping[str, Task], exports: Sequence[Path]
) -> list[Difference]:
    """Make every item again and compare; then look for its keys in exports. An empty list is good.

    Raises:
        UsageError: an export is not readable.
    """
    found: list[Difference] = []
    if head["kit_version"] != __version__:
        found.append(Difference("kit", f"built with {head['kit_version']}, this is {__version__}"))
    for described in head["tasks"]:
        task = tasks.get(described["task_id"])
        if task is None:
            found.append(Difference(described["task_id"], "not in the library"))
        elif task.content_hash != described["content_hash"]:
            found.append(Difference(described["task_id"], f"the library holds {task.content_hash[:12]}"))
    listed = {described["task_id"] for described in head["tasks"]}
    for item in items:
        if item["task_id"] not in listed:
            found.append(Difference(item["id"], f"its task {item['task_id'][:80]} is not in the benchmark's list"))
        task = tasks.get(item["task_id"])
        if task is not None and (why := _differs(task, item)):
            found.append(Difference(item["id"], why))
    marks = {case_mark(item["task_id"], item["key"]): item["id"] for item in items}
    for export in exports:
        shared = sorted(marks[mark] for mark in marks.keys() & excluded_marks([export]))
        found += [Difference(name, f"its case is in the export {export.name}") for name in shared]
    return found


def _differs(task: Task, item: Mapping[str, Json]) -> str:
    try:
        case = task.case(item["level"], item["seed"])
        prompt = task.prompt(case)
    except Exception as error:  # noqa: BLE001  (the boundary to task code: an item that cannot be made is a finding)
        return f"it cannot be made: {type(error).__name__}: {error}"[:200]
    if digest(canonical(case.payload)) != item["key"]:
        return "another payload"
    return "" if prompt == item["prompt"] else "another prompt"
