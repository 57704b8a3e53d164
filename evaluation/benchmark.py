"""A frozen benchmark: chosen seeds, hashes of everything, a canary, a datasheet; the same bytes wherever it is built.

::

    BENCHMARK/benchmark.json   what it is: name, version, kit, tasks with content hashes, weights, canary, items' hash
    BENCHMARK/items.jsonl      one item a line: task, level, seed, payload key, prompt hash, prompt, canary
    BENCHMARK/DATASHEET.md     the same for people

Seeds start at ``FIRST_SEED``, far from what exports take by default. Disjoint seeds are not enough where a generator
has few cases, so keys are compared: against exports at building and whenever ``verify`` is asked.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from bootcamp_kit import __version__
from bootcamp_kit.errors import UsageError
from bootcamp_kit.jsondata import Json, digest
from bootcamp_kit.library import Task
from evaluation.datasheet import datasheet
from evaluation.export.items import PATIENCE, case_mark, require_levels, require_licences
from evaluation.export.run import MANIFEST, read_marks
from evaluation.export.shards import json_line
from evaluation.plan import CaseRef, EvaluationPlan, PlannedTask, Sampling

SCHEMA = 1
HEAD, ITEMS, SHEET = "benchmark.json", "items.jsonl", "DATASHEET.md"
FIRST_SEED = 1_000_000_000
TAKEN = "taken"
"""In the head's ``seeds``: what became of every seed that was tried; the rest says why one was not taken."""

Solve = Callable[[Task, int, int], str]
"""The canonical answer of the case at (level, seed), from the reference solver in the sandbox."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What to build.

    Attributes:
        levels: None takes all of each task.
        per_level: Items of each task at each level.
        weights: Family → weight; families left out weigh 1.
        most_of_one_answer: Largest share of a task's level that may have one and the same answer; needs ``solve``.
    """

    name: str
    version: str
    levels: tuple[int, ...] | None
    per_level: int
    weights: Mapping[str, float]
    allowed: tuple[str, ...] = ()
    most_of_one_answer: float | None = None

    def __post_init__(self) -> None:
        if not self.name.replace("-", "").replace("_", "").isalnum() or self.per_level < 1:
            do = "letters, digits, - and _; at least one item"
            raise UsageError("benchmark", f"name {self.name!r}, {self.per_level} items per level", do)
        share = self.most_of_one_answer
        if share is not None and not 0 < share <= 1:
            raise UsageError("benchmark --balance", f"{share}", "a share: above 0, at most 1")
        if not all(math.isfinite(weight) and weight >= 0 for weight in self.weights.values()):
            raise UsageError("benchmark weights", f"{dict(self.weights)}", "give finite numbers of 0 or more")

    @property
    def canary(self) -> str:
        """A line to search training data for. It depends on name and version only, so that it can be built again."""
        return f"BENCHMARK DATA MUST NOT BE TRAINED ON. canary {uuid5(NAMESPACE_URL, f'{self.name}@{self.version}')}"


