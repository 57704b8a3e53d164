"""A run on disk: the plan, then one line for each finished rollout, and an index of small lines. Append-only.

::

    RUN/plan.json        written first, never changed
    RUN/rollouts.jsonl   one whole rollout a line; of several lines with one id the last counts
    RUN/index.jsonl      where each line lies, with the few fields that statistics need
    RUN/prompts.jsonl    each prompt once, by its hash
    RUN/tasks/<id>/      the tasks as they were

A killed run loses at most the line that was being written; :meth:`RunStore.open` cuts a torn tail off and indexes
lines that the index does not know.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from bootcamp_kit.errors import InternalError, MachineError, UsageError
from bootcamp_kit.folder import TaskFolder
from bootcamp_kit.jsondata import Json
from evaluation.plan import EvaluationPlan

ROLLOUTS, INDEX, PROMPTS, PLAN = "rollouts.jsonl", "index.jsonl", "prompts.jsonl", "plan.json"
TASKS, LOCK = "tasks", ".lock"


@dataclass(frozen=True, slots=True)
class Rollout:
    """One response to one case, and what it earned.

    Attributes:
        key: Of the payload; "" when no case could be made.
        response: None when the model was not asked or did not answer.
        stop: Why the text ended: end, length, refusal, other; "" without a response.
        outcome: correct, partial, wrong or malformed; "" when unscored.
        value: None when unscored.
        unscored: The reason class of ``scoring.Unscored``; "" when scored.
        latency_s: Seconds of the call, 0.0 when the reply came from the cache.
    """

    task_id: str
    content_hash: str
    level: int
    seed: int
    sample: int
    key: str
    prompt_hash: str
    model: str
    response: str | None
    stop: str
    answer: Json
    value: float | None
    outcome: str
    reason: str
    unscored: str
    detail: str
    input_tokens: int
    output_tokens: int
    latency_s: float
    at: str

    @property
    def id(self) -> str:
        """``task/level/seed/sample``."""
        return rollout_id(self.task_id, self.level, self.seed, self.sample)


@dataclass(frozen=True, slots=True)
class IndexLine:
    """The few fields of a rollout that statistics need, and where the whole of it lies."""

    id: str
    task_id: str
    level: int
    seed: int
    sample: int
    key: str
    prompt_hash: str
    value: float | None
    outcome: str
    unscored: str
    stop: str
    input_tokens: int
    output_tokens: int
    latency_s: float
    offset: int
    length: int


def rollout_id(task_id: str, level: int, seed: int, sample: int) -> str:
    """The name of a rollout inside its run."""
    return f"{task_id}/{level}/{seed}/{sample}"


class RunStore:
    """One run's folder, open for reading, or for writing by one process at a time."""

    def __init__(self, folder: Path, plan: EvaluationPlan, lock: int | None) -> None:
        self.folder, self.plan, self._lock = folder, plan, lock
        self._index: dict[str, IndexLine] = {}
        self._prompts: set[str] = set()
        self._end = 0
        self.repeated = 0

    @classmethod
    def create(cls, folder: Path, plan: EvaluationPlan) -> RunStore:
        """A new run; the plan is on disk before anything is asked.

        Raises:
            UsageError: the folder holds a run already.
        """
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / PLAN).exists():
            raise UsageError(f"new run in {folder}", "it holds a run already", "add --resume, or choose another --out")
        building = folder / f".{PLAN}.writing"
        building.write_text(json.dumps(plan.to_json()), "utf-8")
        building.replace(folder / PLAN)
        return cls.open(folder, write=True)

    @classmethod
    def open(cls, folder: Path, *, write: bool = False) -> RunStore:
        """An existing run.

        Raises:
            UsageError: no run there, or (for writing) another process writes it.
        """
        try:
            plan = EvaluationPlan.from_json(json.loads((folder / PLAN).read_text("utf-8")))
        except (OSError, ValueError) as error:
            raise UsageError(f"run {folder}", f"no readable plan: {error}", "name a folder made by evaluate") from error
        lock = _lock(folder) if write else None
        store = cls(folder, plan, lock)
        try:
            store._read_index()
            if write:
                store._heal()
        except BaseException:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Let other processes write."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> RunStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def lines(self) -> list[IndexLine]:
        """The last line of each rollout, in the order of the plan's tasks, then level, seed and sample."""
        order = {task.task_id: place for place, task in enumerate(self.plan.tasks)}
        return sorted(self._index.values(), key=lambda line: (order[line.task_id], line.level, line.seed, line.sample))

    def find(self, name: str) -> IndexLine | None:
        """The index line of a rollout."""
        return self._index.get(name)

    def read(self, line: IndexLine) -> Rollout:
        """The whole rollout.

        Raises:
            MachineError: the file does not hold it.
        """
        with (self.folder / ROLLOUTS).open("rb") as file:
            file.seek(line.offset)
            return _rollout(self.folder, file.read(line.length))

    def append(self, rollout: Rollout) -> None:
        """Store a finished rollout: its own line first, then the index."""
        if self._lock is None:
            raise InternalError("storing a rollout", "the run is open for reading", "open it with write=True")
        data = json.dumps(asdict(rollout)).encode() + b"\n"
        _append(self.folder / ROLLOUTS, data)
        self._note(rollout, self._end, len(data))

    def keep_prompt(self, prompt_hash: str, prompt: str) -> None:
        """Store a prompt once."""
        if prompt_hash not in self._prompts:
            self._prompts.add(prompt_hash)
            _append(self.folder / PROMPTS, json.dumps({"hash": prompt_hash, "prompt": prompt}).encode() + b"\n")

    def prompts(self) -> Iterator[tuple[str, str]]:
        """Every stored prompt with its hash."""
        for line in _whole_lines(self.folder / PROMPTS):
            row = json.loads(line)
            yield str(row["hash"]), str(row["prompt"])

    def prompt(self, prompt_hash: str) -> str | None:
        """A stored prompt."""
        return next((prompt for known, prompt in self.prompts() if known == prompt_hash), None)

    def keep_tasks(self, folders: Mapping[str, TaskFolder]) -> None:
        """Store a copy of each task, so that the run can be resumed and read when the library has moved on."""
        for task in self.plan.tasks:
            place = self.folder / TASKS / task.task_id
            if not place.exists():
                folders[task.task_id].write(place)

    def tasks(self) -> dict[str, TaskFolder]:
        """The copies.

        Raises:
            UsageError: one is missing, or is not what the plan names.
        """
        found = {}
        for task in self.plan.tasks:
            folder = found[task.task_id] = TaskFolder.read(self.folder / TASKS / task.task_id)
            if folder.content_hash != task.content_hash:
                place = f"{TASKS}/{task.task_id}"
                raise UsageError(f"run {self.folder}", f"{place} differs from the plan's hash", "start a new run")
        return found

    def _note(self, rollout: Rollout, offset: int, length: int) -> None:
        values = {name: getattr(rollout, name) for name in _SHARED}
        line = IndexLine(id=rollout.id, offset=offset, length=length, **values)
        _append(self.folder / INDEX, json.dumps(asdict(line)).encode() + b"\n")
        self._take(line)

    def _take(self, line: IndexLine) -> None:
        self.repeated += line.id in self._index
        self._index[line.id] = line
        self._end = line.offset + line.length

    def _read_index(self) -> None:
        known = {task.task_id for task in self.plan.tasks}
        size = _size(self.folder / ROLLOUTS)
        for raw in _whole_lines(self.folder / INDEX):
            try:
                line = IndexLine(**json.loads(raw))
            except (ValueError, TypeError) as error:
                found = f"{INDEX} is damaged: {error}"
                raise MachineError(f"run {self.folder}", found, f"remove {INDEX}; it is made again") from error
            if line.task_id in known and line.offset == self._end and line.offset + line.length <= size:
                self._take(line)

    def _heal(self) -> None:
        """Cut torn tails off and index what the index lacks. The rollouts are the truth."""
        for name in (ROLLOUTS, INDEX, PROMPTS):
            _cut_torn_tail(self.folder / name)
        for raw in _whole_lines(self.folder / ROLLOUTS, start=self._end):
            self._note(_rollout(self.folder, raw), self._end, len(raw) + 1)
        self._prompts = {json.loads(line)["hash"] for line in _whole_lines(self.folder / PROMPTS)}


_SHARED = tuple({item.name for item in fields(IndexLine)} & {item.name for item in fields(Rollout)})


def _rollout(folder: Path, raw: bytes) -> Rollout:
    try:
        return Rollout(**json.loads(raw))
    except (ValueError, TypeError) as error:
        raise MachineError(f"run {folder}", f"{ROLLOUTS} is damaged: {error}", "restore it from a copy") from error


def _lock(folder: Path) -> int:
    handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        raise UsageError(f"run {folder}", "another process is writing it", "wait for it") from error
    return handle


def _append(path: Path, data: bytes) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(handle, rest) :]
    finally:
        os.close(handle)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _whole_lines(path: Path, *, start: int = 0) -> Iterator[bytes]:
    if not path.exists():
        return
    with path.open("rb") as file:
        file.seek(start)
        for line in file:
            if line.endswith(b"\n"):
                yield line[:-1]


def _cut_torn_tail(path: Path) -> None:
    size = _size(path)
    if not size:
        return
    with path.open("rb+") as file:
        place = size
        while place:
            start = max(0, place - (1 << 16))
            file.seek(start)
            found = file.read(place - start).rfind(b"\n")
            if found >= 0:
                place = start + found + 1
                break
            place = start
        if place < size:
            file.truncate(place)
