"""reasoning-gym: entries of its form, and a data set with its methods over one task at one level.

``answer`` is None: our verifiers check a property and need no key, and the reference solver never leaves the sandbox.
reasoning-gym has no value for "no score": :meth:`BootcampDataset.score_answer` raises :class:`NoScore`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bootcamp_kit.errors import MachineError
from bootcamp_kit.jsondata import Json
from bootcamp_kit.library import Task
from evaluation.export.formats import Format
from evaluation.export.items import Item
from evaluation.export.judge import Judge
from evaluation.export.shards import JsonLines
from evaluation.scoring import Judgement

HINT = "BootcampDataset(task, judge, level=…, seed=…, size=…) or read the entries"


class NoScore(MachineError):
    """The verifier or the machine failed; this says nothing about the answer."""


class BootcampDataset:
    """A procedural data set with reasoning-gym's methods.

    Args:
        task: From ``bootcamp_kit.library.load``.
        judge: Scores answers.
        level: Difficulty.
        seed: Seed of the first case; index i has seed + i.
        size: Number of cases.
    """

    def __init__(self, task: Task, judge: Judge, *, level: int = 1, seed: int = 0, size: int = 500) -> None:
        self.task, self.judge, self.level, self.seed, self.size = task, judge, level, seed, size

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[dict[str, Json]]:
        return (self[index] for index in range(self.size))

    def __getitem__(self, index: int) -> dict[str, Json]:
        """The entry at ``index``.

        Raises:
            IndexError: past the size.
        """
        if not 0 <= index < self.size:
            raise IndexError(index)
        case = self.task.case(self.level, self.seed + index)
        return row(Item(self.task, case, case.key, self.task.prompt(case)), "", index=index)

    def score_answer(self, answer: str | None, entry: Mapping[str, Any]) -> float:
        """Score a whole response to an entry.

        Raises:
            NoScore: there is no score.
        """
        return reward(self.judge.one(entry["metadata"]["identity"], answer or ""))


def row(item: Item, split: str, *, index: int | None = None) -> dict[str, Json]:
    """``question, answer, metadata``."""
    metadata = {
        "source_dataset": item.case.task_id,
        "source_index": item.case.seed if index is None else index,
        "difficulty": {"level": item.case.level},
        "identity": item.identity(),
        "split": split,
    }
    return {"question": item.prompt, "answer": None, "metadata": {**metadata, **item.lineage()}}


def reward(judgement: Judgement) -> float:
    """A judgement in reasoning-gym's words.

    Raises:
        NoScore: there is no score.
    """
    if judgement.score is None:
        raise NoScore("scoring an answer", f"{judgement.unscored}: {judgement.detail}", "leave this response out")
    return judgement.score.value


FORMAT = Format(
    row,
    JsonLines,
    {},
    {"correct": "1.0", "partial": "in (0, 1)", "wrong": "0.0", "malformed": "0.0", "unscored": "raises NoScore"},
    HINT,
)