def build(
    tasks: Sequence[Task], recipe: Recipe, excluded: Set[bytes] = frozenset(), solve: Solve | None = None
) -> dict[str, bytes]:
    """The benchmark's files.

    Raises:
        UsageError: a refused licence, a missing level, weights for no family of it, or a generator that cannot supply
            enough distinct cases outside ``excluded``.
    """
    if not tasks:
        raise UsageError("benchmark build", "no task is named", "bootcamp benchmark build TASK…")
    if recipe.most_of_one_answer is not None and solve is None:
        raise UsageError("benchmark build", "balanced answers need the reference solvers", "run it with an engine")
    tasks = sorted(tasks, key=lambda task: task.card.id)
    require_licences(tasks, recipe.allowed)
    require_levels(tasks, recipe.levels)
    families = {task.card.family for task in tasks}
    if strangers := set(recipe.weights) - families:
        raise UsageError("benchmark weights", f"no task of {', '.join(sorted(strangers))}", "name families it holds")
    lines: list[bytes] = []
    described = []
    seeds = Counter[str]()
    for task in tasks:
        levels = recipe.levels if recipe.levels is not None else tuple(task.card.difficulty.levels)
        seen: set[str] = set()
        found = []
        for level in levels:
            tried = Counter[str]()
            found += list(_items(task, level, recipe, excluded, seen, solve, tried))
            seeds += tried
        lines += [json_line(item) for item in found]
        described.append(_describe(task, levels, len(found), recipe))
    body = b"".join(lines)
    head = {
        "schema": SCHEMA,
        "name": recipe.name,
        "version": recipe.version,
        "kit_version": __version__,
        "canary": recipe.canary,
        "first_seed": FIRST_SEED,
        "per_level": recipe.per_level,
        "most_of_one_answer": recipe.most_of_one_answer,
        "items": len(lines),
        "items_sha256": hashlib.sha256(body).hexdigest(),
        "seeds": {"tried": seeds.total(), TAKEN: seeds[TAKEN], **seeds},
        "weights": {family: recipe.weights.get(family, 1.0) for family in sorted(families)},
        "tasks": described,
    }
    text = json.dumps(head, indent=1, sort_keys=True) + "\n"
    return {HEAD: text.encode(), ITEMS: body, SHEET: datasheet(head).encode()}


def write(files: Mapping[str, bytes], out: Path) -> None:
    """Write a benchmark's files; the head last, whole or not at all.

    Raises:
        UsageError: another benchmark is there.
    """
    if (out / HEAD).exists() and (out / HEAD).read_bytes() != files[HEAD]:
        raise UsageError(f"benchmark into {out}", "another benchmark is there", "choose another --out")
    out.mkdir(parents=True, exist_ok=True)
    for name in (ITEMS, SHEET, HEAD):
        building = out / f".{name}.writing"
        try:
            building.write_bytes(files[name])
            building.replace(out / name)
        finally:
            building.unlink(missing_ok=True)


def read(folder: Path) -> tuple[dict[str, Json], list[dict[str, Json]]]:
    """Head and items.

    Raises:
        UsageError: not a benchmark, of another schema, or its items are not the ones that were frozen.
    """
    try:
        head = json.loads((folder / HEAD).read_text("utf-8"))
        body = (folder / ITEMS).read_bytes()
        items = [json.loads(line) for line in body.splitlines()]
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"benchmark {folder}", f"not readable: {error}", f"name a folder with {HEAD}") from error
    if not isinstance(head, dict) or head.get("schema") != SCHEMA:
        raise UsageError(f"benchmark {folder}", "made in another schema", f"this program reads schema {SCHEMA}")
    _require_keys(folder / HEAD, [head], _HEAD_KEYS)
    _require_keys(folder / HEAD, head["tasks"], _TASK_KEYS)
    _require_keys(folder / ITEMS, items, _ITEM_KEYS)
    if hashlib.sha256(body).hexdigest() != head["items_sha256"]:
        raise UsageError(f"benchmark {folder}", f"{ITEMS} was changed", "restore it, or build it again")
    if head["items"] != len(items):
        found = f"{HEAD} tells of {head['items']} items, there are {len(items)}"
        raise UsageError(f"benchmark {folder}", found, "restore it, or build it again")
    return head, items


_HEAD_KEYS = {
    "name": str, "version": str, "kit_version": str, "items": int, "items_sha256": str, "weights": dict, "tasks": list,
}  # fmt: skip
_TASK_KEYS = {"task_id": str, "content_hash": str, "family": str}
_ITEM_KEYS = {"id": str, "task_id": str, "level": int, "seed": int, "key": str, "prompt_sha256": str, "prompt": str}


def _require_keys(path: Path, rows: Sequence[Json], keys: Mapping[str, type]) -> None:
    for row in rows:
        for key, kind in keys.items():
            if not isinstance(row, dict) or type(row.get(key)) is not kind:
                raise UsageError(f"benchmark file {path}", f"its {key!r} is missing or of another kind", "restore it")


def benchmark_plan(
    head: Mapping[str, Json],
    items: Sequence[Mapping[str, Json]],
    model: str,
    *,
    samples: int,
    sampling: Sampling,
    scorer: str,
) -> EvaluationPlan:
    """An evaluation of exactly these items: a case that comes out differently is not asked."""
    planned = []
    for task in head["tasks"]:
        cases = tuple(
            CaseRef(item["level"], item["seed"], item["key"], item["prompt_sha256"])
            for item in items
            if item["task_id"] == task["task_id"]
        )
        planned.append(PlannedTask(task["task_id"], task["content_hash"], task["family"], cases))
    origin = f"benchmark {head['name']} {head['version']} {str(head['items_sha256'])[:12]}"
    return EvaluationPlan(tuple(planned), model, samples, sampling, scorer, head["weights"], origin)


def excluded_marks(folders: Sequence[Path]) -> set[bytes]:
    """The marks of every case in exports and benchmarks.

    Raises:
        UsageError: a folder is neither, or damaged.
    """
    found: set[bytes] = set()
    for folder in folders:
        if (folder / HEAD).exists():
            found |= {case_mark(item["task_id"], item["key"]) for item in read(folder)[1]}
        elif (folder / MANIFEST).exists():
            found.update(read_marks(folder))
        else:
            raise UsageError(f"exclude {folder}", "neither an export nor a benchmark", "name a finished one")
    return found


def _items(
    task: Task,
    level: int,
    recipe: Recipe,
    excluded: Set[bytes],
    seen: set[str],
    solve: Solve | None,
    tried: Counter[str],
) -> Iterator[dict[str, Json]]:
    """The items of one level; ``tried`` counts what became of each seed."""
    wanted, reach = recipe.per_level, FIRST_SEED + PATIENCE * recipe.per_level
    share = recipe.most_of_one_answer
    most = recipe.per_level if share is None else max(1, math.ceil(share * recipe.per_level))
    answers: Counter[str] = Counter()
    for seed in range(FIRST_SEED, reach):
        try:
            case = task.case(level, seed)
            prompt = task.prompt(case)
        except Exception as error:  # noqa: BLE001  (the boundary to task code: a seed that fails is no item)
            tried[f"failed: {type(error).__name__}"] += 1
            continue
        if case.key in seen or case_mark(task.card.id, case.key) in excluded:
            tried["duplicates" if case.key in seen else "in an export"] += 1
            continue
        if share is not None and solve is not None:
            answer = solve(task, level, seed)
            if answers[answer] >= most:
                tried["over an answer's share"] += 1
                continue
            answers[answer] += 1
        seen.add(case.key)
        tried[TAKEN] += 1
        yield {
            "id": f"{task.card.id}/{level}/{seed}",
            "task_id": task.card.id,
            "level": level,
            "seed": seed,
            "key": case.key,
            "prompt_sha256": digest(prompt.encode()),
            "prompt": prompt,
            "licence": task.card.source.licence,
            "canary": recipe.canary,
        }
        wanted -= 1
        if not wanted:
            return
    why = ", ".join(f"{number} {what}" for what, number in sorted(tried.items()) if what != TAKEN)
    found = f"{tried[TAKEN]} usable cases among {tried.total()} seeds, not {recipe.per_level}; the rest: {why}"
    raise UsageError(f"benchmark: {task.card.id} level {level}", found, "ask for fewer, or leave the level out")


def _describe(task: Task, levels: Sequence[int], count: int, recipe: Recipe) -> dict[str, Json]:
    card = task.card
    return {
        "task_id": card.id,
        "title": card.title,
        "version": card.version,
        "content_hash": task.content_hash,
        "family": card.family,
        "licence": card.source.licence,
        "source": card.source.name,
        "answer": card.answer.kind,
        "levels": list(levels),
        "items": count,
    }
